"""A checkpoint gives back what was saved, to the plan that it was made for and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastspike.bots.tycoon.outlook import map_of
from lastspike.lab.train.plan import Plan
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import setup

from . import needs

pytestmark = needs.JAX

PLAN = Plan("columbia-2015", 2, batches=32, begun_as="a digest")
TABLE = map_of(setup(shipped(), 2))


def test_a_training_goes_on_from_it_and_the_log_is_cut_to_it(tmp_path: Path) -> None:
    import jax

    from lastspike.lab.train.checkpoint import LOG, begin, resume, save

    begun = begin(PLAN, TABLE)
    other = begin(PLAN._replace(seed=1), TABLE).learner
    training = begun.after(PLAN, other, 1.5).after(PLAN, begun.learner, 2.0)
    save(training, PLAN, tmp_path)
    (tmp_path / LOG).write_text("one\ntwo\nthree\nfo")
    found = resume(PLAN, TABLE, tmp_path)
    assert found is not None
    assert (found.batch, found.seconds) == (2, 3.5)
    assert len(found.earlier) == 2, "the first net, and one for every second batch of 32"
    assert all(map(np.array_equal, jax.tree.leaves(found), jax.tree.leaves(training)))
    assert (tmp_path / LOG).read_text() == "one\ntwo\n", "what came later is done again"


@pytest.mark.parametrize("changed", [{"seed": 1}, {"begun_as": "another"}])
def test_another_plan_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    from lastspike.lab.train.checkpoint import begin, resume, save

    save(begin(PLAN, TABLE), PLAN, tmp_path)
    (which,) = changed
    with pytest.raises(
        LastSpikeError, match=rf"different settings \({which}\); use those settings"
    ):
        resume(PLAN._replace(**changed), TABLE, tmp_path)


def test_a_damaged_one_is_told(tmp_path: Path) -> None:
    from lastspike.lab.train.checkpoint import CHECKPOINT, begin, resume, save

    save(begin(PLAN, TABLE), PLAN, tmp_path)
    path = tmp_path / CHECKPOINT
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(LastSpikeError, match=f"{CHECKPOINT} is damaged: "):
        resume(PLAN, TABLE, tmp_path)


def test_without_one_all_begins_anew(tmp_path: Path) -> None:
    from lastspike.lab.train.checkpoint import LOG, resume

    (tmp_path / LOG).write_text("one\n")
    assert resume(PLAN, TABLE, tmp_path) is None
    assert not (tmp_path / LOG).exists()
