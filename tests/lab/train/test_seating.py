"""Who plays which seat: the learner everywhere, with Surveyors or an earlier net in some games."""

from __future__ import annotations

import numpy as np

from lastspike.lab.train.plan import Plan

from . import needs

pytestmark = needs.JAX

PLAN = Plan("columbia-2015", 4, games=1000, surveyors=0.3, earlier=0.2)


def test_so_many_games_have_others_in_them() -> None:
    from lastspike.lab.train.seating import seating
    from lastspike.lab.train.selfplay import EARLIER, LEARNER, SURVEYOR

    who = seating(PLAN, np.random.default_rng(1))
    learners, earlier, surveyors = (
        (who == one).sum(axis=1) for one in (LEARNER, EARLIER, SURVEYOR)
    )
    assert who.shape == (1000, 4)
    assert (learners > 0).all()
    assert ((learners == 1) & (surveyors == 3)).sum() == 150
    assert ((learners == 3) & (surveyors == 1)).sum() == 150
    with_surveyors = surveyors > 0
    assert with_surveyors.sum() == 300
    assert not (with_surveyors & (earlier > 0)).any()
    assert 240 < earlier.sum() < 360, "in 200 games, each of three seats by the toss of a coin"
    assert 150 < (earlier > 0).sum() <= 200


def test_all_seats_are_for_all() -> None:
    from lastspike.lab.train.seating import seating
    from lastspike.lab.train.selfplay import LEARNER, SURVEYOR

    who = seating(PLAN, np.random.default_rng(2))
    for one in (LEARNER, SURVEYOR):
        alone = who[(who == one).sum(axis=1) == 1] == one
        assert (abs(alone.mean(axis=0) - 0.25) < 0.1).all()


def test_who_learns_to_beat_a_net_is_alone_among_its_like() -> None:
    from lastspike.lab.train.seating import seating
    from lastspike.lab.train.selfplay import EARLIER, LEARNER

    who = seating(PLAN._replace(against="a digest"), np.random.default_rng(3))
    assert ((who == LEARNER).sum(axis=1) == 1).all()
    assert ((who == EARLIER).sum(axis=1) == 3).all()
    assert (abs((who == LEARNER).mean(axis=0) - 0.25) < 0.1).all()
