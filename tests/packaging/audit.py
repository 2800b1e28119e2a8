"""`make audit`: known vulnerabilities of the pinned versions, by pip-audit. Needs a network.

pip-audit also succeeds when it could look up nothing; this doesn't.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PINS = Path(__file__).parents[2] / "constraints.txt"
OPTIONS = ("--no-deps", "--disable-pip", "--progress-spinner=off", "--format=json")


class Verdict(NamedTuple):
    """What to print, and the exit status: 0 none known, 1 some known, 2 could not be audited."""

    lines: list[str]
    status: int


def verdict(answer: str, errors: str) -> Verdict:
    """What pip-audit's output means."""
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, LookupError, TypeError):
        reason = (errors.strip().splitlines() or ["it gave no answer"])[-1]
        return Verdict([f"Nothing was audited: the advisories can’t be reached ({reason})"], 2)
    skipped = [package for package in packages if "skip_reason" in package]
    if len(skipped) == len(packages):
        return Verdict(
            [
                "Nothing was audited: the advisory service knows none of these packages.",
                "Is the package index a mirror without advisories?",
            ],
            2,
        )
    lines = [f"not audited: {package['skip_reason']}" for package in skipped]
    bad = [(package, each) for package in packages for each in package.get("vulns", ())]
    for package, each in bad:
        fixed = ", ".join(each.get("fix_versions", ())) or "no version yet"
        lines.append(
            f"{package['name']} {package['version']}: {each['id']}, fixed in {fixed}\n"
            f"  {each.get('description', '').strip().partition(chr(10))[0][:300]}"
        )
    audited = len(packages) - len(skipped)
    lines.append(f"{audited} pinned versions audited, {len(bad)} known vulnerabilities.")
    return Verdict(lines, 1 if bad else 0)


def main(program: str) -> None:
    run = subprocess.run(
        [program, "--requirement", str(PINS), *OPTIONS], check=False, capture_output=True, text=True
    )
    lines, status = verdict(run.stdout, run.stderr)
    print("\n".join(lines))
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
