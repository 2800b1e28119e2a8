"""E-mail with names and addresses that strangers chose: what goes to the SMTP server, byte by byte,
and how one message can't hold up others."""

from __future__ import annotations

from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lastspike.rules.errors import LastSpikeError
from lastspike.server.alerts import mail as module
from lastspike.server.alerts.headers import mail_bytes
from lastspike.server.alerts.mail import MailSender, check_address
from lastspike.server.alerts.messages import Item, alert_mail, confirmation_mail
from lastspike.server.config.settings import Config
from lastspike.server.table.text import clean_name
from tests.server.company import until

from .receivers import Mailbox

pytestmark = pytest.mark.anyio

SENDER = "spike@example.org"
HEADERS = [
    *("Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Type"),
    *("Content-Transfer-Encoding", "MIME-Version", "List-Unsubscribe", "List-Unsubscribe-Post"),
    *("From", "To"),
]
UTF16 = "=?utf-16?q?+=A0=A0?="
BREAKING = (
    "=?x?q?=0aBcc:me@x.co?=",
    "=?x?q?=0a=0aGo_to_e.vu?=",
    "=?x?b?=3E.?=",
    "=?x?q?a?= =?x?q?=0aB:c?=",
    "Zoë =?x?q?=0aB:c?=",
)
"""Names that Python's e-mail package writes as other headers, as text, or not at all."""
WORDS = st.builds(
    "=?{}?{}?{}?=".format,
    st.sampled_from(["x", "utf-8", "utf-7", "utf-16", "unknown-8bit"]),
    st.sampled_from("qb"),
    st.lists(st.sampled_from(["=0a", "=0D", "=3E", "=A0", "=00", "a", "+", "_", ":"])).map("".join),
)
NAMES = st.lists(WORDS | st.text(max_size=4), min_size=1, max_size=3).map("".join)


def alert(name: str) -> EmailMessage:
    item = Item("seat_taken", "t", (name,), name)
    return alert_mail([item], "https://x.org", "en", "https://x.org/unsubscribe/t")


def head(data: bytes) -> list[str]:
    return data.partition(b"\r\n\r\n")[0].decode("ascii").replace("\r\n ", "\n ").split("\r\n")


def check_alert(data: bytes, name: str) -> None:
    """Its headers are the usual ones, and the subject reads as the sentence."""
    lines = head(data)
    assert [line.partition(":")[0] for line in lines] == HEADERS
    subject = lines[0].removeprefix("Subject: ").replace("\n", "")
    plain = f"{name} has taken a seat at your table."
    assert str(make_header(decode_header(subject))) == plain
    assert subject == plain or subject.startswith("=?utf-8?")


@given(name=NAMES, local=WORDS | st.text("=?.aA+", min_size=1, max_size=9))
@example(BREAKING[0], "=?utf-8?q??=")
@example(BREAKING[1], UTF16)
@example("Ada", "a+b")
def test_names_and_addresses_stay_text(name: str, local: str) -> None:
    try:
        cleaned = clean_name(name)
    except LastSpikeError:
        cleaned = "Ada"
    mail = alert(cleaned)
    mail["From"], mail["To"] = SENDER, "ada@example.org"
    check_alert(mail_bytes(mail), cleaned)
    try:
        to = check_address(f"{local}@example.org")
    except LastSpikeError:
        assert local != "a+b"
        return
    assert "=?" not in to
    mail = confirmation_mail("https://x.org/alerts#confirm=t", "ja")
    mail["To"] = to
    assert head(mail_bytes(mail))[-1] == f"To: {to}"


def test_headers_that_were_not_set_are_noticed() -> None:
    class Torn(str):
        name = "Subject"

        def fold(self, **_: Any) -> str:
            return f"Subject: {self}\r\n"

    for text in ("a\r\nBcc: b@x.org", "a\r\n\r\nb", "a\nb", "a\rb", "a\x00b"):
        mail = alert("Ada")
        mail._headers[0] = ("Subject", Torn(text))  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match="headers"):
            mail_bytes(mail)


async def test_no_message_holds_up_or_ends_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.05)
    tried: list[str] = []
    done: list[bool] = []

    class Sender(MailSender):
        def _deliver(self, waiting: Any) -> None:
            tried.append(waiting.to.partition("@")[0])
            if waiting.to == "odd@example.org":
                raise UnicodeEncodeError("ascii", waiting.to, 0, 1, "no such letter")
            super()._deliver(waiting)

    with Mailbox() as box:
        box.refusals["full@example.org"] = ["550 No"] * 4
        box.refusals["later@example.org"] = ["450 Later"] * 2
        box.refusals["never@example.org"] = ["450 Later"] * 9
        config = Config(
            smtp_host="127.0.0.1", smtp_port=box.port, smtp_security="none", mail_from=SENDER
        )
        sender = Sender(config, on_done=done.append)
        await sender.start()
        sender.send("two\nlines@example.org", alert("Ada"))
        for to in ("odd", "full", "later", "never"):
            sender.send(f"{to}@example.org", alert("Ada"))
        for name in BREAKING:
            sender.send("ada@example.org", alert(name))
        count = 4 + len(BREAKING) + 1
        await until(lambda: len(done) == count)
        await sender.close()
        for data, name in zip(box.raw, BREAKING, strict=False):
            check_alert(data, name)
    assert tried[: 4 + len(BREAKING)] == ["odd", "full", "later", "never", *["ada"] * len(BREAKING)]
    assert sorted(tried[4 + len(BREAKING) :]) == ["later"] * 2 + ["never"] * 3
    sent = [each["X-Envelope-To"] for each in box.mails]
    assert sent == ["ada@example.org"] * len(BREAKING) + ["later@example.org"]
    assert done.count(False) == 4
    assert "UnicodeEncodeError" in caplog.text
    assert "@example.org" not in caplog.text


async def test_a_sender_that_failed_can_be_closed() -> None:
    class Failing(MailSender):
        async def _next(self) -> Any:
            raise RuntimeError

    sender = Failing(Config(smtp_host="127.0.0.1", mail_from=SENDER))
    await sender.start()
    await until(lambda: sender._task is not None and sender._task.done())
    await sender.close()
