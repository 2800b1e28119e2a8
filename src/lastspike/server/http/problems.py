"""Errors as answers: in the caller's language, without internal details."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from lastspike.rules.errors import LastSpikeError
from lastspike.server.live.problems import problem_of, unexpected
from lastspike.server.monitoring import metrics
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound, Refusal, TooLarge, TooMany
from lastspike.words.language import words_for

from .language import language_for


def problem_body(error: LastSpikeError, language: str) -> bytes:
    return msgspec.json.encode(problem_of(error, words_for(language)))


def status_of(error: LastSpikeError) -> int:
    if isinstance(error, StorageDown):
        return 503
    return error.status if isinstance(error, Refusal) else 400


def headers_of(error: LastSpikeError) -> dict[str, str]:
    wait = error.retry_after if isinstance(error, TooMany) else None
    return {} if wait is None else {"retry-after": str(wait)}


def problem_response(error: LastSpikeError, language: str) -> Response[bytes]:
    """The whole HTTP response."""
    return Response(
        problem_body(error, language),
        status_code=status_of(error),
        headers={**headers_of(error), "cache-control": "no-store"},
        media_type=MediaType.JSON,
    )


class _NoSuchMethod(Refusal):
    status = 405


def _answer(request: Request[Any, Any, Any], error: LastSpikeError) -> Response[bytes]:
    status = status_of(error)
    reason = "error" if status >= 500 else HTTPStatus(status).phrase.lower().replace(" ", "_")
    metrics.REFUSED.labels(reason).inc()
    return problem_response(error, language_for(request.headers.get("accept-language")))


def _ours(request: Request[Any, Any, Any], error: LastSpikeError) -> Response[bytes]:
    return _answer(request, error)


def _malformed(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return _answer(request, _told(str(error)))


def http_problem(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """The answer to an error of the framework's own, such as an unknown path."""
    answer = _answer(request, _translated(error))
    if error.headers and "allow" in error.headers:  # which a 405 has to carry
        answer.headers["allow"] = error.headers["allow"]
    return answer


def _foreign(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return _answer(request, unexpected(error))


def _translated(error: HTTPException) -> LastSpikeError:
    if isinstance(error, ValidationException):
        return _told(_first_reason(error))
    match error.status_code:
        case 401 | 403:
            return NotAllowed("this is not allowed")
        case 404:
            return NotFound("there is nothing here")
        case 405:
            return _NoSuchMethod("this can’t be done here")
        case 409:
            return Conflict("this has changed in the meantime; reload and try again")
        case 413:
            return TooLarge("this is too large")
        case 429:
            return TooMany("too many requests; please wait a moment")
        case status if status >= 500:
            return unexpected(error)
        case _:  # such as a body that is no JSON, of which the detail says where
            return _told(_first_reason(error))


def _first_reason(error: HTTPException) -> str:
    """What Litestar says of the first invalid field: its name and what it accepts."""
    extra = error.extra
    first = extra[0] if isinstance(extra, list) and extra else None
    if isinstance(first, Mapping) and isinstance(first.get("message"), str):
        key = first.get("key")
        return f"{first['message']} ({key})" if key else str(first["message"])
    cause = error.__cause__
    if isinstance(cause, msgspec.MsgspecError):
        return str(cause)
    return ""


def _told(reason: str) -> LastSpikeError:
    if not reason:
        return LastSpikeError("this request can’t be understood")
    return LastSpikeError(
        "this request can’t be understood: {reason}", reason=_one_line(reason)[:200]
    )


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    LastSpikeError: _ours,
    msgspec.ValidationError: _malformed,
    msgspec.DecodeError: _malformed,
    # Not caught by msgspec: endlessly nested lists, and bytes that are not text.
    RecursionError: _malformed,
    UnicodeDecodeError: _malformed,
    HTTPException: http_problem,
    Exception: _foreign,
}
"""For `Litestar(exception_handlers=…)`: every error becomes a `Problem`."""
