"""What axe-core finds on a screen that would keep people out."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# What passes is not described, which would take longer than the rules do.
_RUN = """async (only) => {
  const options = { resultTypes: ["violations"], selectors: false };
  if (only) options.runOnly = only;
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map((node) =>
    `${id}: ${help}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? "").slice(-200)})`));
}"""
_COLOURS = ["color-contrast", "link-in-text-block"]


def violations(page: Page, *, of_colours: bool = False) -> list[str]:
    """One line for each fault on the screen that is shown. All rules are tried, or those of colours
    alone: dark screens differ from light ones in nothing else."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_RUN, _COLOURS if of_colours else None)
    return found
