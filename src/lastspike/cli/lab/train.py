"""`lastspike train`: trains a net for Tycoon by self-play."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastspike.cli.files import written_whole
from lastspike.cli.options import Players
from lastspike.cli.progress import bar
from lastspike.lab.train.learning_curve import learning_curve, read_log
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

if TYPE_CHECKING:
    from lastspike.bots.tycoon.net import Net
    from lastspike.lab.train.plan import Plan

EXPLORE_FOR_POLICY = 0.03
"""The fraction of random turns when a policy net is trained."""


def train(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder for the net, log, learning curve and checkpoint; an unfinished run there "
            "is resumed."
        ),
    ],
    players: Players = 4,
    games: Annotated[int, typer.Option(min=8, help="Games per batch.")] = 16_384,
    batches: Annotated[int, typer.Option(min=1, help="Number of batches.")] = 600,
    seed: Annotated[
        int,
        typer.Option(
            help="Random seed; the same seed gives the same net on the same kind of hardware."
        ),
    ] = 1869,
    rate: Annotated[float, typer.Option(min=0, help="Initial learning rate.")] = 1e-3,
    surveyors: Annotated[
        float, typer.Option(min=0, max=1, help="Fraction of games that include Surveyors.")
    ] = 0.3,
    earlier: Annotated[
        float, typer.Option(min=0, max=1, help="Fraction of games that include earlier nets.")
    ] = 0.2,
    against: Annotated[
        Path | None,
        typer.Option(metavar="NET", help="Train only to beat this net, to find its weaknesses."),
    ] = None,
    begun_as: Annotated[
        Path | None,
        typer.Option("--from", metavar="NET", help="Start from this net instead of a random one."),
    ] = None,
    policy_of: Annotated[
        Path | None,
        typer.Option(
            metavar="NET", help="Train a policy net instead: one that predicts this net’s turns."
        ),
    ] = None,
) -> None:
    """Train a net for Tycoon in games against itself, earlier nets and Surveyors.

    Meant for a GPU. The `train` extra installs JAX for the CPU; for the rest, see docs/tycoon.md.
    """
    try:
        from lastspike.lab.train.checkpoint import LOG
        from lastspike.lab.train.plan import Plan
        from lastspike.lab.train.training import NET
        from lastspike.lab.train.training import train as train_net
        from lastspike.lab.train.trial import trial
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "jax":
            raise
        raise LastSpikeError(
            "{library} is needed for this: pip install {package}",
            library="JAX",
            package="'lastspike[train]'",
        ) from missing

    rival, rival_digest = _net_in(against, players)
    begun, begun_digest = _net_in(begun_as, players)
    plan = Plan(
        DEFAULT_EDITION,
        players,
        games=games,
        batches=batches,
        seed=seed,
        rate=rate,
        surveyors=surveyors,
        earlier=earlier,
        against=rival_digest,
        begun_as=begun_digest,
    )
    words = words_for()
    if policy_of is not None:
        _train_policy(plan, folder, policy_of)
        return
    with bar() as shown_bar:
        task = shown_bar.add_task(words.say("Training"), total=batches)
        net = train_net(
            plan,
            folder,
            lambda done: shown_bar.update(task, completed=done.batch + 1),
            against=rival,
            begun_as=begun,
        )
        won, lost = trial(plan, net, rival, games)
    with written_whole(folder / "course.svg") as file:
        file.write(learning_curve(read_log(folder / LOG), players, against is not None))
    typer.echo(words.say("The net is in {file}.", file=str(folder / NET)))
    typer.echo(
        words.say(
            "Among its opponents, one copy of the net wins {won}%; among copies of the net, "
            "one opponent wins {lost}%.",
            won=f"{100 * won:.1f}",
            lost=f"{100 * lost:.1f}",
        )
    )


def _train_policy(plan: Plan, folder: Path, policy_of: Path) -> None:
    """Train a policy net for the value net in this file."""
    from lastspike.lab.train.policy_learning import POLICY, train_policy

    value, digest = _net_in(policy_of, plan.players)
    assert value is not None
    plan = plan._replace(begun_as=digest, explore=EXPLORE_FOR_POLICY)
    words = words_for()
    with bar() as shown_bar:
        task = shown_bar.add_task(words.say("Training"), total=plan.batches)
        train_policy(
            plan, folder, value, lambda number, _: shown_bar.update(task, completed=number + 1)
        )
    typer.echo(words.say("The net is in {file}.", file=str(folder / POLICY)))


def _net_in(path: Path | None, players: int) -> tuple[Net, str] | tuple[None, None]:
    """The net in a file, if one is given, and the digest of its bytes."""
    if path is None:
        return None, None
    from lastspike.bots.tycoon.weights import read_net

    content = path.read_bytes()
    return read_net(content, path.name, players), sha256(content).hexdigest()
