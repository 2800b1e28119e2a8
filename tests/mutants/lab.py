"""The research environments, the corpus and players in files broken on purpose."""

from __future__ import annotations

from .break_type import Break

ENVIRONMENTS = "tests/lab/research/environments/"
CORPUS = "tests/lab/corpus/test_corpus.py::"
FILES = "tests/bots/external/test_python_file.py::"

LAB = [
    Break(
        "a-finished-game-allows-nothing",
        "lab/research/environments/pure.py",
        "mask = batch.legal_actions(board, state, xp) | over[:, None]",
        "mask = batch.legal_actions(board, state, xp)",
        (ENVIRONMENTS + "test_pure.py::test_whole_games_end_with_the_shares_of_the_win",),
    ),
    Break(
        "a-game-pays-again-after-its-end",
        "lab/research/environments/pure.py",
        "ended = state.over & ~before.over",
        "ended = state.over",
        (ENVIRONMENTS + "test_pure.py::test_whole_games_end_with_the_shares_of_the_win",),
    ),
    Break(
        "a-last-observation-has-an-empty-mask",
        "lab/research/environments/gymnasium_vector.py",
        "mask = np.where(mask.any(axis=1, keepdims=True) & mine, mask, True)",
        "mask = np.where(mine, mask, False)",
        (ENVIRONMENTS + "test_gymnasium_vector.py::test_every_game_is_one_of_the_rules",),
    ),
    Break(
        "a-damaged-part-of-a-corpus-is-kept",
        "lab/corpus/manifest.py",
        '\n        and digest_of(folder / part.file) == entry.get("sha256")',
        "",
        (CORPUS + "test_a_run_goes_on_where_it_ended_and_repairs_what_changed",),
    ),
    Break(
        "a-player-in-a-file-finds-no-neighbour",
        "bots/external/python_file.py",
        "        sys.path.append(str(path.parent))",
        "        pass",
        (FILES + "test_a_class_in_a_file_plays_with_the_modules_beside_it",),
    ),
]
