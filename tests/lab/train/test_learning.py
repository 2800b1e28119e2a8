"""What a turn should have been thought worth, worked out by hand."""

from __future__ import annotations

import numpy as np

from . import needs

pytestmark = needs.JAX

SEATS = [0, 1, 2, 0, 1, 0]
"""Who moves: three seats at a table; the second wins."""

THOUGHT = [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2], [0.7, 0.2, 0.1]]
THOUGHT.append([0.3, 0.5, 0.2])


def test_targets_are_the_end_and_a_little_of_what_the_seat_thought_later() -> None:
    from lastspike.lab.train.learning import TRACE, targets
    from lastspike.lab.train.selfplay import Kept, Played

    learnt = [[True, True], [True, True], [True, True], [True, True], [True, False], [True, True]]
    explored = [[False, False]] * 3 + [[False, True]] + [[False, False]] * 2
    thought = np.repeat(np.array(THOUGHT, np.float32)[:, None], 2, axis=1)
    kept = Kept(
        told=np.zeros((6, 2, 1)),
        seat=np.repeat(np.array(SEATS)[:, None], 2, axis=1),
        learnt=np.array(learnt),
        explored=np.array(explored),
        chances=thought,
        leads=-thought,
    )
    shares = np.array([[0.0, 1.0, 0.0]] * 2, np.float32)
    leads = np.array([[-0.4, 0.2, -0.2]] * 2, np.float32)
    assert TRACE == 0.9
    chances, ahead = targets(Played(kept, shares, leads, np.array(12)))

    # Seats are counted from the mover: to seat 0 the winner is the next, to seat 2 the one after.
    plain = [
        [0.067, 0.895, 0.038],  # 0.9 of that of turn 3, and 0.1 of the thought there
        [0.97, 0.02, 0.01],
        [0.0, 0.0, 1.0],
        [0.03, 0.95, 0.02],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ]
    assert np.allclose(chances[:, 0], plain)
    # In the other game turn 3 was drawn by lot, so that turn 0 is judged by the thought there
    # alone; and seat 1's turn 4 was another's, which says nothing of its turn 1.
    plain[0], plain[1] = [0.4, 0.4, 0.2], [1.0, 0.0, 0.0]
    assert np.allclose(chances[:, 1], plain)

    assert np.allclose(ahead[5, 0], [-0.4, 0.2, -0.2])
    assert np.allclose(ahead[4, 0], [0.2, -0.2, -0.4])
    assert np.allclose(ahead[1, 0], [0.9 * 0.2 - 0.07, 0.9 * -0.2 - 0.02, 0.9 * -0.4 - 0.01])
    assert np.allclose(ahead[2, 0], [-0.2, -0.4, 0.2])
