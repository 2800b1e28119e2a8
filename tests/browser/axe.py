"""What axe-core finds on a screen that would keep people out."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# What passes is not described, which would take longer than the rules do.
_RUN = """async ({ only, seen }) => {
  // Looking at the contrast of every text takes longest. What looks the same as on a screen before,
  // on the same background, has been looked at.
  const known = new Set(seen), hashes = [], same = [];
  const look = (part, around) => {
    const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
    const how = [part.localName, part.getAttribute("class")];
    around += [...how, color, backgroundColor, backgroundImage, opacity];
    if (part.getElementsByTagName("*").length > 2) {
      const hash = [...around + part.outerHTML]
        .reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) | 0, 0);
      if (known.has(hash)) return same.push(part);
      hashes.push(hash);
    }
    for (const child of part.children) look(child, around);
  };
  look(document.body, `${matchMedia("(prefers-color-scheme: dark)").matches} ${innerWidth}`);
  for (const part of same) part.setAttribute("data-axe-same", "");
  const selector = ":not([data-axe-same], [data-axe-same] *)";
  axe.configure({ rules: [{ id: "color-contrast", selector }] });
  const options = { resultTypes: ["violations"], selectors: false };
  if (only) options.runOnly = only;
  const { violations } = await axe.run(document, options);
  for (const part of same) part.removeAttribute("data-axe-same");
  const found = violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map((node) =>
    `${id}: ${help}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? "").slice(-200)})`));
  return { hashes, found };
}"""
_COLOURS = ["color-contrast", "link-in-text-block"]


def violations(page: Page, *, of_colours: bool = False, seen: set[int] | None = None) -> list[str]:
    """One line for each fault on the screen that is shown. All rules are tried, or those of colours
    alone: dark screens differ from light ones in nothing else.

    `seen` is kept from screen to screen: parts whose contrast was looked at on one are not looked
    at again where they look the same. All other rules look at everything.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    seen = set() if seen is None else seen
    told = page.evaluate(_RUN, {"only": _COLOURS if of_colours else None, "seen": sorted(seen)})
    seen.update(told["hashes"])
    found: list[str] = told["found"]
    return found
