"""Which tests run on one worker, one after the other: they share a server, a browser or a process.

pytest-xdist has `--dist loadgroup` for this, but its marks have no effect with pytest 9.2. So a
scheduler of our own asks `group_of`; without another group, the tests of a file belong together.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

GROUPS = {
    "browser-1": ("browser/test_every_screen", "browser/test_panel", "browser/test_review"),
    "browser-2": (
        "browser/test_alerts",
        "browser/test_edition",
        "browser/test_friends",
        "browser/test_home",
        "browser/test_keyboard",
        "browser/test_lesson",
        "browser/test_lines",
        "browser/test_rules",
        "browser/test_verify",
    ),
    "browser-3": ("browser/",),
    "servers": (
        "server/live/test_connections",
        "server/live/test_games",
        "server/people/test_devices",
        "server/people/test_links",
    ),
    "servers-webhooks": (
        "server/alerts/test_personal",
        "server/alerts/test_when",
        "server/people/test_history",
    ),
    "own-postgres": ("server/storage/test_failing", "server/storage/test_notifications"),
    "mutants": ("rules/test_mutants", "rules/test_coverage"),
}
"""Files by how their paths begin. The first group that fits counts."""

FIRST = (
    "browser-1",
    "browser-2",
    "browser-3",
    "server/test_nothing_lost",
    "server/live/test_clock_downtime",
    "servers",
    "server/live/",
    "cli/test_arena",
    "cli/test_terminal",
    "cli/test_cluster",
    "own-postgres",
    "review/",
    "mutants",
    "docs/test_documentation",
    "server/",
    "lab/",
    "bots/",
    "cli/",
    "batch/",
    "client/",
)
"""Groups that take long, by how their names begin, in this order: a long one at the end would leave
the other workers with nothing to do. Browsers compute without a pause, and tests of the server wait
for clocks most of the time: side by side they use the cores best."""


def group_of(nodeid: str) -> str:
    file = nodeid.partition("::")[0].removeprefix("tests/").removesuffix(".py")
    return next((group for group, files in GROUPS.items() if file.startswith(files)), file)


def rank(nodeid: str) -> tuple[int, str]:
    """The place of a test in the run."""
    group = group_of(nodeid)
    places = (place for place, start in enumerate(FIRST) if group.startswith(start))
    return next(places, len(FIRST)), group


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
