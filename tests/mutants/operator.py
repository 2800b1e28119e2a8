"""What keeps the operator able to act, taken away: bans, reports, new names."""

from __future__ import annotations

from .break_type import Break

OPERATOR_TESTS = "tests/server/admin/"
REVIEWS = "tests/server/http/test_reviews.py::"

OPERATOR = [
    Break(
        "a-banned-address-writes-the-path-in-another-way",
        "server/http/guard.py",
        'path = normalize_path(scope["path"])',
        'path = scope["path"]',
        (
            OPERATOR_TESTS
            + "test_operator.py::test_a_banned_address_reads_why_and_the_operator_gets_in",
        ),
    ),
    Break(
        "a-ban-that-has-ended-hides-another",
        "server/admin/bans.py",
        "                if ban is not None and ban.ends_at > now:\n"
        "                    return ban\n",
        "                if ban is not None:\n"
        "                    return ban if ban.ends_at > now else None\n",
        (OPERATOR_TESTS + "test_bans.py::test_a_ban_that_has_ended_hides_no_other",),
    ),
    Break(
        "one-address-reports-without-end",
        "server/http/reports.py",
        " or limits.address_reports.take(caller)",
        "",
        (OPERATOR_TESTS + "test_operator.py::test_one_address_can_not_fill_the_list_of_reports",),
    ),
    Break(
        "a-review-keeps-the-old-name",
        "server/http/routes/reviews.py",
        "json.dumps(names_of(state.seats))",
        'json.dumps("")',
        (REVIEWS + "test_a_review_names_nobody_as_they_were_called_before",),
    ),
]
