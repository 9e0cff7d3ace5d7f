# Written by `npm run generate` from openapi.json and clients/python/runtime.py. Change those instead.
"""The Countersign API for Python: every operation, with safe retries, lists, files and webhooks.

One file, Python 3.9 or newer, nothing to install. Take it from your own instance, so that it fits your server:

    curl -O https://sign.example.com/docs/downloads/countersign.py

    from countersign import Countersign
    cs = Countersign("https://sign.example.com", api_key=os.environ["COUNTERSIGN_API_KEY"])
    envelope = cs.envelopes.create({"envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com"})
    for one in cs.envelopes.list(status="sent"):
        print(one["envelope_id"])
"""

from __future__ import annotations

import base64
import binascii
import email.message
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import socket
import ssl
import tempfile
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

Json = Dict[str, Any]
#: A file to upload: bytes, the path of a file, an open binary file, or a name with one of these.
FileInput = Union[bytes, "os.PathLike[str]", Any, Tuple[str, Any]]

MAX_FILE_BYTES = 52_428_800


# Errors --------------------------------------------------------------------------------------------------------------


class CountersignError(Exception):
    """An error response, or no response (`APIConnectionError`). `code` is that of docs/errors.md."""

    def __init__(self, message: str, status: int, code: Optional[str], details: List[Json], request_id: Optional[str]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details
        #: include it when you ask for help
        self.request_id = request_id


class AuthenticationError(CountersignError):
    """401"""


class PermissionDeniedError(CountersignError):
    """403"""


class NotFoundError(CountersignError):
    """404"""


class ConflictError(CountersignError):
    """409 and 412. `candidates`: the customers, if several have the e-mail address."""

    candidates: List[Json] = []


class ValidationError(CountersignError):
    """400, 413, 415 and 422"""

    def for_field(self, field: str) -> List[Json]:
        return [detail for detail in self.details if detail.get("field") == field]


class RateLimitError(CountersignError):
    """429. `retry_after`: in seconds."""

    retry_after: float = 60.0


class ServerError(CountersignError):
    """500 and above"""


class APIConnectionError(CountersignError):
    """There was no response, or it was cut off."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 0, None, [], None)


class EnvelopeEndedError(Exception):
    """`wait_for` stopped because the envelope was declined, was voided or has expired."""

    def __init__(self, envelope_id: str, status: str) -> None:
        super().__init__(f"{envelope_id} is {status}")
        self.envelope_id = envelope_id
        self.status = status


class WaitTimeoutError(Exception):
    """`wait_for` stopped because the envelope did not reach the status in time."""


def _error_of(name: str, status: int, headers: email.message.Message, text: str) -> CountersignError:
    body = _json_or_none(text)
    if not isinstance(body, dict) or not isinstance(body.get("error"), str):
        # An error page of a proxy; its beginning is enough.
        body = {"error": text[:200]}
    details = body.get("details") or []
    fields = [f"{one.get('field')} {one.get('message')}" for one in details if one.get("field") and one.get("message") != body["error"]]
    more = f" ({'; '.join(fields[:3])})" if fields else ""
    kind = _ERRORS.get(status, ServerError if status >= 500 else CountersignError)
    error = kind(f"{name}: {status} {body['error']}{more}", status, headers.get("x-error-code"), details, headers.get("x-request-id"))
    if isinstance(error, ConflictError):
        error.candidates = body.get("candidates") or []
    if isinstance(error, RateLimitError):
        wait = _retry_after(headers)
        error.retry_after = 60.0 if wait is None else wait
    return error


_ERRORS = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitError,
}


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


# Requests ------------------------------------------------------------------------------------------------------------

_LONGEST_WAIT = 90.0
_REPEATED_STATUSES = (408, 502, 503, 504)
# Conflicts that end by themselves: nothing was carried out, and a retry can succeed.
_REPEATED_CONFLICTS = ("idempotency_in_progress", "document_not_ready")


class Response(NamedTuple):
    status: int
    headers: email.message.Message
    #: what the body has under `data`; None without a body
    data: Any
    #: of a list
    meta: Optional[Json]


class _Caller:
    """Sends requests, with credentials, timeouts and retries."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        token: Optional[Callable[[], str]],
        timeout: float,
        file_timeout: float,
        max_retries: int,
        on_rate_limit: str,
        context: Optional[ssl.SSLContext],
        sleep: Callable[[float], None],
    ) -> None:
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"base_url must be the address of the service, such as https://sign.example.com; it is {base_url}")
        if (api_key is None) == (token is None):
            raise ValueError("give either api_key or token")
        # A line end, as a file has it, would fail later, with an error that shows the key.
        if api_key is not None and not re.fullmatch(r"\w+", api_key, re.ASCII):
            raise ValueError("api_key must be lk_ and 40 digits or letters, without spaces or line ends")
        if on_rate_limit not in ("wait", "raise"):
            raise ValueError('on_rate_limit must be "wait" or "raise"')
        self._parts = parts
        self._root = re.sub(r"/api/v2$", "", parts.path.rstrip("/"))
        self._api_key = api_key
        self._token = token
        self._timeout = timeout
        self._file_timeout = file_timeout
        self._max_retries = max_retries
        self._on_rate_limit = on_rate_limit
        self._context = context
        self.sleep = sleep

    def data(self, method: str, path: str, **given: Any) -> Any:
        return self.response(method, path, **given).data

    def response(self, method: str, path: str, **given: Any) -> Response:
        name, connection, answer = self.send(method, path, **given)
        try:
            text = self._read(name, answer)
        finally:
            connection.close()
        body = _json_or_none(text) if text else {}
        if not isinstance(body, dict):
            raise APIConnectionError(f"{name}: the response is not JSON. Is base_url the address of Countersign?")
        return Response(answer.status, answer.headers, body.get("data"), body.get("meta"))

    def download(self, method: str, path: str, **given: Any) -> "Download":
        return Download(*self.send(method, path, is_file=True, **given))

    def send(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, object]] = None,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[Mapping[str, object]] = None,
        form: Optional[Mapping[str, Any]] = None,
        idempotent: bool = False,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
        is_file: bool = False,
    ) -> Tuple[str, http.client.HTTPConnection, http.client.HTTPResponse]:
        """The name of the request for messages, and its answer. The caller closes the connection."""
        sent = dict(headers or {})
        if idempotent:
            # All attempts share one key, by which the service recognizes them as one request.
            sent["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            sent["if-match"] = if_match
        content_type, content = _body_of(body, form)
        if content is not None:
            sent["content-type"] = content_type
        carries_file = is_file or content_type.startswith("multipart/")
        limit = timeout if timeout is not None else (self._file_timeout if carries_file else self._timeout)
        filled = _fill(path, params or {})
        url = self._root + ("" if path.startswith("/p/api/") else "/api/v2") + filled + _query_of(query or {})
        name = f"{method} {filled}"
        return name, *self._attempts(name, method, url, sent, content, limit, method != "POST" or idempotent)

    def _attempts(
        self, name: str, method: str, url: str, headers: Mapping[str, str], content: Optional[bytes], timeout: float, is_repeatable: bool
    ) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        retries, has_waited_for_rate = 0, False
        while True:
            connection = self._connection(timeout)
            error: CountersignError
            wait: Optional[float] = None
            try:
                # Connecting is a step of its own: if it fails, the service cannot have received the request.
                connection.connect()
            except (OSError, http.client.HTTPException) as cause:
                error, can_repeat = self._no_response(name, cause), True
            else:
                try:
                    connection.request(method, url, body=content, headers={**self._credential(), **headers})
                    answer = connection.getresponse()
                    if answer.status < 300 or answer.status == 304:
                        return connection, answer
                    text = self._read(name, answer)
                except (OSError, http.client.HTTPException) as cause:
                    error, can_repeat = self._no_response(name, cause), is_repeatable
                except APIConnectionError as cut:
                    error, can_repeat = cut, is_repeatable
                except BaseException:
                    connection.close()
                    raise
                else:
                    error = self._refusal(name, answer, text)
                    wait = _retry_after(answer.headers)
                    can_repeat = _is_worth_repeating(error, is_repeatable)
            connection.close()
            if isinstance(error, RateLimitError):
                # A request over the limit was not carried out, so repeating it is safe.
                if self._on_rate_limit == "raise" or has_waited_for_rate or error.retry_after > _LONGEST_WAIT:
                    raise error
                has_waited_for_rate = True
                self.sleep(error.retry_after)
                continue
            if not can_repeat or retries >= self._max_retries:
                raise error
            pause = min(0.5 * 2**retries, 30.0) * (0.5 + random.random()) if wait is None else wait
            if pause > _LONGEST_WAIT:
                raise error
            retries += 1
            self.sleep(pause)

    def _refusal(self, name: str, answer: http.client.HTTPResponse, text: str) -> CountersignError:
        if 300 <= answer.status < 400:
            # Following a redirect would send the key to another host.
            where = answer.headers.get("location") or "another address"
            message = f"{name}: {answer.status} redirects to {where}. Redirects are not followed. Is base_url the address of Countersign?"
            return CountersignError(message, answer.status, None, [], answer.headers.get("x-request-id"))
        return _error_of(name, answer.status, answer.headers, text)

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=timeout)
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context or ssl.create_default_context())

    def _credential(self) -> Dict[str, str]:
        agent = {"user-agent": f"countersign-python/{VERSION}", "accept": "*/*"}
        if self._api_key is not None:
            return {**agent, "x-api-key": self._api_key}
        return {**agent, "authorization": f"Bearer {self._token() if self._token is not None else ''}"}

    def _read(self, name: str, answer: http.client.HTTPResponse) -> str:
        try:
            return answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as cause:
            raise self._no_response(name, cause) from cause

    def _no_response(self, name: str, cause: BaseException) -> APIConnectionError:
        what = "no response in time" if isinstance(cause, socket.timeout) else f"no response from {self._parts.netloc}"
        error = APIConnectionError(f"{name}: {what} ({cause})")
        error.__cause__ = cause
        return error


def _is_worth_repeating(error: CountersignError, is_repeatable: bool) -> bool:
    if error.status == 409:
        return error.code in _REPEATED_CONFLICTS
    return is_repeatable and error.status in _REPEATED_STATUSES


def _retry_after(headers: email.message.Message) -> Optional[float]:
    """Seconds or a date (RFC 9110, 10.2.3)."""
    given = headers.get("retry-after")
    if given is None:
        return None
    if re.fullmatch(r"\d{1,9}", given):
        return float(given)
    try:
        at = email.utils.parsedate_to_datetime(given)
    except (TypeError, ValueError):
        return None
    return max(0.0, at.timestamp() - time.time())


def _fill(path: str, params: Mapping[str, object]) -> str:
    """Refuses an empty ID, which would call the list instead, and `.` and `..`, which would change the path."""

    def value_of(match: "re.Match[str]") -> str:
        value = str(params[match[1]])
        if value in ("", ".", "..", "None"):
            raise ValueError(f'{match[1]} must be an ID; it is "{value}"')
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{(\w+)\}", value_of, path)


def _query_of(query: Mapping[str, object]) -> str:
    given = [(name, _text_of(value)) for name, value in query.items() if value is not None]
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in value)
    return str(value.isoformat() if hasattr(value, "isoformat") else value)


# Files ---------------------------------------------------------------------------------------------------------------


def _body_of(body: Optional[Mapping[str, object]], form: Optional[Mapping[str, Any]]) -> Tuple[str, Optional[bytes]]:
    if body is None:
        return "", None
    if form is None or not (form["only"] or any(body.get(name) is not None for name in form["files"])):
        return "application/json", json.dumps(body, allow_nan=False).encode()
    boundary = f"countersign-{uuid.uuid4()}"
    chunks: List[bytes] = []
    for name, value in body.items():
        if value is None:
            continue
        disposition = f'form-data; name="{_quoted(name)}"'
        if name in form["files"]:
            file_name, content = _file_of(name, value)
            disposition += f'; filename="{_quoted(file_name)}"\r\ncontent-type: application/octet-stream'
        else:
            content = (json.dumps(value, allow_nan=False) if name in form["json"] else _text_of(value)).encode()
        # On some systems the name of a file is bytes that are no text.
        head = f"--{boundary}\r\ncontent-disposition: {disposition}\r\n\r\n".encode("utf-8", "replace")
        chunks += [head, content, b"\r\n"]
    chunks.append(f"--{boundary}--\r\n".encode())
    return f"multipart/form-data; boundary={boundary}", b"".join(chunks)


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _file_of(part: str, value: Any) -> Tuple[str, bytes]:
    if isinstance(value, tuple):
        return value[0], _file_of(part, value[1])[1]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "file", _checked(part, bytes(value))
    if isinstance(value, os.PathLike):
        # Checked before it is read.
        _check_size(os.fspath(value), os.stat(value).st_size)
        with open(value, "rb") as opened:
            return os.path.basename(os.fspath(value)), _checked(part, opened.read(MAX_FILE_BYTES + 1))
    if hasattr(value, "read"):
        content = value.read(MAX_FILE_BYTES + 1)
        if isinstance(content, bytes):
            return os.path.basename(str(getattr(value, "name", "file"))), _checked(part, content)
    raise TypeError(f"{part} must be bytes, a pathlib.Path, an open binary file, or a tuple of a name and one of these")


def _checked(part: str, content: bytes) -> bytes:
    _check_size(part, len(content))
    return content


def _check_size(what: str, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise ValueError(f"{what} is too large: the limit is {MAX_FILE_BYTES} bytes (50 MB)")


class Download:
    """A downloaded file. Its content can be read once, with `bytes`, `chunks`, `save_to` or `json`."""

    def __init__(self, name: str, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self._name = name
        self._connection = connection
        self._answer = answer
        self._is_read = False
        self.headers = answer.headers
        self.content_type = answer.headers.get("content-type") or "application/octet-stream"
        #: the name that the service suggests, without folders
        self.file_name = _file_name_of(answer.headers)

    def chunks(self, size: int = 65_536) -> Iterator[bytes]:
        """Raises an APIConnectionError if the connection is lost before the file is complete."""
        if self._is_read:
            raise RuntimeError(f"{self._name}: this download has already been read. Download the file again")
        self._is_read = True
        length = self._answer.length
        read = 0
        try:
            while True:
                chunk = self._answer.read(size)
                if not chunk:
                    break
                read += len(chunk)
                yield chunk
            # A read of a part returns what there is, also if the connection ended early.
            if length is not None and read < length:
                raise http.client.IncompleteRead(b"", length - read)
        except (OSError, http.client.HTTPException) as cause:
            raise APIConnectionError(f"{self._name}: the connection was lost before the file was complete") from cause
        finally:
            self._connection.close()

    def bytes(self) -> bytes:
        return b"".join(self.chunks())

    def json(self) -> Any:
        """The data, for operations that can return either a file or data."""
        if not self.content_type.startswith("application/json"):
            raise TypeError(f"{self._name}: json() requires application/json; the response is {self.content_type}")
        return json.loads(self.bytes())["data"]

    def save_to(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Creates the file when the download is complete, and replaces an existing one."""
        folder = os.path.dirname(os.path.abspath(path))
        descriptor, temporary = tempfile.mkstemp(prefix=".countersign-", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for chunk in self.chunks():
                    file.write(chunk)
            # Files of mkstemp are for their owner alone.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def close(self) -> None:
        """Ends a download that you do not want to read."""
        self._is_read = True
        self._connection.close()


def _file_name_of(headers: email.message.Message) -> Optional[str]:
    disposition = headers.get("content-disposition") or ""
    extended = re.search(r"filename\*=UTF-8''([^;\s]+)", disposition, re.IGNORECASE)
    plain = re.search(r'filename="([^"]*)"', disposition, re.IGNORECASE)
    name = urllib.parse.unquote(extended[1]) if extended else (plain[1] if plain else "")
    name = re.split(r"[/\\]", name)[-1]
    return None if name in ("", ".", "..") else name


# Lists ---------------------------------------------------------------------------------------------------------------


class Page(NamedTuple):
    data: List[Json]
    meta: Json


class ListCall:
    """A list. Iterating reads the rows of all pages; `page()` reads one page.

    Lists are newest first, so new rows push others onto the next page. Rows whose ID was already returned are left out. A list that has
    more rows than the service counts (`total_capped`) ends with a ValidationError, `page_too_deep`.
    """

    def __init__(self, read: Callable[[Dict[str, Any]], Page], query: Dict[str, Any], key: Optional[str]) -> None:
        self._read = read
        self._query = query
        self._key = key

    def page(self) -> Page:
        return self._read(self._query)

    def __iter__(self) -> Iterator[Json]:
        seen = set()
        page = self.page()
        while True:
            for row in page.data:
                known = json.dumps(row, sort_keys=True) if self._key is None else row.get(self._key)
                if known in seen:
                    continue
                seen.add(known)
                yield row
            number, limit, total = page.meta["page"], page.meta["limit"], page.meta["total"]
            # The service refuses the page after the last one that it counted. Ending there would look as if that were all.
            if len(page.data) < limit or (number * limit >= total and not page.meta.get("total_capped")):
                return
            page = self._read({**self._query, "page": number + 1, "limit": limit})


class _Resource:
    def __init__(self, caller: _Caller) -> None:
        self._caller = caller

    def _list(self, path: str, params: Dict[str, object], query: Dict[str, Any], key: Optional[str], timeout: Optional[float]) -> ListCall:
        def read(asked: Dict[str, Any]) -> Page:
            answer = self._caller.response("GET", path, params=params, query=asked, timeout=timeout)
            return Page(answer.data, answer.meta or {})

        return ListCall(read, query, key)


class _Waiting(_Resource):
    """What `envelopes` has besides the operations."""

    _ORDER = ("pending", "uploaded", "preparing", "sent", "viewed", "completed", "vaulted")
    _ENDED = ("declined", "voided", "expired")

    def wait_for(self, envelope_id: str, *, until: str, timeout: float) -> Json:
        """Waits until the envelope has the status `until` (sent, viewed, completed or vaulted) or a later one, and returns its status.

        Asks every 2 s at first, then less often, up to every 15 s; webhooks tell you sooner. `timeout` is in seconds.
        """
        if until not in self._ORDER[3:]:
            raise ValueError(f"until must be one of {', '.join(self._ORDER[3:])}; it is {until!r}")
        end = time.monotonic() + timeout
        known: Json = {}
        tag: Optional[str] = None
        pause = 2.0
        while True:
            headers = {} if tag is None else {"if-none-match": tag}
            answer = self._caller.response(
                "GET", "/partner/envelopes/{envelope_id}/status", params={"envelope_id": envelope_id}, headers=headers
            )
            if answer.status != 304:
                known, tag = answer.data, answer.headers.get("etag")
            status = known["status"]
            if status in self._ENDED:
                raise EnvelopeEndedError(envelope_id, status)
            if status in self._ORDER and self._ORDER.index(status) >= self._ORDER.index(until):
                return known
            left = end - time.monotonic()
            if left <= 0:
                raise WaitTimeoutError(f"{envelope_id} is still {status} after {timeout} s")
            self._caller.sleep(min(pause, left))
            pause = min(pause * 1.5, 15.0)


# Webhooks ------------------------------------------------------------------------------------------------------------


class WebhookVerificationError(Exception):
    """The delivery could not be verified. Respond with 400 and log `reason`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: bytes,
    headers: Any,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> Json:
    """Checks that a delivery comes from Countersign and is recent, and returns its event.

    `body` must be the raw bytes: parsing and writing them again would change the signature. `headers` has names in any case. `secret` is
    the endpoint's secret (`whsec_…`), or several. Raises a WebhookVerificationError, and a ValueError if a secret is malformed.
    """
    keys = [_webhook_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("at least one secret is required")
    lowered = {str(name).lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not isinstance(lowered.get(name), str) or lowered[name] == "":
            raise WebhookVerificationError("missing_header", f"the header {name} is missing")
    timestamp = lowered["webhook-timestamp"]
    # Digits of ASCII only: int() would also accept others, and spaces.
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("malformed_timestamp", "the header webhook-timestamp is not a number")
    age = (time.time() if now is None else now) - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("too_old", "the delivery was signed too long ago")
    if age < -tolerance:
        raise WebhookVerificationError("too_new", "the delivery was signed in the future")
    signed = f"{lowered['webhook-id']}.{timestamp}.".encode() + body
    # There are two signatures while a secret is rotated.
    given = [one[3:] for one in lowered["webhook-signature"].split(" ")[:8] if one.startswith("v1,")]
    valid = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys]
    if not any(hmac.compare_digest(one.encode(), other.encode()) for one in given for other in valid):
        raise WebhookVerificationError("wrong_signature", "the delivery was not signed with this secret")
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        event = None
    if not isinstance(event, dict) or "event_id" not in event:
        raise WebhookVerificationError("malformed_body", "the signature is valid, but the body is not an event")
    return event


def _webhook_key(secret: str) -> bytes:
    try:
        return base64.b64decode(re.sub(r"^whsec_", "", secret), validate=True)
    except (binascii.Error, ValueError) as cause:
        raise ValueError("the secret must be whsec_ followed by base64, as shown when the endpoint was created") from cause


# The version of the API description that this file was written from.
VERSION = "0.1.0"


# Operations --------------------------------------------------------------------------------------------------------------------


class SessionsResource(_Resource):
    def log_in(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Log in with e-mail and password.

        Starts a session in the organization `org_id`, or in the one that the user used last. The token works for 15 minutes;
        renew it with `POST /auth/refresh`. A wrong e-mail address, password or organization returns the same 401, and too many
        attempts return 429. For a user with a second factor the response is 202 with the status `second_factor_required` and a
        `login_token`; complete the log-in with `POST /auth/login/second-factor`. For an organization that requires single
        sign-on, a correct password returns 403 `sso_required`, and for one that does not allow your address 403
        `address_not_allowed`. Programs should use an API key where possible.

        `body`: email, password, [org_id], [mode]
        """
        return self._caller.data("POST", "/auth/login", body=body, timeout=timeout)

    def refresh(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Refresh a session.

        Exchanges a refresh token for a new token and the next refresh token; each refresh token works once, within 24 hours.
        Using one twice ends the session. With `org_id` the session switches to another of the user's organizations, or to a
        sandbox and back. A session ends 7 days after log-in.

        `body`: [refresh_token], [org_id]
        """
        return self._caller.data("POST", "/auth/refresh", body={} if body is None else body, timeout=timeout)

    def log_out(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Sign out.

        Ends the session of the token in `Authorization`, of the refresh token, or of both. Their tokens stop working with the
        next request. Ending a session that has already ended is not an error.

        `body`: [refresh_token]
        """
        return self._caller.data("POST", "/auth/logout", body={} if body is None else body, timeout=timeout)

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List your sessions.

        Lists the caller's own sessions in this organization that have not ended, newest first.
        """
        return self._list("/auth/sessions", {}, {"page": page, "limit": limit}, "session_id", timeout)

    def end(self, session_id: Any, *, timeout: Optional[float] = None) -> Any:
        """End one of your sessions.

        Ends one of the caller's own sessions in this organization, for example on a lost device. Its tokens stop working with the
        next request. Sessions of other people and sessions that have ended return 404.
        """
        return self._caller.data("DELETE", "/auth/sessions/{session_id}", params={"session_id": session_id}, timeout=timeout)

    def end_others(self, *, timeout: Optional[float] = None) -> Any:
        """End your other sessions.

        Ends all sessions of the caller except this one, in every organization of theirs and its sandboxes, for example after a
        second factor was added. Their tokens and refresh tokens stop working with the next request. A session of single sign-on
        ends only those in its own organization. Each organization in which a session ended records it in its audit trail.
        """
        return self._caller.data("POST", "/auth/sessions/end-others", timeout=timeout)

    def finish_log_in(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Complete a log-in with a second factor.

        Completes a log-in that `POST /auth/login` answered with `second_factor_required`, with a code of an authenticator app, a
        recovery code or a passkey. Each code works once. A wrong code returns 401 `invalid_code`; the fifth, and a log-in older
        than 10 minutes, 401 `invalid_login_token`: log in again. After 20 wrong codes in an hour the account returns 429.

        `body`: login_token, [code], [recovery_code], [passkey], [remember_device], [mode]
        """
        return self._caller.data("POST", "/auth/login/second-factor", body=body, timeout=timeout)

    def confirm(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Confirm your identity.

        Confirms with the password, and with a second factor if you have one, or with a passkey alone, that the caller is still
        the person who logged in. Operations that need it answer 403 `reauthentication_required` when log-in and the last
        confirmation were more than 10 minutes ago. The tokens of the session stay the same. A wrong password or code returns 422,
        and too many attempts return 429.

        `body`: [password], [code], [recovery_code], [passkey]
        """
        return self._caller.data("POST", "/auth/confirm", body={} if body is None else body, timeout=timeout)

    def start_passkey(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Get options to use a passkey.

        Returns what a browser needs to ask for a passkey: to log in (`POST /auth/passkey/finish`), for the second step of a
        log-in, or to confirm who you are. The response is the same for everyone, except for the challenge, which works once, for
        5 minutes.

        `body`: 
        """
        return self._caller.data("POST", "/auth/passkey/start", body={} if body is None else body, timeout=timeout)

    def log_in_by_passkey(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Log in with a passkey.

        Starts a session in the organization `org_id`, or in the one that the user used last. A passkey needs neither password nor
        code. A passkey that is not accepted, and an organization that the user is not in, return the same 401.

        `body`: passkey, [org_id], [mode]
        """
        return self._caller.data("POST", "/auth/passkey/finish", body=body, timeout=timeout)


class MeDevicesResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List the browsers that your account knows.

        Lists the browsers in which the caller logged in during the last 180 days, the one used last first; at most 50. Failed
        log-ins elsewhere do not block them. Programs that log in are not listed. A session of single sign-on gets an empty list,
        because it is limited to its organization.
        """
        return self._caller.data("GET", "/auth/devices", timeout=timeout)

    def forget(self, device_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Forget a browser.

        The browser is new to the caller's account at its next log-in: it needs the second factor again, and the caller gets an
        e-mail about the log-in. Sessions in it go on; end them with `DELETE /auth/sessions/:session_id`.
        """
        return self._caller.data("DELETE", "/auth/devices/{device_id}", params={"device_id": device_id}, timeout=timeout)


class MeFactorsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get your second factors.

        Returns the caller's second factors and how many recovery codes are unused. Without a factor, the password alone logs in.
        """
        return self._caller.data("GET", "/auth/factors", timeout=timeout)

    def add_totp(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Add an authenticator app.

        Creates the secret of an authenticator app. Show `otpauth_url` as a QR code, then confirm the factor with a code of the
        app within 15 minutes; until then the factor has no effect. A second call replaces a factor that is not confirmed yet. A
        person has at most 2.

        `body`: [name]
        """
        return self._caller.data("POST", "/auth/factors/totp", body={} if body is None else body, timeout=timeout)

    def offer_passkey(self, *, timeout: Optional[float] = None) -> Any:
        """Get options to make a passkey.

        Returns what a browser needs to make a passkey for the caller. The options work once, for 5 minutes. While an organization
        requires the user's first factor, it also mails the code for `email_code`. A person has at most 10 passkeys.
        """
        return self._caller.data("POST", "/auth/factors/passkeys/start", timeout=timeout)

    def add_passkey(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Add a passkey.

        Keeps the public key of a passkey that was made with these options. From then on the passkey logs in, and the password
        alone does not. The first factor returns ten recovery codes, which are shown only once. While an organization requires
        that factor of the user, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there
        end.

        `body`: credential, [name], [email_code]
        """
        return self._caller.data("POST", "/auth/factors/passkeys", body=body, timeout=timeout)

    def confirm(self, factor_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Confirm a second factor with its first code.

        Turns the factor on. From then on, logging in needs a code of one of the caller's factors. The first factor returns ten
        recovery codes, which are shown only once. A wrong code returns 422. While an organization requires the user's first
        factor, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there end.

        `body`: code, [email_code]
        """
        return self._caller.data(
            "POST",
            "/auth/factors/{factor_id}/confirm",
            params={"factor_id": factor_id},
            body=body,
            timeout=timeout,
        )

    def update(self, factor_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Rename a second factor.

        Changes the name under which the caller knows one of their second factors.

        `body`: name
        """
        return self._caller.data(
            "PATCH",
            "/auth/factors/{factor_id}",
            params={"factor_id": factor_id},
            body=body,
            timeout=timeout,
        )

    def remove(self, factor_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a second factor.

        Removes one of the caller's second factors. Log-ins that wait for a code end. With the last factor the recovery codes are
        removed too, and the password alone logs in again. A break-glass admin of an organization that requires single sign-on
        keeps one: 422 `would_lock_out`.
        """
        return self._caller.data("DELETE", "/auth/factors/{factor_id}", params={"factor_id": factor_id}, timeout=timeout)

    def renew_recovery_codes(self, *, timeout: Optional[float] = None) -> Any:
        """Replace your recovery codes.

        Returns ten new recovery codes. The previous ones stop working. Returns 409 for a person without a second factor.
        """
        return self._caller.data("POST", "/auth/recovery-codes", timeout=timeout)


class MeResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.devices = MeDevicesResource(caller)
        self.factors = MeFactorsResource(caller)

    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the signed-in user.

        Returns the current user with their role and its permissions, the organization of this session, and all their
        organizations.
        """
        return self._caller.data("GET", "/auth/me", timeout=timeout)

    def update(self, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Change your name or language.

        Changes what you send and keeps the rest. Each organization of the user records the change in its audit trail. Signatures
        and documents from before keep the name that they have.

        `body`: [name], [locale]
        """
        return self._caller.data("PATCH", "/auth/me", body={} if body is None else body, timeout=timeout)

    def remove_password(self, *, timeout: Optional[float] = None) -> Any:
        """Remove your password.

        From then on only passkeys log in. Needs two passkeys and an unused recovery code, otherwise 409. Set a password again
        with `POST /auth/password`, or with a link by e-mail.
        """
        return self._caller.data("DELETE", "/auth/password", timeout=timeout)

    def update_password(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Change your password.

        Replaces the caller's password; the current password is required, unless the caller has none. All the caller's sessions
        end, including this one, so log in again. A wrong current password or a weak new one returns 422, and too many attempts
        return 429.

        `body`: new_password, [current_password]
        """
        return self._caller.data("POST", "/auth/password", body=body, timeout=timeout)

    def send_email_code(self, *, timeout: Optional[float] = None) -> Any:
        """Mail a code that verifies your address.

        Mails a six-digit code to the caller's own address, at most 10 times a day. Enter it with `POST /auth/email/verify` within
        10 minutes; a new code replaces the previous one. Returns 409 if the address is already verified or no mail server is
        configured.
        """
        return self._caller.data("POST", "/auth/email/code", timeout=timeout)

    def get_email_code(self, *, timeout: Optional[float] = None) -> Any:
        """Get whether the e-mail with your code has left.

        For a page that asks for the code of `POST /auth/email/code`, or for the code that adding a first factor takes. Says what
        became of the message with the caller's latest code.
        """
        return self._caller.data("GET", "/auth/email/code", timeout=timeout)

    def verify_email(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Verify your e-mail address with a code.

        Verifies the caller's address with the six-digit code that was mailed to it. A code works for 10 minutes and 5 attempts.
        An account with a verified address can join other organizations.

        `body`: code
        """
        return self._caller.data("POST", "/auth/email/verify", body=body, timeout=timeout)

    def change_email(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Change your e-mail address.

        Mails a link to the new address. The account keeps its address until the link is used, within 1 hour; then the old address
        gets a link that reverses the change for 7 days. The response is the same if the new address has an account: its owner
        gets a notice, and nothing changes. A new request replaces the one before, and a password reset withdraws it. At most 5
        requests a day.

        `body`: new_email
        """
        return self._caller.data("POST", "/auth/email", body=body, timeout=timeout)


class MembersSessionsResource(_Resource):
    def list(self, user_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List the sessions of a member.

        Lists the sessions of a member in this organization that have not ended, newest first. Those in its sandboxes are not
        listed; they end with all others.
        """
        return self._list(
            "/org/members/{user_id}/sessions",
            {"user_id": user_id},
            {"page": page, "limit": limit},
            "session_id",
            timeout,
        )

    def end_all(self, user_id: Any, *, timeout: Optional[float] = None) -> Any:
        """End all sessions of a member.

        Ends all sessions of a member in this organization and its sandboxes. Their tokens stop working with the next request, and
        the member gets an e-mail. Sessions in other organizations stay.
        """
        return self._caller.data("DELETE", "/org/members/{user_id}/sessions", params={"user_id": user_id}, timeout=timeout)

    def end(self, user_id: Any, session_id: Any, *, timeout: Optional[float] = None) -> Any:
        """End a session of a member.

        Ends one session of a member in this organization. Its tokens stop working with the next request, and the member gets an
        e-mail.
        """
        return self._caller.data(
            "DELETE",
            "/org/members/{user_id}/sessions/{session_id}",
            params={"user_id": user_id, "session_id": session_id},
            timeout=timeout,
        )

    def end_all_of_organization(self, *, timeout: Optional[float] = None) -> Any:
        """End all sessions of the organization.

        Ends all sessions in this organization and its sandboxes except the caller's. Each person gets an e-mail.
        """
        return self._caller.data("DELETE", "/org/sessions", timeout=timeout)


class MembersResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.sessions = MembersSessionsResource(caller)

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List members.

        Lists the members of the organization with their roles, newest accounts first. Every role can call it.
        """
        return self._list("/org/members", {}, {"page": page, "limit": limit}, "user_id", timeout)

    def update(self, user_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Change the role of a member.

        Gives a member another role, which applies from their next request. Returns 409 if it would leave the organization without
        an admin.

        `body`: role
        """
        return self._caller.data("PATCH", "/org/members/{user_id}", params={"user_id": user_id}, body=body, timeout=timeout)

    def remove(self, user_id: Any, *, custody: Any = None, timeout: Optional[float] = None) -> Any:
        """Remove a member.

        Removes a person from the organization and ends their sessions in it at once. If they were the default custodian, that
        setting is cleared. Their account and their other organizations stay. Returns 409 for the last admin, and for a custodian
        of vaulted copies unless `custody=leave` is given.
        """
        return self._caller.data(
            "DELETE",
            "/org/members/{user_id}",
            params={"user_id": user_id},
            query={"custody": custody},
            timeout=timeout,
        )

    def reset_factors(self, user_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Let a member remove their second factors.

        For a member who lost their second factors and recovery codes. Mails them a link that works for 1 hour; with it and their
        password, their factors are removed and their sessions end. Until then nothing changes. Returns 409 for a person who is in
        another organization too, unless your organization has verified the domain of their address: only the operator can help
        them.

        `body`: reason
        """
        return self._caller.data(
            "POST",
            "/org/members/{user_id}/reset-factors",
            params={"user_id": user_id},
            body=body,
            timeout=timeout,
        )


class InvitationsResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Invite a member.

        Invites a person by e-mail with a link that works once, for 7 days, and only for this address. Without a mail server, the
        response contains the link for you to pass on. Returns 409 if the person is already a member.

        `body`: email, role
        """
        return self._caller.data(
            "POST",
            "/org/invitations",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List invitations.

        Lists invitations, newest first: open, accepted, revoked and expired ones.
        """
        return self._list("/org/invitations", {}, {"page": page, "limit": limit}, "invitation_id", timeout)

    def revoke(self, invitation_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Revoke an invitation.

        Revokes an invitation, so that its link no longer works. Revoking it again changes nothing. Returns 409 if it was
        accepted; remove the member instead.
        """
        return self._caller.data(
            "DELETE",
            "/org/invitations/{invitation_id}",
            params={"invitation_id": invitation_id},
            timeout=timeout,
        )


class OrganizationSettingsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the settings of the organization.

        Returns the organization's settings: name, origins that may embed its pages, retention, default custodian, signing rules,
        language and branding. Every role can call it.
        """
        return self._caller.data("GET", "/org/settings", timeout=timeout)

    def update(
        self,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update the settings of the organization.

        Changes the settings that you send; the others keep their values. `branding` is replaced as a whole. Each change is
        recorded in the audit trail with the values before and after.

        `body`: [name], [embed_origins], [min_retention_days], [default_custodian_user_id], [require_external_time],
        [require_mailed_link], [control_policy], [status_shows_parties], [default_locale], [time_zone], [contact_email],
        [completed_mail], [branding]
        """
        return self._caller.data("PATCH", "/org/settings", body={} if body is None else body, if_match=if_match, timeout=timeout)


class OrganizationAuditTrailResource(_Resource):
    def list(
        self,
        *,
        actor_id: Any = None,
        type: Any = None,
        from_: Any = None,
        to: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List the audit trail of the organization.

        Lists changes to keys, members, sessions, customers, webhook endpoints and settings, newest first. Each entry is a link in
        the organization's hash chain. With a filter, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are
        422. Envelopes have their own audit trails.
        """
        return self._list(
            "/org/audit-trail",
            {},
            {"actor_id": actor_id, "type": type, "from": from_, "to": to, "page": page, "limit": limit},
            "seq",
            timeout,
        )


class OrganizationSecurityResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the security settings of the organization.

        Returns what the organization demands of log-ins, sessions, new passwords and API keys. Every role can call it, because
        the settings apply to every member.
        """
        return self._caller.data("GET", "/org/security", timeout=timeout)

    def update(
        self,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update the security settings of the organization.

        Changes the settings that you send; the others keep their values. Limits of sessions apply from their next request.
        Returns 409 if you require a second factor and have none yourself, and 422 `would_lock_out` if you require single sign-on
        without a break-glass admin, or more than an hour after you tested it, or if `allowed_cidrs` does not contain your own
        address. Each change is recorded in the audit trail with the values before and after.

        `body`: [second_factor], [grace_days], [remember_device_days], [idle_minutes], [max_hours], [min_password],
        [max_key_days], [sso_mode], [min_identity_level], [embed_identity], [break_glass], [allowed_cidrs]
        """
        return self._caller.data("PATCH", "/org/security", body={} if body is None else body, if_match=if_match, timeout=timeout)


class OrganizationDomainsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the domains of the organization.

        Returns the domains that the organization has added, newest first, with the record that proves each.
        """
        return self._caller.data("GET", "/org/domains", timeout=timeout)

    def add(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Add a domain.

        Adds a domain, which counts once it is proved. Single sign-on accepts only addresses in proved domains. A subdomain is a
        domain of its own. Domains that many people share, such as those of mail providers, return 422, and a domain that another
        organization has proved returns 409. An organization has at most 20.

        `body`: domain
        """
        return self._caller.data(
            "POST",
            "/org/domains",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def verify(self, domain_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Prove a domain.

        With `dns`, looks for the TXT record and verifies the domain if it is there. With `mail`, mails a link to `mailbox` of the
        domain, which works for 24 hours; the domain is verified when it is used. Returns 409 if the record is missing.

        `body`: method, [mailbox]
        """
        return self._caller.data(
            "POST",
            "/org/domains/{domain_id}/verify",
            params={"domain_id": domain_id},
            body=body,
            timeout=timeout,
        )

    def remove(self, domain_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a domain.

        Removes a domain. Single sign-on makes no new members with addresses in it; members who used it before still log in.
        Another organization can then prove the domain.
        """
        return self._caller.data("DELETE", "/org/domains/{domain_id}", params={"domain_id": domain_id}, timeout=timeout)


class OrganizationSsoResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """Get the connections for single sign-on.

        Returns the organization's connections to identity providers, newest first, and the address to register at a provider
        before you connect it. Client secrets are never shown.
        """
        return self._caller.data("GET", "/org/sso", timeout=timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Connect an identity provider.

        Adds a connection to an OpenID Connect provider, as a draft. Register `redirect_uri` of the response at the provider, test
        the connection, then set its state to active. Returns 422 on `issuer` if the provider's metadata cannot be read. Only
        admins can do this, because the provider decides who logs in as an admin. At most 3.

        `body`: name, issuer, client_id, client_secret, [scopes], [role_claim], [role_map], [default_role], [trust_email],
        [required_acr], [required_amr], [max_hours], [provision]
        """
        return self._caller.data("POST", "/org/sso", body=body, idempotent=True, idempotency_key=idempotency_key, timeout=timeout)

    def update(self, connection_id: Any, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Change or enable a connection.

        Changes the settings that you send. A change of what a test depends on makes the connection untested. Another issuer or
        client forgets which people the provider named, so they are found by their e-mail address at their next log-in, and ends
        the sessions that began with the connection. Disabling it ends the sessions that began with it, and returns 422
        `would_lock_out` for the only active connection of an organization that requires single sign-on.

        `body`: [name], [issuer], [client_id], [scopes], [role_claim], [role_map], [default_role], [trust_email], [required_acr],
        [required_amr], [max_hours], [provision], [client_secret], [state]
        """
        return self._caller.data(
            "PATCH",
            "/org/sso/{connection_id}",
            params={"connection_id": connection_id},
            body={} if body is None else body,
            timeout=timeout,
        )

    def remove(self, connection_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a connection.

        Removes a connection and ends the sessions that began with it. Members whom it made stay, but cannot log in without
        another connection. Returns 422 `would_lock_out` for the only active connection of an organization that requires single
        sign-on.
        """
        return self._caller.data("DELETE", "/org/sso/{connection_id}", params={"connection_id": connection_id}, timeout=timeout)

    def test(self, connection_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Test a connection.

        Begins a log-in at the provider that checks everything a real one needs, and makes and changes no member. Send the browser
        to `redirect_url`, in which the console then shows the result. Single sign-on can be required within an hour after a test.
        """
        return self._caller.data(
            "POST",
            "/org/sso/{connection_id}/test",
            params={"connection_id": connection_id},
            timeout=timeout,
        )


class OrganizationStatisticsResource(_Resource):
    def get(self, *, days: Any = None, timeout: Optional[float] = None) -> Any:
        """Get statistics.

        Returns the number of envelopes in each status, daily counts for envelopes and webhooks, and how long signing takes. Use
        it for a dashboard. Days are in UTC; the default is 30 days, the maximum 90.
        """
        return self._caller.data("GET", "/org/statistics", query={"days": days}, timeout=timeout)


class OrganizationAttentionResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get what needs attention.

        Returns what you and others have to do: envelopes to act on, drafts, messages that did not arrive, envelopes that expire
        soon and failed webhook deliveries. Counts stop at 1,000. Use it for a dashboard.
        """
        return self._caller.data("GET", "/org/attention", timeout=timeout)


class OrganizationLatestCompletedResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the latest completed envelopes.

        Returns the envelopes that all recipients completed most recently, at most five. Originals that were signed elsewhere and
        deposited are left out. Use it for a dashboard; to act on each completion, use webhooks.
        """
        return self._caller.data("GET", "/org/latest-completed", timeout=timeout)


class OrganizationAuditLogResource(_Resource):
    def export(
        self,
        *,
        after: Any = None,
        until: Any = None,
        types: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> Download:
        """Export the audit log of the organization.

        Returns audit entries of the organization and of all its envelopes as lines of JSON (`application/x-ndjson`), in the order
        of the log: `leaf_index`, `org_id`, `subject` (the chain: the organization or an envelope), `seq`, `type`, `at`, `actor`,
        `data`, `hash` and `prev`. The last line is `{"next_after": …}`: pass it as `after` to continue. A reader that does so
        gets each entry once and misses none. An entry appears when the log takes it in, which a worker does every minute. Returns
        409 if the log does not have the position `after`, because an older backup was restored.
        """
        return self._caller.download(
            "GET",
            "/org/audit-log",
            query={"after": after, "until": until, "types": types, "limit": limit},
            timeout=timeout,
        )


class OrganizationSignInEventsResource(_Resource):
    def export(self, *, after: Any = None, latest: Any = None, limit: Any = None, timeout: Optional[float] = None) -> Download:
        """Export failed log-ins and refused requests.

        Returns failed and blocked log-ins of members, refused API keys, and requests that were answered with 403, as lines of
        JSON (`application/x-ndjson`): `event_no`, `user_id` or `key_id`, `ip`, `user_agent`, `method` (`password`, `totp`,
        `recovery_code`, `passkey`, `session`, `api_key`), `result` (`failed`, `blocked`, `refused`, `forbidden`), `reason`,
        `count`, `first_at` and `last_at`. One line is one person or key, group of addresses, and reason in one minute; `ip` and
        `user_agent` are those of its first attempt. At most 200 lines of a minute are kept. Failures of a person are shown to
        each of their organizations; attempts with addresses that have no account to none. The last line is `{"next_after": …}`:
        pass it as `after` to continue. An event appears when its minute is over, within about a minute, and is kept for 400 days
        unless the operator set another time. These events are not part of the audit chain.
        """
        return self._caller.download(
            "GET",
            "/org/sign-in-events",
            query={"after": after, "latest": latest, "limit": limit},
            timeout=timeout,
        )


class OrganizationProblemsResource(_Resource):
    def list(
        self,
        *,
        state: Any = None,
        envelope_id: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List what did not work.

        Lists work of your organization that failed several times, newest first: storing a document, sealing, sending. Without
        `state` only what is not settled; with `envelope_id` only of this envelope. Deliveries of webhooks and e-mails have their
        own lists.
        """
        return self._list(
            "/org/problems",
            {},
            {"state": state, "envelope_id": envelope_id, "page": page, "limit": limit},
            "problem_id",
            timeout,
        )

    def retry(self, problem_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Try failed work again.

        Asks a worker to try again, which it does within seconds. Returns 409 if it was asked already, or if the problem is
        settled. The request is recorded in the audit trail.
        """
        return self._caller.data(
            "POST",
            "/org/problems/{problem_id}/retry",
            params={"problem_id": problem_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class OrganizationAuditSinksResource(_Resource):
    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List audit sinks.

        Lists the systems that the organization's audit entries are sent to, newest first, with their state.
        """
        return self._list("/org/audit-sinks", {}, {"page": page, "limit": limit}, "sink_id", timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create an audit sink.

        Sends the organization's audit entries to another system, in the order of the log and as the lines of `GET
        /org/audit-log`. `webhook`: a POST request with up to 500 lines (`application/x-ndjson`), signed like webhooks; the next
        lines follow after an answer 2xx. `syslog`: one message of RFC 5424 for each line, over TLS, with the length before each
        message; syslog has no receipts, so up to 500 lines can be lost if the connection breaks. Lines can arrive twice after a
        failure: `leaf_index` identifies them. Failed attempts are repeated at growing intervals, at least once an hour, and the
        admins get an e-mail after an hour of failures. An organization can have 3 sinks.

        `body`: kind, target, [enabled], [from]
        """
        return self._caller.data(
            "POST",
            "/org/audit-sinks",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def update(self, sink_id: Any, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Update an audit sink.

        Changes the fields that you send. Any change makes the next attempt due at once. `from` moves the position; without it the
        sink continues after the last entry that it has, also after it was off.

        `body`: [target], [enabled], [from]
        """
        return self._caller.data(
            "PATCH",
            "/org/audit-sinks/{sink_id}",
            params={"sink_id": sink_id},
            body={} if body is None else body,
            timeout=timeout,
        )

    def delete(self, sink_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete an audit sink.

        Deletes a sink. Nothing more is sent to it.
        """
        return self._caller.data("DELETE", "/org/audit-sinks/{sink_id}", params={"sink_id": sink_id}, timeout=timeout)

    def test(self, sink_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Test an audit sink.

        Sends one line of the type `audit_sink.test`, which is no audit entry, and returns whether it was accepted.
        """
        return self._caller.data("POST", "/org/audit-sinks/{sink_id}/test", params={"sink_id": sink_id}, timeout=timeout)


class OrganizationResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.settings = OrganizationSettingsResource(caller)
        self.audit_trail = OrganizationAuditTrailResource(caller)
        self.security = OrganizationSecurityResource(caller)
        self.domains = OrganizationDomainsResource(caller)
        self.sso = OrganizationSsoResource(caller)
        self.statistics = OrganizationStatisticsResource(caller)
        self.attention = OrganizationAttentionResource(caller)
        self.latest_completed = OrganizationLatestCompletedResource(caller)
        self.audit_log = OrganizationAuditLogResource(caller)
        self.sign_in_events = OrganizationSignInEventsResource(caller)
        self.problems = OrganizationProblemsResource(caller)
        self.audit_sinks = OrganizationAuditSinksResource(caller)


class SandboxesResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create a sandbox.

        Creates an organization for tests, with the members, security settings and look of this one. Switch a session to it with
        `POST /auth/refresh` and its `org_id`, then create keys there: they reach its data alone, and their requests return
        `X-Mode: test`. Every page of its documents says that it is a test, its seals come from a test root, and its e-mails stay
        in its outbox. An organization has at most 5.

        `body`: name
        """
        return self._caller.data(
            "POST",
            "/org/sandboxes",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List sandboxes.

        Lists the sandboxes of the organization, oldest first. In a sandbox it lists those of its organization.
        """
        return self._caller.data("GET", "/org/sandboxes", timeout=timeout)

    def reset(self, org_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Reset a sandbox.

        Removes everything from a sandbox: envelopes, templates, customers, keys, webhook endpoints, e-mails, audit trail and
        settings. Its keys and sessions end at once; a job removes the data, and until it is done, requests that write there
        return 409 `sandbox_resetting`. The sandbox itself, its members and its ID stay, and it begins again with the settings of
        the organization. Entries stay in the log of the installation as hashes.
        """
        return self._caller.data(
            "POST",
            "/org/sandboxes/{org_id}/reset",
            params={"org_id": org_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def delete(self, org_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete a sandbox.

        Deletes a sandbox with everything in it. Its keys and sessions end at once and it leaves the list; a job removes the data.
        It does not count as one of the 5 any more.
        """
        return self._caller.data("DELETE", "/org/sandboxes/{org_id}", params={"org_id": org_id}, timeout=timeout)


class ApiKeysResource(_Resource):
    def me(self, *, timeout: Optional[float] = None) -> Any:
        """Get what your credential is.

        Returns the organization that the key belongs to, what the key may do, and whether its data are tests. Call it first to
        check that a program has the right key. A console session gets the same without a key.
        """
        return self._caller.data("GET", "/partner/me", timeout=timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create an API key.

        Creates a key with which a partner's server calls this API. The raw key is only in this response, so store it now. With
        `expires_at` and `allowed_cidrs` you limit until when and from where it works. Without `rate_limit_rpm` the key gets the
        installation's default limit. Only an admin in a console session can manage keys.

        `body`: partner_name, scopes, [rate_limit_rpm], [expires_at], [allowed_cidrs]
        """
        return self._caller.data(
            "POST",
            "/partners/keys",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List API keys.

        Lists all keys of the organization, newest first, including deactivated ones. Raw keys are never shown again.
        """
        return self._list("/partners/keys", {}, {"page": page, "limit": limit}, "key_id", timeout)

    def get(self, key_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get an API key.

        Returns one key with its scopes, its rate limit and the time of its last use. The raw key is never shown again.
        """
        return self._caller.data("GET", "/partners/keys/{key_id}", params={"key_id": key_id}, timeout=timeout)

    def update(
        self,
        key_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update an API key.

        Changes the name, scopes, rate limit, expiry, addresses or notes of a key, or what happens to unknown fields. Fields that
        you leave out keep their values. The same raw key keeps working, and the change applies from the next request. Returns 409
        if the key is deactivated.

        `body`: [partner_name], [scopes], [rate_limit_rpm], [expires_at], [allowed_cidrs], [lenient_fields], [webhook]
        """
        return self._caller.data(
            "PATCH",
            "/partners/keys/{key_id}",
            params={"key_id": key_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def deactivate(self, key_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Deactivate an API key.

        Deactivates a key permanently. Requests with it return 401 from now on. The key stays in the list for the audit trail.
        Deactivating it again changes nothing and returns the original time.
        """
        return self._caller.data("DELETE", "/partners/keys/{key_id}", params={"key_id": key_id}, timeout=timeout)

    def rotate(
        self,
        key_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Rotate an API key.

        Creates a new raw key, which is only in this response. The previous raw key keeps working until the grace period ends. A
        second rotation within that time ends the oldest one at once, so at most two raw keys work. Returns 409 if the key is
        deactivated.

        `body`: [grace_period_seconds]
        """
        return self._caller.data(
            "POST",
            "/partners/keys/{key_id}/rotate",
            params={"key_id": key_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def test_webhook(self, key_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Send a test event to all webhook endpoints.

        Sends a `webhook.test` event that names this key to every enabled webhook endpoint of the organization, regardless of
        their subscriptions. To test one endpoint, use `POST /webhooks/endpoints/{endpoint_id}/test`. Returns 409 if the key is
        deactivated.
        """
        return self._caller.data(
            "POST",
            "/partners/keys/{key_id}/test-webhook",
            params={"key_id": key_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class CustomersDocumentsResource(_Resource):
    def create(
        self,
        customer_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Create an envelope from a customer's document.

        Stores a PDF, PNG or JPEG file for a customer and creates an envelope with it. Tags in the text of a PDF become fields.
        You can then add fields and send the envelope, or deposit an original that is already signed in the vault. The file can
        have at most 50 MB.

        `body`, with a file: file, [name], [signers], [auto_vault_enabled], [kba_required]
        """
        return self._caller.data(
            "POST",
            "/partner/customers/{customer_id}/documents",
            params={"customer_id": customer_id},
            body=body,
            form={"files": ["file"], "json": ["signers"], "only": True},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class CustomersResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.documents = CustomersDocumentsResource(caller)

    def upload(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Import customers from a CSV file.

        Creates and updates customers from a CSV file in UTF-8 whose first row names the fields. A row with a known `client_id`
        updates that customer, and empty cells leave values as they are; any other row creates a customer. Rows with errors are
        reported in the response; the others are imported. Rows are saved while the file arrives, so an interrupted upload keeps
        the rows that arrived.

        `body`, with a file: file
        """
        return self._caller.data(
            "POST",
            "/customers/bulk",
            body=body,
            form={"files": ["file"], "json": [], "only": True},
            timeout=timeout,
        )

    def list(self, *, q: Any = None, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List customers.

        Lists customers, newest first. Each word of `q` must begin a word of the name, the e-mail address, the company or the
        `client_id`; case is ignored. With `q`, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To
        find one customer exactly, use `GET /partner/customers`.
        """
        return self._list("/customers", {}, {"q": q, "page": page, "limit": limit}, "customer_id", timeout)

    def look_up(self, *, client_id: Any = None, email: Any = None, timeout: Optional[float] = None) -> Any:
        """Look up a customer by client_id or e-mail.

        Returns the one customer with this `client_id` or this e-mail address; case is ignored. Give exactly one of the two. If
        several customers share the e-mail address, the response is 409 and `candidates` lists them, oldest first.
        """
        return self._caller.data("GET", "/partner/customers", query={"client_id": client_id, "email": email}, timeout=timeout)

    def create(
        self,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Create a customer.

        Creates a customer. All fields are optional; null and blank values are stored as null. Returns 409 if another customer has
        this `client_id`; case is ignored.

        `body`: [name], [email], [phone], [company], [job_title], [entity_type], [client_id], [category], [industry],
        [address_line1], [address_line2], [city], [state], [postal_code], [country], [website_url], [primary_contact_name]
        """
        return self._caller.data(
            "POST",
            "/partner/customers",
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def get(self, customer_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a customer.

        Returns one customer by its ID. The ID of a customer that was merged returns the one into which it was merged. To find a
        customer by your own ID or an e-mail, use `GET /partner/customers`.
        """
        return self._caller.data("GET", "/partner/customers/{customer_id}", params={"customer_id": customer_id}, timeout=timeout)

    def update(
        self,
        customer_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update a customer.

        Changes the fields that you send; the others keep their values. Null or a blank value clears a field. Returns 409 if
        another customer has this `client_id`; case is ignored.

        `body`: [name], [email], [phone], [company], [job_title], [entity_type], [client_id], [category], [industry],
        [address_line1], [address_line2], [city], [state], [postal_code], [country], [website_url], [primary_contact_name]
        """
        return self._caller.data(
            "PATCH",
            "/partner/customers/{customer_id}",
            params={"customer_id": customer_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def delete(self, customer_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete a customer.

        Deletes a customer and everything that you entered about them. Returns 409 `customer_kept` with the reasons while drafts,
        envelopes out for signature, signed documents, or records in the vault whose retention runs belong to the customer.
        Envelopes that were declined, voided or expired stay, with `customer_id` null. Audit trails stay; they contain IDs and
        names of fields.
        """
        return self._caller.data(
            "DELETE",
            "/partner/customers/{customer_id}",
            params={"customer_id": customer_id},
            timeout=timeout,
        )

    def merge(
        self,
        customer_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Merge a duplicate into a customer.

        Merges another customer into this one. This customer keeps every value that it has and takes over the others. All
        envelopes of the duplicate move, at most 20,000; from then on the duplicate's `customer_id`, `client_id` and e-mail
        address find this customer. Audit trails and evidence are not rewritten: they name the customer that they named. A merge
        cannot be undone. While an audit grant covers the records of one of the two, the response is 409.

        `body`: duplicate_customer_id
        """
        return self._caller.data(
            "POST",
            "/partner/customers/{customer_id}/merge",
            params={"customer_id": customer_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list_merged(self, customer_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List merged customers.

        Lists the customers that were merged into this one, the last first, with the values that they had. Their IDs, client_ids
        and e-mail addresses find this customer.
        """
        return self._list(
            "/partner/customers/{customer_id}/merged",
            {"customer_id": customer_id},
            {"page": page, "limit": limit},
            "name",
            timeout,
        )


class ContactsResource(_Resource):
    def find(self, *, q: Any, timeout: Optional[float] = None) -> Any:
        """Find people to send to.

        Returns up to 8 people for what was typed so far: customers with an e-mail address, and people to whom you sent an
        envelope in the last two years. Each word of `q` must begin a word of the name, the e-mail address or, for customers, the
        company or `client_id`. The person to whom you sent last comes first.
        """
        return self._caller.data("GET", "/contacts", query={"q": q}, timeout=timeout)


class TemplatesFieldsResource(_Resource):
    def create(
        self,
        template_id: Any,
        body: Mapping[str, Any],
        *,
        dry_run: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add fields to a template.

        Adds fields to a template and keeps the existing ones. Place each field by coordinates or next to a text of the document.
        Existing envelopes do not change. A template has at most 2,000 fields, and a request at most 500 fields with an anchor.

        beta May change in any release.

        `body`: fields
        """
        return self._caller.data(
            "POST",
            "/partner/templates/{template_id}/fields",
            params={"template_id": template_id},
            query={"dry_run": dry_run},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def replace(self, template_id: Any, body: Mapping[str, Any], *, dry_run: Any = None, timeout: Optional[float] = None) -> Any:
        """Replace the fields of a template.

        Replaces all fields of a template, except those that the request keeps with `keep`. Existing fields that the request does
        not name are removed. Returns 409 if a kept field is no longer at the given position. Get the template and try again.
        Existing envelopes do not change.

        beta May change in any release.

        `body`: fields
        """
        return self._caller.data(
            "PUT",
            "/partner/templates/{template_id}/fields",
            params={"template_id": template_id},
            query={"dry_run": dry_run},
            body=body,
            timeout=timeout,
        )


class TemplatesPagesResource(_Resource):
    def get(self, template_id: Any, page: Any, *, w: Any = None, timeout: Optional[float] = None) -> Download:
        """Get a template page as an image.

        Returns one page of the template's document as a PNG or WebP image, without its fields. Use it with `get_template` to show
        where fields are. Page numbers start at 1.
        """
        return self._caller.download(
            "GET",
            "/partner/templates/{template_id}/pages/{page}",
            params={"template_id": template_id, "page": page},
            query={"w": w},
            timeout=timeout,
        )

    def get_text(self, template_id: Any, page: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the text of a template page.

        Returns the text of one page in reading order. Use it to choose anchor texts for fields. `has_text` is false for a scan
        without a text layer.
        """
        return self._caller.data(
            "GET",
            "/partner/templates/{template_id}/pages/{page}/text",
            params={"template_id": template_id, "page": page},
            timeout=timeout,
        )


class TemplatesDocumentsResource(_Resource):
    def list(self, template_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the documents of a template.

        Returns the documents of a template in order. An envelope from the template gets all of them. Archived templates can be
        read too.
        """
        return self._caller.data(
            "GET",
            "/partner/templates/{template_id}/documents",
            params={"template_id": template_id},
            timeout=timeout,
        )

    def create(
        self,
        template_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add a document to a template.

        Adds a PDF to the end of a template as a form, or all documents of another template as JSON with `template_id`. Tags in
        the text of a PDF become fields, and another template brings its fields. A template has at most 20 documents, together 50
        MB and 2,000 pages.

        `body`: template_id

        `body`, with a file: file, [name]
        """
        return self._caller.data(
            "POST",
            "/partner/templates/{template_id}/documents",
            params={"template_id": template_id},
            body=body,
            form={"files": ["file"], "json": [], "only": False},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def update(
        self,
        template_id: Any,
        document_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """Rename or move a document of a template.

        Changes the name of a document, or its place in the order. The other documents move up or down, and fields stay on their
        documents. Returns all documents in their new order.

        `body`: [name], [document_no]
        """
        return self._caller.data(
            "PATCH",
            "/partner/templates/{template_id}/documents/{document_id}",
            params={"template_id": template_id, "document_id": document_id},
            body={} if body is None else body,
            timeout=timeout,
        )

    def delete(self, template_id: Any, document_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a document from a template.

        Removes a document with its fields. The documents after it move up. The last document cannot be removed: replace its file,
        or archive the template.
        """
        return self._caller.data(
            "DELETE",
            "/partner/templates/{template_id}/documents/{document_id}",
            params={"template_id": template_id, "document_id": document_id},
            timeout=timeout,
        )

    def replace(self, template_id: Any, document_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Replace the file of a template's document.

        Replaces the PDF of a document. Fields on pages that still exist stay; others are removed and named in `warnings`. Tags of
        the new file become fields unless the document has a field of that name and role.

        `body`, with a file: file
        """
        return self._caller.data(
            "PUT",
            "/partner/templates/{template_id}/documents/{document_id}/file",
            params={"template_id": template_id, "document_id": document_id},
            body=body,
            form={"files": ["file"], "json": [], "only": True},
            timeout=timeout,
        )

    def get_file(self, template_id: Any, document_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download one document of a template.

        Returns the cleaned PDF of one document, without its fields. Archived templates can be read too.
        """
        return self._caller.download(
            "GET",
            "/partner/templates/{template_id}/documents/{document_id}/file",
            params={"template_id": template_id, "document_id": document_id},
            timeout=timeout,
        )


class TemplatesResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.fields = TemplatesFieldsResource(caller)
        self.pages = TemplatesPagesResource(caller)
        self.documents = TemplatesDocumentsResource(caller)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create a template from a PDF.

        Stores a PDF with its fields so that you can create any number of envelopes from it. Fields come from `fields_json` or,
        without it, from tags in the text such as {{Tenant signature;role=Tenant;type=signature}}. Tags are removed from the
        document in both cases. The PDF can have at most 50 MB and the template at most 2,000 fields.

        `body`, with a file: file, name, [external_id], [fields_json], [maker_roles_json]
        """
        return self._caller.data(
            "POST",
            "/partner/templates",
            body=body,
            form={"files": ["file"], "json": ["fields_json", "maker_roles_json"], "only": True},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        q: Any = None,
        external_id: Any = None,
        tag: Any = None,
        archived: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List templates.

        Lists the templates that are not archived, newest first, or with `archived=only` those that are. Use `q` to search by
        name, `external_id` to find a template by your own ID, and `tag` for those with a tag. Get a single template to see its
        pages and fields.
        """
        return self._list(
            "/partner/templates",
            {},
            {"q": q, "external_id": external_id, "tag": tag, "archived": archived, "page": page, "limit": limit},
            "template_id",
            timeout,
        )

    def get(self, template_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a template.

        Returns a template with its pages, roles and fields in order. Archived templates can be read too. `roles` lists the signer
        roles that an envelope from this template needs.
        """
        return self._caller.data("GET", "/partner/templates/{template_id}", params={"template_id": template_id}, timeout=timeout)

    def archive(self, template_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Archive a template.

        Removes a template from the list and prevents new envelopes and field changes. Existing envelopes keep working, and the
        template can still be read. Use `restore_template` to undo it; archiving again returns the original time.
        """
        return self._caller.data(
            "DELETE",
            "/partner/templates/{template_id}",
            params={"template_id": template_id},
            timeout=timeout,
        )

    def update(
        self,
        template_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update a template.

        Changes the name, people, defaults or tags of a template. Members that you leave out stay as they are; the others are
        replaced as a whole. `roles` says who acts in which step, and who that is if it is always the same person: `get_template`
        shows them as `recipients`. Envelopes that exist do not change.

        `body`: [name], [roles], [defaults], [tags]
        """
        return self._caller.data(
            "PATCH",
            "/partner/templates/{template_id}",
            params={"template_id": template_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def usage(self, template_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get where a template is used.

        Counts the envelopes that were created from a template, the drafts among them, its public forms and its bulk sends.
        `list_envelopes`, `list_forms` and `list_bulk_batches` list them with `template_id`. An envelope to which the documents of
        a template were added later does not count.
        """
        return self._caller.data(
            "GET",
            "/partner/templates/{template_id}/usage",
            params={"template_id": template_id},
            timeout=timeout,
        )

    def copy(
        self,
        template_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Copy a template.

        Creates a template with the same document, fields, people, defaults and tags. The copy has no `external_id`. Changes of
        one do not affect the other.

        `body`: [name]
        """
        return self._caller.data(
            "POST",
            "/partner/templates/{template_id}/copy",
            params={"template_id": template_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def restore(self, template_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Restore an archived template.

        Puts an archived template back into the list, so that envelopes can be created from it. A template that is not archived
        stays as it is.
        """
        return self._caller.data(
            "POST",
            "/partner/templates/{template_id}/restore",
            params={"template_id": template_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def bulk_example(self, template_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download an example file for a bulk send.

        Returns a CSV file with every column that a bulk send from this template can have, and one row as an example: name, e-mail
        address and language of each role, and values of fields by their `field_key`. Only names and addresses are required.
        """
        return self._caller.download(
            "GET",
            "/partner/templates/{template_id}/bulk.csv",
            params={"template_id": template_id},
            timeout=timeout,
        )

    def preview(
        self,
        template_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Preview the signing page of a template.

        Returns what the person with this role would see on the signing page of an envelope from this template. With `values` it
        also says which of them could not be signed. Nothing is stored.

        beta May change in any release.

        `body`: role, [lang], [values]
        """
        return self._caller.data(
            "POST",
            "/partner/templates/{template_id}/preview",
            params={"template_id": template_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EnvelopesAuditTrailResource(_Resource):
    def list(self, envelope_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List the audit trail of an envelope.

        Lists everything that happened to an envelope, newest first. Each entry is a link in the envelope's hash chain, so a
        changed entry can be detected.
        """
        return self._list(
            "/partner/envelopes/{envelope_id}/audit-trail",
            {"envelope_id": envelope_id},
            {"page": page, "limit": limit},
            "seq",
            timeout,
        )

    def export(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Export the audit trail of an envelope as CSV.

        Returns the whole audit trail of an envelope as a CSV file in UTF-8, oldest entry first. Columns: seq, at, event (a
        sentence in English), type, actor_kind, actor_id, data (JSON, empty after it was erased), previous_hash, hash. A cell that
        a spreadsheet would run as a formula gets an apostrophe in front.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/audit-trail.csv",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class EnvelopesDocumentResource(_Resource):
    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the document of an envelope.

        Returns the PDF of an envelope. Until everyone has signed, it is the prepared document without signatures. After that, it
        is the sealed document or, for a vaulted envelope or one with auto-vault, a copy that is marked on every page. Both
        downloads are recorded in the audit trail. Just after the last signature the response can be 409 with `Retry-After` while
        the document is sealed.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/document",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def attach(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Attach a document to an envelope.

        Adds the document to a `pending` envelope: a PDF, PNG or JPEG file of at most 50 MB. Tags in the text of a PDF become
        fields. The envelope moves to `uploaded` and can be sent. More documents are added with `add_envelope_document`.

        `body`, with a file: file
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/upload",
            params={"envelope_id": envelope_id},
            body=body,
            form={"files": ["file"], "json": [], "only": True},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EnvelopesCompletionCertificateResource(_Resource):
    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the completion certificate of an envelope.

        Returns a sealed PDF that says what the audit trail recorded about a finished envelope: who was asked to sign, who signed,
        when, how each person got access, the hashes of the document and every event up to the end. For `completed`, `vaulted`,
        `declined`, `voided` and `expired`; any other status returns 409. It is made on the first request and kept: the same
        status always returns the same bytes. A completed envelope that is vaulted later gets a second certificate. In English.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/completion-certificate",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class EnvelopesFieldsResource(_Resource):
    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the fields of an envelope.

        Returns the fields of an envelope in order, with their roles and the pages of the document. Use it before you replace
        fields, because kept fields are named by their position in this list. Everything is empty until the envelope has a
        document.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/fields",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        dry_run: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add fields to an envelope.

        Adds fields to the document of a draft and keeps the existing ones. Place each field by coordinates or next to a text of
        the document. The envelope moves to `preparing` and can be sent. An envelope has at most 2,000 fields, and a request at
        most 500 fields with an anchor.

        beta May change in any release.

        `body`: fields
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/fields",
            params={"envelope_id": envelope_id},
            query={"dry_run": dry_run},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def replace(self, envelope_id: Any, body: Mapping[str, Any], *, dry_run: Any = None, timeout: Optional[float] = None) -> Any:
        """Replace the fields of an envelope.

        Replaces all fields of a draft, except those that the request keeps with `keep`. Existing fields that the request does not
        name are removed, and kept fields keep their prefilled values. Returns 409 if a kept field is no longer at the given
        position. Read the fields and try again.

        beta May change in any release.

        `body`: fields
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/fields",
            params={"envelope_id": envelope_id},
            query={"dry_run": dry_run},
            body=body,
            timeout=timeout,
        )


class EnvelopesPagesResource(_Resource):
    def get(
        self,
        envelope_id: Any,
        page: Any,
        *,
        w: Any = None,
        version: Any = None,
        timeout: Optional[float] = None,
    ) -> Download:
        """Get an envelope page as an image.

        Returns one page of the document as a PNG or WebP image. The prepared version shows no signatures, and reading it adds
        nothing to the audit trail; for signed originals that were deposited in the vault it is 409. `version=current` shows what
        was filled in and signed so far. Of a vaulted document it shows a marked copy; the first page of a visit is recorded in
        the access log.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/pages/{page}",
            params={"envelope_id": envelope_id, "page": page},
            query={"w": w, "version": version},
            timeout=timeout,
        )

    def get_text(self, envelope_id: Any, page: Any, *, version: Any = None, timeout: Optional[float] = None) -> Any:
        """Get the text of an envelope page.

        Returns the text of one page of the document, in reading order. Use it to choose anchor texts for fields. `has_text` is
        false for a scan without a text layer. `version=current` has the rules of the page image.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/pages/{page}/text",
            params={"envelope_id": envelope_id, "page": page},
            query={"version": version},
            timeout=timeout,
        )


class EnvelopesDocumentsResource(_Resource):
    def list(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the documents of an envelope.

        Returns the documents of an envelope in order. Several documents are combined into one when the envelope is sent;
        `first_page` is then the page on which each begins. For signers without a signature field the list ends with a signature
        page.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/documents",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add a document to an envelope.

        Adds a document to the end of a draft: a PDF, PNG or JPEG file as a form, or all documents of a template as JSON with
        `template_id`. A template brings its fields, its people if the draft has none, and its defaults where the draft says
        nothing else; tags in the text of a PDF become fields. A `pending` envelope moves to `uploaded`. An envelope has at most
        20 documents, together 50 MB and 2,000 pages.

        `body`: template_id

        `body`, with a file: file, [name]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/documents",
            params={"envelope_id": envelope_id},
            body=body,
            form={"files": ["file"], "json": [], "only": False},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def update(
        self,
        envelope_id: Any,
        document_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Rename or move a document of an envelope.

        Changes the name of a document in a draft, or its place in the order. The other documents move up or down, and fields stay
        on their documents. Returns all documents in their new order. The ETag for `If-Match` is that of the list of documents.

        `body`: [name], [document_no]
        """
        return self._caller.data(
            "PATCH",
            "/partner/envelopes/{envelope_id}/documents/{document_id}",
            params={"envelope_id": envelope_id, "document_id": document_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def delete(self, envelope_id: Any, document_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a document from an envelope.

        Removes a document of a draft with its fields. The documents after it move up. The last document cannot be removed:
        replace its file, or discard the envelope.
        """
        return self._caller.data(
            "DELETE",
            "/partner/envelopes/{envelope_id}/documents/{document_id}",
            params={"envelope_id": envelope_id, "document_id": document_id},
            timeout=timeout,
        )

    def replace(self, envelope_id: Any, document_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Replace the file of a document.

        Replaces the file of a document in a draft. Fields on pages that still exist stay; others are removed and named in
        `warnings`. Tags of the new file become fields unless the document has a field of that name and role.

        `body`, with a file: file
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/documents/{document_id}/file",
            params={"envelope_id": envelope_id, "document_id": document_id},
            body=body,
            form={"files": ["file"], "json": [], "only": True},
            timeout=timeout,
        )

    def get_file(self, envelope_id: Any, document_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download one document of an envelope.

        Returns the PDF of one document. Until everyone has signed, it is the prepared document without signatures. After that, it
        is a sealed PDF of this document alone or, for a vaulted envelope or one with auto-vault, a copy that is marked on every
        page. Both downloads are recorded in the audit trail.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/documents/{document_id}/file",
            params={"envelope_id": envelope_id, "document_id": document_id},
            timeout=timeout,
        )


class EnvelopesSignersIdentityQuestionsResource(_Resource):
    def replace(self, envelope_id: Any, slug: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Set the identity questions of a signer.

        Replaces the questions that the signer must answer before they can see the document. Answers are stored as hashes and
        never shown again. The envelope must have kba_required, and the signer must not have signed yet. Setting questions does
        not unlock a locked signer; use reset_identity_questions for that.

        `body`: questions
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/signers/{slug}/kba",
            params={"envelope_id": envelope_id, "slug": slug},
            body=body,
            timeout=timeout,
        )

    def reset(
        self,
        envelope_id: Any,
        slug: Any,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Reset the identity attempts of a signer.

        Unlocks a signer who gave too many wrong answers and starts counting attempts again. The questions stay the same.
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/signers/{slug}/kba/reset",
            params={"envelope_id": envelope_id, "slug": slug},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EnvelopesSignersIdentityResource(_Resource):
    def replace(self, envelope_id: Any, slug: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Set how a signer must prove who they are.

        Replaces the codes that a person must enter before they can see the document; an empty list requires none. If the
        organization demands an identity level (`min_identity_level` of `/org/security`), a code by e-mail is added where that
        reaches it; otherwise the answer is 422. For everyone who acts and has not acted yet. A code that they entered before must
        be entered again. A locked person stays locked; use reset_signer_identity for that. Identity questions are set apart from
        this.

        `body`: authentication
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/signers/{slug}/identity",
            params={"envelope_id": envelope_id, "slug": slug},
            body=body,
            timeout=timeout,
        )

    def reset(
        self,
        envelope_id: Any,
        slug: Any,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Let a signer try again to prove who they are.

        Unlocks a person after too many wrong codes or answers and starts counting attempts again. What is required stays the
        same.
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/signers/{slug}/identity/reset",
            params={"envelope_id": envelope_id, "slug": slug},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EnvelopesSignersResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.identity_questions = EnvelopesSignersIdentityQuestionsResource(caller)
        self.identity = EnvelopesSignersIdentityResource(caller)

    def update(
        self,
        envelope_id: Any,
        slug: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """Correct a signer.

        Corrects the e-mail address, name or language of a signer who has not opened the document yet. With a new address the
        signer gets a new `slug` and a new link, and the old link stops working. A signer who has opened the document cannot be
        corrected. Void the envelope and send a new one.

        `body`: [email], [name], [locale]
        """
        return self._caller.data(
            "PATCH",
            "/partner/envelopes/{envelope_id}/signers/{slug}",
            params={"envelope_id": envelope_id, "slug": slug},
            body={} if body is None else body,
            timeout=timeout,
        )

    def list(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the signers of an envelope.

        Returns the signers in signing order, in every status. Before the envelope is sent, the response contains the signers that
        are saved with it.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/signers",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def create_link(
        self,
        envelope_id: Any,
        slug: Any,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Create a signing link to hand over.

        Creates a link that you pass to a recipient of any kind yourself instead of our e-mail. It is shown once and is valid
        until the envelope expires. The audit trail records who created it, and a signature made with it is marked as made with a
        link that was handed over. Refused for a recipient who has acted.
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/signers/{slug}/link",
            params={"envelope_id": envelope_id, "slug": slug},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EnvelopesRecipientsResource(_Resource):
    def list(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the recipients of an envelope.

        Returns everyone whom the envelope is for, by step: signers, approvers, viewers and people who get a copy. Before the
        envelope is sent, the response contains the people that are saved with it.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/recipients",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add a recipient to a sent envelope.

        Adds an approver, a viewer or a person who gets a copy to an envelope that is sent or viewed. If the step is running, the
        person is invited at once; otherwise when it begins. Signers and people with fields are named before the envelope is sent.

        `body`: kind, email, name, [step], [locale], [message], [delivery]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/recipients",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def update(
        self,
        envelope_id: Any,
        recipient_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """Change a recipient of a sent envelope.

        Changes the name, e-mail address, step, message or language of a person who has not acted yet. With a new address, another
        person takes the place: the old link ends at once, the new person gets a link of their own, and consent and entries start
        again. The step cannot be below the one that is running.

        `body`: [email], [name], [step], [message], [locale]
        """
        return self._caller.data(
            "PATCH",
            "/partner/envelopes/{envelope_id}/recipients/{recipient_id}",
            params={"envelope_id": envelope_id, "recipient_id": recipient_id},
            body={} if body is None else body,
            timeout=timeout,
        )

    def delete(self, envelope_id: Any, recipient_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a recipient from a sent envelope.

        Removes a person who has not acted yet. Their links and tokens end at once. If they were the last open person of a step,
        the next step begins; if everyone else has acted, the envelope is completed. Fields that only they could fill in stay
        empty, and `warnings` names them. The last signer cannot be removed.
        """
        return self._caller.data(
            "DELETE",
            "/partner/envelopes/{envelope_id}/recipients/{recipient_id}",
            params={"envelope_id": envelope_id, "recipient_id": recipient_id},
            timeout=timeout,
        )


class EnvelopesResource(_Waiting):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.audit_trail = EnvelopesAuditTrailResource(caller)
        self.document = EnvelopesDocumentResource(caller)
        self.completion_certificate = EnvelopesCompletionCertificateResource(caller)
        self.fields = EnvelopesFieldsResource(caller)
        self.pages = EnvelopesPagesResource(caller)
        self.documents = EnvelopesDocumentsResource(caller)
        self.signers = EnvelopesSignersResource(caller)
        self.recipients = EnvelopesRecipientsResource(caller)

    def act(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Act on many envelopes.

        Does the same to up to 200 envelopes: `remind`, `void` (with `reason`), `discard`, `tag` and `untag` (with `tags`),
        `set_owner` (with `owner_user_id`). Each envelope is changed on its own: `done` lists those that were, `failed` the others
        with the reason. Idempotency-Key is not supported, because there is one transaction for each envelope; repeating a request
        changes nothing twice. All but `remind` need envelopes:write.

        `body`: action, envelope_ids, [tags], [owner_user_id], [reason]
        """
        return self._caller.data("POST", "/partner/envelopes/actions", body=body, timeout=timeout)

    def export(
        self,
        *,
        customer_id: Any = None,
        status: Any = None,
        stage: Any = None,
        external_id: Any = None,
        q: Any = None,
        created_from: Any = None,
        created_to: Any = None,
        tag: Any = None,
        owner: Any = None,
        recipient_email: Any = None,
        template_id: Any = None,
        batch_id: Any = None,
        form_id: Any = None,
        waiting_for: Any = None,
        discarded: Any = None,
        sort: Any = None,
        envelope_ids: Any = None,
        timeout: Optional[float] = None,
    ) -> Download:
        """Export envelopes as CSV.

        Returns the list as a CSV file in UTF-8, with the same filters and order as `list_envelopes`, only the envelopes of
        `envelope_ids` if it is given, and at most 100,000 rows; more are 422. Columns: envelope_id, envelope_name, status,
        customer_name, customer_email (both empty without customers:read), external_id, tags, owner, created_at, sent_at,
        signed_at, expires_at. A cell that a spreadsheet would run as a formula gets an apostrophe in front.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes.csv",
            query={
                "customer_id": customer_id,
                "status": status,
                "stage": stage,
                "external_id": external_id,
                "q": q,
                "created_from": created_from,
                "created_to": created_to,
                "tag": tag,
                "owner": owner,
                "recipient_email": recipient_email,
                "template_id": template_id,
                "batch_id": batch_id,
                "form_id": form_id,
                "waiting_for": waiting_for,
                "discarded": discarded,
                "sort": sort,
                "envelope_ids": envelope_ids,
            },
            timeout=timeout,
        )

    def download_documents(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Download:
        """Download the documents of many envelopes as ZIP.

        Returns the documents of up to 200 envelopes in one ZIP file, which is written while it is sent. Each document is the one
        that `GET /partner/envelopes/{envelope_id}/document` returns, under the same rules, and is recorded in the same way. File
        names are unique and made from the names of the envelopes. Documents that cannot be included are listed with the reason in
        `Not included.txt`; an envelope of another organization is listed as not found.

        `body`: envelope_ids
        """
        return self._caller.download("POST", "/partner/envelopes/documents.zip", body=body, timeout=timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create an envelope.

        Creates an envelope for a customer, who is created if the e-mail address is new. With `template_id` the envelope has the
        template's document and fields and can be sent at once. Without it the envelope is `pending` until you attach a document.
        Nothing is sent to signers yet. A key with `drafts:write` alone can change the draft until it is sent, and cannot send it.

        `body`: envelope_name, customer_email, customer_name, [template_id], [external_id], [prefilled_data], [secured_party],
        [record_type], [instrument], [maker_roles], [signers], [recipients], [kba_required], [auto_vault_enabled], [tags],
        [owner_user_id], [metadata], [message], [mail_subject], [signing_order], [expires_in_days], [reminders]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        customer_id: Any = None,
        status: Any = None,
        stage: Any = None,
        external_id: Any = None,
        q: Any = None,
        created_from: Any = None,
        created_to: Any = None,
        tag: Any = None,
        owner: Any = None,
        recipient_email: Any = None,
        template_id: Any = None,
        batch_id: Any = None,
        form_id: Any = None,
        waiting_for: Any = None,
        discarded: Any = None,
        sort: Any = None,
        expand: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List envelopes.

        Lists your envelopes, newest first unless you `sort`. Filter by customer, status, words, tag, owner or date, and use
        `expand` to include related objects. With any filter other than customer_id, status, external_id and dates, or with
        another order, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To follow envelopes as they
        change, use webhooks instead of polling this list.
        """
        return self._list(
            "/partner/envelopes",
            {},
            {
                "customer_id": customer_id,
                "status": status,
                "stage": stage,
                "external_id": external_id,
                "q": q,
                "created_from": created_from,
                "created_to": created_to,
                "tag": tag,
                "owner": owner,
                "recipient_email": recipient_email,
                "template_id": template_id,
                "batch_id": batch_id,
                "form_id": form_id,
                "waiting_for": waiting_for,
                "discarded": discarded,
                "sort": sort,
                "expand": expand,
                "page": page,
                "limit": limit,
            },
            "envelope_id",
            timeout,
        )

    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get an envelope.

        Returns an envelope with its settings. `metadata` contains the sender's options and, for a draft, the signers. Use
        `get_envelope_status` if you only need the status.
        """
        return self._caller.data("GET", "/partner/envelopes/{envelope_id}", params={"envelope_id": envelope_id}, timeout=timeout)

    def update(
        self,
        envelope_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update an envelope.

        Changes a draft. Fields that you leave out keep their values, and null clears a value. An envelope that has been sent
        returns 409, with two exceptions: `expires_at` and `reminders` can be changed while it is `sent` or `viewed`, and `tags`
        and `owner_user_id` in any status. With `drafts:write` alone, nothing can be changed after sending.

        `body`: [envelope_name], [external_id], [kba_required], [auto_vault_enabled], [secured_party], [maker_roles], [signers],
        [recipients], [tags], [owner_user_id], [prefilled_data], [expires_at], [message], [mail_subject], [signing_order],
        [expires_in_days], [reminders]
        """
        return self._caller.data(
            "PATCH",
            "/partner/envelopes/{envelope_id}",
            params={"envelope_id": envelope_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def discard(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Discard an envelope.

        Discards a draft. Its status becomes `voided` with the reason "discarded", and it stays in the list and the audit trail.
        Use `void_envelope` for an envelope that has been sent.
        """
        return self._caller.data(
            "DELETE",
            "/partner/envelopes/{envelope_id}",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def get_status(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the status of an envelope.

        Returns only the status of an envelope and whether it is vaulted and certified. Use it for polling: the response is small,
        and with `If-None-Match` it is 304 while nothing has changed. Webhooks are faster.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/status",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def duplicate(self, envelope_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Duplicate an envelope.

        Creates a new draft for the same customer with the document as it was uploaded, the fields, recipients, settings and tags
        of an envelope in any status. Values that were filled in, signatures, accepted terms, identity questions, `external_id`
        and `metadata` are not copied, and which codes people must enter only from a draft.
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/duplicate",
            params={"envelope_id": envelope_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def save_as_template(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Save an envelope as a template.

        Creates a template with the document as it was uploaded, the fields and the settings of an envelope in any status. Its
        roles are those of the recipients. Their names and e-mail addresses become part of the template only with `keep_people`;
        people without a role, such as viewers and cc, are then included too. With `drafts:write` alone, a key saves drafts that
        it created.

        `body`: name, [keep_people]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/template",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def send(
        self,
        envelope_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Send an envelope.

        Sends an envelope to its signers and freezes the document; several documents are combined into one. Settings that you
        leave out are taken from the draft, and so are its people with their `authentication` if you name none; 422 if one of
        those must enter an access code, which a draft does not keep. Signers without a signature field get one on an extra page
        at the end. Signers whose turn it is get an invitation. With auto-vault, `certification` is required.

        `body`: [signers], [recipients], [message], [mail_subject], [signing_order], [expires_in_days], [reminders],
        [certification]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/send",
            params={"envelope_id": envelope_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )

    def remind(
        self,
        envelope_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Remind signers.

        Sends a reminder by e-mail to the signers whose turn it is. Signers who were reminded a moment ago are skipped; if no
        signer is left, the response is 409 with `Retry-After`. For regular reminders, set `reminders` on the envelope instead.

        `body`: [emails]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/remind",
            params={"envelope_id": envelope_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def void(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Void an envelope.

        Ends an envelope before everyone has signed. Links stop working, and invited signers who have not signed get an e-mail
        with the reason. An envelope that is completed, declined or expired returns 409. With `drafts:write` alone, a key can
        discard drafts that it created, and void nothing that was sent. This cannot be undone.

        `body`: reason
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/void",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def preview(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Preview the signing page of a draft.

        Returns what the person with this role would see on the signing page if the draft was sent now. With `values` it also says
        which of them could not be signed. Nothing is stored, and the audit trail does not record it.

        beta May change in any release.

        `body`: role, [lang], [values]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/preview",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class TagsResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List tags.

        Returns all tags of your organization, at most 500, by name.
        """
        return self._caller.data("GET", "/partner/tags", timeout=timeout)

    def save(self, tag: Any, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Create or change a tag.

        Creates the tag in the path if it does not exist. `name` gives it another name on all its envelopes, and `colour` a
        colour. Names are compared without regard to case. A name that another tag has is 409.

        `body`: [name], [colour]
        """
        return self._caller.data(
            "PUT",
            "/partner/tags/{tag}",
            params={"tag": tag},
            body={} if body is None else body,
            timeout=timeout,
        )

    def delete(self, tag: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete a tag.

        Removes the tag from all envelopes and templates. The envelopes themselves stay as they are.
        """
        return self._caller.data("DELETE", "/partner/tags/{tag}", params={"tag": tag}, timeout=timeout)


class CertificationTermsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the certification terms.

        Returns the current terms that must be accepted before an envelope with auto-vault is sent or a document is deposited in
        the vault. Show the text to the person who accepts the terms, and send `terms_version` in `certification`.
        """
        return self._caller.data("GET", "/partner/certification-terms", timeout=timeout)


class BulkBatchesRowsResource(_Resource):
    def list(
        self,
        batch_id: Any,
        *,
        state: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List the rows of a bulk send.

        Lists the rows in the order of the file, each with its state, its problems and its envelope. The contents of rows are
        deleted some time after the end, by default 30 days.
        """
        return self._list(
            "/partner/bulk-batches/{batch_id}/rows",
            {"batch_id": batch_id},
            {"state": state, "page": page, "limit": limit},
            "row_no",
            timeout,
        )

    def export(self, batch_id: Any, *, state: Any = None, timeout: Optional[float] = None) -> Download:
        """Download the rows of a bulk send as CSV.

        Returns the rows as they were uploaded, with an additional column `errors`. With `state=invalid`, correct the file and
        upload it as another bulk send; the column `errors` is ignored. A cell that a spreadsheet would run as a formula gets an
        apostrophe in front, which an upload removes.
        """
        return self._caller.download(
            "GET",
            "/partner/bulk-batches/{batch_id}/rows.csv",
            params={"batch_id": batch_id},
            query={"state": state},
            timeout=timeout,
        )


class BulkBatchesResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.rows = BulkBatchesRowsResource(caller)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Upload a file for a bulk send.

        Takes a CSV file (UTF-8, at most 10 MB and 10,000 rows) with one row for each envelope from a template; `get_bulk_example`
        has its columns. `options` applies to every envelope. The rows are checked in the background, and nothing is sent before
        you start the bulk send.

        `body`, with a file: file, template_id, [options]
        """
        return self._caller.data(
            "POST",
            "/partner/bulk-batches",
            body=body,
            form={"files": ["file"], "json": ["options"], "only": True},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        state: Any = None,
        template_id: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List bulk sends.

        Lists the bulk sends of your organization, newest first. Use `batch_id` of `list_envelopes` for the envelopes of one.
        """
        return self._list(
            "/partner/bulk-batches",
            {},
            {"state": state, "template_id": template_id, "page": page, "limit": limit},
            "batch_id",
            timeout,
        )

    def start(
        self,
        batch_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Start a bulk send.

        Sends an envelope for each row that is ready, in the order of the file, from `checked` or `paused`. While another bulk
        send of your organization runs, it is `queued`. If the template was changed after the check, the response is 409
        `template_changed`; check the rows again with `retry_bulk_batch`.

        `body`: [accept_invalid], [certification]
        """
        return self._caller.data(
            "POST",
            "/partner/bulk-batches/{batch_id}/start",
            params={"batch_id": batch_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def cancel(self, batch_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a bulk send.

        Stops a bulk send that has not ended. Rows that were not begun are skipped; an envelope that was being sent in this moment
        is still sent. Envelopes that were sent stay: void them if they should end.
        """
        return self._caller.data(
            "POST",
            "/partner/bulk-batches/{batch_id}/cancel",
            params={"batch_id": batch_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def retry(self, batch_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Check the unsent rows of a bulk send again.

        Puts rows that failed or were skipped back and checks every row that was not sent against the template as it is now. From
        `ended`, `cancelled` and `paused`. The state becomes `checking` and then `checked`; start it to send these rows.
        """
        return self._caller.data(
            "POST",
            "/partner/bulk-batches/{batch_id}/retry",
            params={"batch_id": batch_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def get(self, batch_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a bulk send.

        Returns the state and the numbers of a bulk send. Poll it while the state is `checking`, `queued` or `running`.
        """
        return self._caller.data("GET", "/partner/bulk-batches/{batch_id}", params={"batch_id": batch_id}, timeout=timeout)


class FormsResource(_Resource):
    def list(self, *, template_id: Any = None, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List public forms.

        Lists the public forms of your organization, newest first. Use `template_id` to list the forms of one template.
        """
        return self._list("/partner/forms", {}, {"template_id": template_id, "page": page, "limit": limit}, "form_id", timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create a public form.

        Creates a public page from a template. A visitor enters a name and an e-mail address, confirms the address with a link and
        signs. Each visitor gets an envelope of their own. A form never vaults envelopes automatically; store them with
        vault-in-signed.

        `body`: template_id, [name], [settings]
        """
        return self._caller.data(
            "POST",
            "/partner/forms",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def get(self, form_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a public form.

        Returns a form with its address, its settings and its counts.
        """
        return self._caller.data("GET", "/partner/forms/{form_id}", params={"form_id": form_id}, timeout=timeout)

    def update(
        self,
        form_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Change a public form.

        Changes the members that you send, also within `settings`; `recipients` is replaced as a whole. Envelopes that visitors
        have started stay as they are. The address of a form never changes.

        `body`: [name], [settings]
        """
        return self._caller.data(
            "PATCH",
            "/partner/forms/{form_id}",
            params={"form_id": form_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def pause(self, form_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Pause a public form.

        Visitors read that the form is not open. Envelopes that they have started can still be signed.
        """
        return self._caller.data(
            "POST",
            "/partner/forms/{form_id}/pause",
            params={"form_id": form_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def resume(self, form_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Resume a public form.

        Opens a paused form again. Returns 422 if the template has changed so that its envelopes could not be sent.
        """
        return self._caller.data(
            "POST",
            "/partner/forms/{form_id}/resume",
            params={"form_id": form_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class ViewsResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List saved views.

        Returns your own saved views and those that are shared with every member, by position. A view is a name and the parameters
        of a list of envelopes. Views belong to people, so API keys get 403.
        """
        return self._caller.data("GET", "/views", timeout=timeout)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Save a view.

        Saves the parameters of a list of envelopes under a name. Without `position` it is the last of your views. Only members
        and admins can share a view. You can have 100 views, and there can be 100 shared ones.

        `body`: name, query, [shared], [position]
        """
        return self._caller.data("POST", "/views", body=body, idempotent=True, idempotency_key=idempotency_key, timeout=timeout)

    def update(self, view_id: Any, body: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Change a saved view.

        Changes the members that you send. With `shared` set to false, a shared view becomes your own. Only members and admins can
        change shared views.

        `body`: [name], [query], [shared], [position]
        """
        return self._caller.data(
            "PATCH",
            "/views/{view_id}",
            params={"view_id": view_id},
            body={} if body is None else body,
            timeout=timeout,
        )

    def delete(self, view_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete a saved view.

        Deletes one of your views, or a shared view, which only members and admins can delete. The envelopes stay as they are.
        """
        return self._caller.data("DELETE", "/views/{view_id}", params={"view_id": view_id}, timeout=timeout)


class NotificationsSettingsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Show what you are notified of.

        Returns for each kind whether you are notified in the console and by e-mail. Both are on until you change them.
        """
        return self._caller.data("GET", "/notifications/settings", timeout=timeout)

    def update(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Change what you are notified of.

        Changes the ways that you send. It counts from then on: notifications that exist stay.

        `body`: kinds
        """
        return self._caller.data("PATCH", "/notifications/settings", body=body, timeout=timeout)


class NotificationsResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.settings = NotificationsSettingsResource(caller)

    def list(self, *, unread: Any = None, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List your notifications.

        Lists what you were notified of, newest first, for 90 days. You are notified of envelopes that you sent; of one that an
        API key sent, its owner is; if neither is a member any more, every admin is. Notifications belong to people, so API keys
        get 403.
        """
        return self._list("/notifications", {}, {"unread": unread, "page": page, "limit": limit}, "notification_id", timeout)

    def read(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Mark notifications as read.

        Marks up to 100 of your notifications as read. Ids that are not yours are passed over. Returns how many are left.

        `body`: ids
        """
        return self._caller.data(
            "POST",
            "/notifications/read",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class OutboxResource(_Resource):
    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List messages in the outbox.

        Lists the e-mails that the organization sends, newest first, each with its state. Password resets and invitations belong
        to a person and are not listed. Without a mail server, and in a sandbox, messages wait here; those of a sandbox are kept
        for 7 days.
        """
        return self._list("/org/outbox", {}, {"page": page, "limit": limit}, "message_id", timeout)

    def get(self, message_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a message in the outbox.

        Returns one message with its text and HTML, for example to open the signing link in it during development. Works only in a
        sandbox, whose messages are never sent, and while no mail server is configured. Otherwise it returns 409, because only the
        recipient can read the text. Text and HTML are null after the message has expired.
        """
        return self._caller.data("GET", "/org/outbox/{message_id}", params={"message_id": message_id}, timeout=timeout)


class TestEnvelopesResource(_Resource):
    def sign(
        self,
        envelope_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Sign an envelope in place of its recipients.

        Runs the ceremony of each recipient who must act, in their order: signers agree, fill in their fields and sign with their
        typed name, approvers approve, and viewers confirm. Identity steps are recorded as passed. Every entry in the audit trail
        says `by: test_operation`, and so do the certificates. All of it takes effect, or, if someone cannot act, nothing. In an
        organization that is not a sandbox the path returns 404.

        `body`: [emails], [values]
        """
        return self._caller.data(
            "POST",
            "/test/envelopes/{envelope_id}/sign",
            params={"envelope_id": envelope_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def decline(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Decline an envelope in place of a recipient.

        Opens the envelope for a signer, who then declines, or for an approver, who then rejects it. The envelope ends for
        everyone, and the others are told as usual. The entries in the audit trail say `by: test_operation`. In an organization
        that is not a sandbox the path returns 404.

        `body`: email, [reason]
        """
        return self._caller.data(
            "POST",
            "/test/envelopes/{envelope_id}/decline",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def advance(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Let days pass for an envelope.

        Moves the deadlines of an open envelope earlier, its expiry and its next automatic reminder, and applies what is due: a
        reminder, the notice to the sender that it expires soon, or its end. At most one of each, also if more would have been
        due. A deadline that would lie in the past is now; the times of what has happened do not change. In an organization that
        is not a sandbox the path returns 404.

        `body`: days
        """
        return self._caller.data(
            "POST",
            "/test/envelopes/{envelope_id}/advance",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class TestEventsResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Send an event with sample data.

        Appends an event of a type that you choose, with sample data, and delivers it to every webhook endpoint of the sandbox
        that wants it. Nothing else changes: an `envelope.sent` sends no envelope. In an organization that is not a sandbox the
        path returns 404.

        `body`: event_type, [envelope_id]
        """
        return self._caller.data(
            "POST",
            "/test/events",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class TestMessagesResource(_Resource):
    def list(
        self,
        *,
        to: Any = None,
        envelope_id: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List captured e-mails of a sandbox.

        Lists the e-mails that a sandbox would have sent, newest first, with their text and links, for 7 days. Use it in tests to
        follow a signing link or to read a code. In an organization that is not a sandbox the path returns 404.
        """
        return self._list(
            "/test/messages",
            {},
            {"to": to, "envelope_id": envelope_id, "page": page, "limit": limit},
            "message_id",
            timeout,
        )


class TestResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.envelopes = TestEnvelopesResource(caller)
        self.events = TestEventsResource(caller)
        self.messages = TestMessagesResource(caller)


class MailTextsResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List the words of e-mails.

        Returns the organization's own words for e-mails to signers, the standard words of every kind in every language, and the
        placeholders that both can contain.
        """
        return self._caller.data("GET", "/org/mail-texts", timeout=timeout)

    def set(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Set the words of an e-mail.

        Replaces subject, introduction and footer of one kind of e-mail in one language. What you leave out is standard. Markup is
        shown as text. Link, deadline and warnings cannot be changed. A placeholder that does not exist returns 422 with its name.

        `body`: kind, locale, [subject], [intro], [footer]
        """
        return self._caller.data("PUT", "/org/mail-texts", body=body, timeout=timeout)

    def remove(self, *, kind: Any = None, locale: Any = None, timeout: Optional[float] = None) -> Any:
        """Restore the standard words of e-mails.

        Removes the organization's own words for one kind of e-mail in one language; without `kind` or `locale`, for every kind or
        language. Removing them again changes nothing.
        """
        return self._caller.data("DELETE", "/org/mail-texts", query={"kind": kind, "locale": locale}, timeout=timeout)

    def preview(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Preview the words of an e-mail.

        Returns an e-mail of one kind with the given words and sample values. With `send`, it is also mailed to you, and to no one
        else. Its link opens no document.

        `body`: kind, locale, [subject], [intro], [footer], [send]
        """
        return self._caller.data(
            "POST",
            "/org/mail-texts/preview",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class MailSenderResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the organization's e-mail sender.

        Returns the organization's own sender address with the DNS records to publish and what the last check found. `sender` is
        null if there is none and e-mails come from the installation's address.
        """
        return self._caller.data("GET", "/org/mail-sender", timeout=timeout)

    def set(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Set the organization's e-mail sender.

        Sets the address and name that e-mails to signers come from, and makes a key that signs them (DKIM). Publish the returned
        records, then check them. Until the DKIM record was found, the installation's address is used. With `smtp`, e-mails go out
        by your own mail server; leave it out to keep the stored one.

        `body`: from_name, from_address, [smtp], [new_key]
        """
        return self._caller.data("PUT", "/org/mail-sender", body=body, timeout=timeout)

    def remove(self, *, timeout: Optional[float] = None) -> Any:
        """Remove the organization's e-mail sender.

        Removes the sender and erases its key. E-mails come from the installation's address again. Removing it again changes
        nothing.
        """
        return self._caller.data("DELETE", "/org/mail-sender", timeout=timeout)

    def check(self, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Check the DNS records of the e-mail sender.

        Looks up the DKIM, SPF and DMARC records. When the DKIM record is found, e-mails come from your address from then on. When
        it is no longer found, they come from the installation's address again.
        """
        return self._caller.data(
            "POST",
            "/org/mail-sender/check",
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EmbedResource(_Resource):
    def create_token(
        self,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Create a token for an embedded widget.

        Creates a token that opens one widget of one envelope for one person, for 15 minutes. Load embed_url in a frame of your
        page, or pass the token to the widget. The sign widget needs the scope esign:write and an envelope that is sent or viewed;
        the vault widget needs vault:read and a vaulted envelope. At most 600 tokens an hour for each envelope and key or user.

        `body`: envelope_id, user_email, widget_type, [locale]
        """
        return self._caller.data(
            "POST",
            "/embed/token",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list_signing_links(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Create a signing link for each signer.

        Returns a new link for every signer of an envelope that is sent or viewed. Each link opens the signing page for 15
        minutes. Every call creates new links and is recorded in the audit trail.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/signing-links",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class LegalTextsResource(_Resource):
    def list(self, *, timeout: Optional[float] = None) -> Any:
        """List the current legal texts.

        Lists the texts that signers and senders are asked to accept, in every language, and whether a lawyer who practises in
        that language has read them. Every role can call it.
        """
        return self._caller.data("GET", "/org/legal-texts", timeout=timeout)


class WebhookEndpointsResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create a webhook endpoint.

        Registers a URL that receives the organization's events. The response contains the secret that signs deliveries; store it
        to verify signatures. Failed deliveries are retried on a schedule. An organization can have 20 endpoints.

        `body`: url, [description], [event_types], [enabled]
        """
        return self._caller.data(
            "POST",
            "/webhooks/endpoints",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List webhook endpoints.

        Lists the webhook endpoints of the organization, newest first, without their secrets.
        """
        return self._list("/webhooks/endpoints", {}, {"page": page, "limit": limit}, "endpoint_id", timeout)

    def get(self, endpoint_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a webhook endpoint.

        Returns one webhook endpoint without its secret. `failing_since` and `disabled_reason` show whether deliveries arrive.
        """
        return self._caller.data("GET", "/webhooks/endpoints/{endpoint_id}", params={"endpoint_id": endpoint_id}, timeout=timeout)

    def update(
        self,
        endpoint_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Update a webhook endpoint.

        Changes the fields that you send; the others keep their values. Disabling an endpoint cancels its pending deliveries.
        Enabling it, or giving it a new URL, resets its failure history. To send missed events, use `POST
        /webhooks/endpoints/{endpoint_id}/replay`.

        `body`: [url], [description], [event_types], [enabled]
        """
        return self._caller.data(
            "PATCH",
            "/webhooks/endpoints/{endpoint_id}",
            params={"endpoint_id": endpoint_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )

    def delete(self, endpoint_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Delete a webhook endpoint.

        Deletes an endpoint and cancels its pending deliveries. Past deliveries can still be read by their ID until they are
        erased, but not replayed.
        """
        return self._caller.data(
            "DELETE",
            "/webhooks/endpoints/{endpoint_id}",
            params={"endpoint_id": endpoint_id},
            timeout=timeout,
        )

    def get_statistics(self, endpoint_id: Any, *, days: Any = None, timeout: Optional[float] = None) -> Any:
        """Get statistics of a webhook endpoint.

        Returns the number of successful and failed attempts per day, including today, with the median and the 95th percentile of
        their duration. Counts are kept longer than deliveries; durations are null for days whose attempts have been deleted.
        """
        return self._caller.data(
            "GET",
            "/webhooks/endpoints/{endpoint_id}/statistics",
            params={"endpoint_id": endpoint_id},
            query={"days": days},
            timeout=timeout,
        )

    def get_secret(self, endpoint_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Show the secret of a webhook endpoint.

        Returns the current secret of an endpoint. Only admins can call it, and each call is recorded in the audit trail.
        """
        return self._caller.data(
            "GET",
            "/webhooks/endpoints/{endpoint_id}/secret",
            params={"endpoint_id": endpoint_id},
            timeout=timeout,
        )

    def rotate_secret(
        self,
        endpoint_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Rotate the secret of a webhook endpoint.

        Creates a new secret and returns it. Until the grace period ends, every delivery has one signature with the new secret and
        one with the previous secret, so receivers can switch at any time.

        `body`: [grace_period_seconds]
        """
        return self._caller.data(
            "POST",
            "/webhooks/endpoints/{endpoint_id}/rotate-secret",
            params={"endpoint_id": endpoint_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def test(self, endpoint_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Send a test event to a webhook endpoint.

        Sends a `webhook.test` event to this endpoint, regardless of its subscriptions. The request is sent after this response;
        read its result with `GET /webhooks/deliveries/{delivery_id}`. Returns 409 if the endpoint is disabled.
        """
        return self._caller.data(
            "POST",
            "/webhooks/endpoints/{endpoint_id}/test",
            params={"endpoint_id": endpoint_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class DeliveriesResource(_Resource):
    def list(
        self,
        endpoint_id: Any,
        *,
        status: Any = None,
        event_type: Any = None,
        event_id: Any = None,
        created_from: Any = None,
        created_to: Any = None,
        since: Any = None,
        until: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List delivery attempts of a webhook endpoint.

        Lists every attempt to deliver an event to this endpoint, newest first, with the receiver's response. A delivery has
        several attempts if it was retried or replayed. Attempts are kept for 30 days by default, and for up to a week longer.
        """
        return self._list(
            "/webhooks/endpoints/{endpoint_id}/deliveries",
            {"endpoint_id": endpoint_id},
            {
                "status": status,
                "event_type": event_type,
                "event_id": event_id,
                "created_from": created_from,
                "created_to": created_to,
                "since": since,
                "until": until,
                "page": page,
                "limit": limit,
            },
            "attempt_id",
            timeout,
        )

    def get(self, delivery_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a delivery with its payload and attempts.

        Returns one delivery with the exact payload, and its attempts, newest first. Use it to see why a receiver did not accept
        an event.
        """
        return self._caller.data(
            "GET",
            "/webhooks/deliveries/{delivery_id}",
            params={"delivery_id": delivery_id},
            timeout=timeout,
        )

    def replay(self, delivery_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Replay a delivery.

        Sends the same event with the same bytes again, with a new timestamp, signature and retry schedule. The `webhook-id` stays
        the same, so receivers can recognize the event. Returns 409 if the endpoint is disabled or deleted.
        """
        return self._caller.data(
            "POST",
            "/webhooks/deliveries/{delivery_id}/replay",
            params={"delivery_id": delivery_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def replay_range(
        self,
        endpoint_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Replay the deliveries of a time range.

        Sends this endpoint's deliveries again that were created or attempted in a time range, by default the failed and cancelled
        ones. Use it after an outage of your receiver. One call sends at most 10,000, the oldest first; call again with
        `next_after` as `after` for the rest. Returns 409 if the endpoint is disabled.

        `body`: since, [until], [status], [event_types], [dry_run], [after]
        """
        return self._caller.data(
            "POST",
            "/webhooks/endpoints/{endpoint_id}/replay",
            params={"endpoint_id": endpoint_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class EventsResource(_Resource):
    def list(
        self,
        *,
        event_type: Any = None,
        envelope_id: Any = None,
        created_from: Any = None,
        created_to: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List events.

        Lists the organization's events, newest first, as they were sent to webhook endpoints; also without any endpoint. Use it
        after downtime, or to work without a public URL. An event whose transaction took long can appear a little later than newer
        ones, so read the last minute again when you follow the list. `meta.total` stops at 10,000 with `meta.total_capped`, and
        later pages are 422: use `created_to` to go back further. Events are kept for 400 days by default.
        """
        return self._list(
            "/webhooks/events",
            {},
            {
                "event_type": event_type,
                "envelope_id": envelope_id,
                "created_from": created_from,
                "created_to": created_to,
                "page": page,
                "limit": limit,
            },
            "event_id",
            timeout,
        )

    def get(self, event_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get an event.

        Returns one event as it was sent. Written as JSON without spaces, it has the bytes that deliveries sign.
        """
        return self._caller.data("GET", "/webhooks/events/{event_id}", params={"event_id": event_id}, timeout=timeout)


class EventTypesResource(_Resource):
    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List event types.

        Lists every event type with the JSON schema of its data. Events of a `reserved` type are not sent yet; endpoints can
        already subscribe to them.
        """
        return self._list("/webhooks/event-types", {}, {"page": page, "limit": limit}, "event_type", timeout)


class OrgResource(_Resource):
    def get_transparency(self, *, timeout: Optional[float] = None) -> Any:
        """Get the state of the log.

        Returns the public name and keys of the installation's log, its latest checkpoint, the witnesses that cosign it, what a
        witness objects to, and the installation's keys by generation. The log contains the hashes of the audit entries of all
        organizations. Every role can call it.
        """
        return self._caller.data("GET", "/org/transparency", timeout=timeout)


class VaultAttestationsResource(_Resource):
    def create(
        self,
        envelope_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add an attestation to a vaulted original.

        Corrects or completes what was declared about an original that was signed elsewhere. Earlier attestations stay on record.
        The latest one is used from the next evaluation on; call evaluate_compliance to evaluate now.

        `body`: [attested_by], [signers], [paper], [external]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/attestations",
            params={"envelope_id": envelope_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class VaultStatisticsResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get statistics of the vault.

        Returns how many records the vault has, by the standing of their latest certificate. The list of the vault has the same
        records. Use it for a dashboard.
        """
        return self._caller.data("GET", "/org/vault-statistics", timeout=timeout)


class VaultCopyResource(_Resource):
    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download a marked copy of a vaulted document.

        Returns a PDF in which every page is marked as a copy. The authoritative copy itself can leave the vault only through a
        vault export. Each download is recorded in the access log. The header X-Authoritative-Sha256 contains the SHA-256 of the
        authoritative copy.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/vault/copy",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class VaultEvidenceResource(_Resource):
    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the evidence bundle.

        Returns a ZIP file with a marked copy of the document and everything that is needed to verify it without this service:
        audit trail, certificate, proofs and keys. Each download is recorded in the access log.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/vault/evidence",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class VaultAccessesResource(_Resource):
    def list(self, envelope_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List accesses to a vaulted document.

        Returns who opened or downloaded a vaulted document, its certificate, its evidence bundle or an export package, newest
        first.
        """
        return self._list(
            "/partner/envelopes/{envelope_id}/vault/access-log",
            {"envelope_id": envelope_id},
            {"page": page, "limit": limit},
            "seq",
            timeout,
        )


class VaultExportsPackageResource(_Resource):
    def get(self, export_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the package of a vault export.

        Returns the encrypted package while the export is escrowed or acknowledged. The key that decrypts it is in the response of
        acknowledge_vault_export. Each download is recorded in the access log.
        """
        return self._caller.download(
            "GET",
            "/partner/vault-exports/{export_id}/package",
            params={"export_id": export_id},
            timeout=timeout,
        )


class VaultExportsResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.package = VaultExportsPackageResource(caller)

    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Start a vault export.

        Packs the authoritative copy and its evidence for a recipient and encrypts the package. Until the export is acknowledged,
        cancelled or expires after 14 days, the copy is escrowed: it cannot be transferred or exported again. Refused while a
        legal hold or a pending custody transfer exists. The recipient gets an e-mail with a link to download the package and to
        acknowledge it. If a secured party or a pledgee must confirm the export, the response is 202 with an act, and the export
        starts when they have confirmed it.

        `body`: recipient, reason
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/vault-out",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        envelope_id: Any = None,
        status: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List vault exports.

        Returns the vault exports of the organization, newest first.
        """
        return self._list(
            "/partner/vault-exports",
            {},
            {"envelope_id": envelope_id, "status": status, "page": page, "limit": limit},
            "export_id",
            timeout,
        )

    def get(self, export_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a vault export.

        Returns one vault export. After it is acknowledged, the response contains the signed receipt, but never the key.
        """
        return self._caller.data("GET", "/partner/vault-exports/{export_id}", params={"export_id": export_id}, timeout=timeout)

    def acknowledge(self, export_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Acknowledge a vault export.

        Confirms for the recipient that the package has arrived. From then on the authoritative copy has left the vault. The
        response contains the key of the package and a signed receipt. If the response is lost, repeat the request within 24
        hours; after that only the recipient gets the key. The person who started the export cannot acknowledge it, with whatever
        key. Under the control policy confirmed, only the recipient acknowledges it, with the link in the e-mail.

        `body`: package_sha256
        """
        return self._caller.data(
            "POST",
            "/partner/vault-exports/{export_id}/acknowledge",
            params={"export_id": export_id},
            body=body,
            timeout=timeout,
        )

    def cancel(self, export_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a vault export.

        Ends an export that was not acknowledged. The authoritative copy stays in the vault, and the package can never be
        decrypted.
        """
        return self._caller.data(
            "POST",
            "/partner/vault-exports/{export_id}/cancel",
            params={"export_id": export_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class VaultEndingsCertificateResource(_Resource):
    def get(self, ending_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the certificate of how a record ended.

        Returns the sealed certificate of conversion to paper, or of destruction, as a PDF.
        """
        return self._caller.download(
            "GET",
            "/partner/record-endings/{ending_id}/certificate",
            params={"ending_id": ending_id},
            timeout=timeout,
        )


class VaultEndingsResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.certificate = VaultEndingsCertificateResource(caller)

    def list(
        self,
        *,
        envelope_id: Any = None,
        kind: Any = None,
        status: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List records that ended.

        Returns conversions to paper and destructions of the organization's records, newest first.
        """
        return self._list(
            "/partner/record-endings",
            {},
            {"envelope_id": envelope_id, "kind": kind, "status": status, "page": page, "limit": limit},
            "ending_id",
            timeout,
        )

    def get(self, ending_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get how a record ended.

        Returns one conversion to paper or destruction.
        """
        return self._caller.data("GET", "/partner/record-endings/{ending_id}", params={"ending_id": ending_id}, timeout=timeout)

    def cancel(self, ending_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a conversion to paper.

        Returns the record to the vault, before the recipient has downloaded the PDF for printing. Afterwards the paper may exist,
        and it is 409.
        """
        return self._caller.data(
            "POST",
            "/partner/record-endings/{ending_id}/cancel",
            params={"ending_id": ending_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class VaultSecuredPartyResource(_Resource):
    def designate(self, envelope_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Designate the first secured party.

        Records the party to which the record is assigned, before or after vaulting. It satisfies compliance check 8 from the next
        evaluation on. To replace a party that is on record, use assign_record.

        `body`: name, [role], [address], [email], [identifier]
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/secured-party",
            params={"envelope_id": envelope_id},
            body=body,
            timeout=timeout,
        )


class VaultAssignmentsResource(_Resource):
    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Assign the record to another party.

        Makes another party the assignee of the record. You attest that the current secured party has consented: not before it was
        recorded, and by one of its people if it has any. Refused while the copy is escrowed, after it was exported, while it is
        pledged, and under the control policy confirmed: propose an act of kind assign, which the parties confirm themselves.

        `body`: secured_party, consent, [present_seq]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/assignments",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, envelope_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List the assignments of a record.

        Returns the register of assignees of an envelope, newest first.
        """
        return self._list(
            "/partner/envelopes/{envelope_id}/assignments",
            {"envelope_id": envelope_id},
            {"page": page, "limit": limit},
            "seq",
            timeout,
        )


class VaultPossibleDuplicatesResource(_Resource):
    def list(self, *, envelope_id: Any = None, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List records that may be the same document.

        Returns each vaulted record that has its file, its words or its declared instrument in common with another one and that no
        one has compared with it yet, newest first. Copies that left the vault or were destroyed count too. Check 1 is not
        satisfied for these records from their next evaluation on. A pair can be listed twice, once for each record.
        """
        return self._list(
            "/partner/possible-duplicates",
            {},
            {"envelope_id": envelope_id, "page": page, "limit": limit},
            "envelope_id",
            timeout,
        )


class VaultDuplicateReviewsResource(_Resource):
    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Record that two records were compared.

        Records what a person found who compared a vaulted record with one that is alike. That person must be another one than the
        depositor of the record: all keys that one person created count as that person. The record is then evaluated again, and
        check 1 is attested. The other record needs a review of its own.

        `body`: other_envelope_id, statement
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/duplicate-review",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class VaultRetentionResource(_Resource):
    def extend(self, envelope_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Extend the retention of an authoritative copy.

        Extends the retention of an authoritative copy to a later date. An earlier date is refused; the same date changes nothing.

        `body`: retention_until
        """
        return self._caller.data(
            "PUT",
            "/partner/envelopes/{envelope_id}/vault/retention",
            params={"envelope_id": envelope_id},
            body=body,
            timeout=timeout,
        )


class VaultLegalHoldsResource(_Resource):
    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Place a legal hold.

        Keeps an authoritative copy in the vault until the hold is released. It cannot be exported, and an export that has already
        started cannot be acknowledged. A copy can have several holds at once.

        `body`: reason
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/vault/legal-hold",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, envelope_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List legal holds.

        Returns the legal holds on an authoritative copy, newest first, including released ones.
        """
        return self._list(
            "/partner/envelopes/{envelope_id}/vault/legal-hold",
            {"envelope_id": envelope_id},
            {"page": page, "limit": limit},
            "hold_id",
            timeout,
        )

    def release(self, envelope_id: Any, hold_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Release a legal hold.

        Ends one hold; other holds on the copy stay in force. The hold stays in the list. Releasing it again changes nothing.
        """
        return self._caller.data(
            "DELETE",
            "/partner/envelopes/{envelope_id}/vault/legal-hold/{hold_id}",
            params={"envelope_id": envelope_id, "hold_id": hold_id},
            timeout=timeout,
        )


class VaultResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.attestations = VaultAttestationsResource(caller)
        self.statistics = VaultStatisticsResource(caller)
        self.copy = VaultCopyResource(caller)
        self.evidence = VaultEvidenceResource(caller)
        self.accesses = VaultAccessesResource(caller)
        self.exports = VaultExportsResource(caller)
        self.endings = VaultEndingsResource(caller)
        self.secured_party = VaultSecuredPartyResource(caller)
        self.assignments = VaultAssignmentsResource(caller)
        self.possible_duplicates = VaultPossibleDuplicatesResource(caller)
        self.duplicate_reviews = VaultDuplicateReviewsResource(caller)
        self.retention = VaultRetentionResource(caller)
        self.legal_holds = VaultLegalHoldsResource(caller)

    def deposit_signed(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Vault a completed envelope.

        Stores the signed document of a completed envelope as its authoritative copy, for envelopes without auto_vault_enabled.
        The certification terms must be accepted. Returns 200 with the certificate when the envelope is vaulted, or 202 after 30
        seconds while the work continues. The events vault.stored and vault.compliance.passed or vault.compliance.failed follow.

        `body`: certification, [secured_party]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/vault-in-signed",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def deposit_upload(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Vault an original that was signed elsewhere.

        Stores an uploaded document, signed on paper or in another system, as the authoritative copy of its envelope. The
        attestation contains what the depositor declares about the original; the optional file is the other system's record (PDF,
        PNG, JPEG or JSON). Returns 200 with the certificate when the envelope is vaulted, or 202 after 30 seconds while the work
        continues. The document must come from an upload and must not be blank. A document that the vault already has, also with
        something appended or as a copy that left, is refused.

        `body`: source, certification, [secured_party], [attestation], [record_type], [instrument], [export_receipt]

        `body`, with a file: evidence, payload
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/vault-in-upload",
            params={"envelope_id": envelope_id},
            body=body,
            form={"files": ["evidence"], "json": ["payload"], "only": False},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        state: Any = None,
        source: Any = None,
        signed_here: Any = None,
        passed: Any = None,
        standing: Any = None,
        customer_id: Any = None,
        custodian_user_id: Any = None,
        q: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List vaulted envelopes.

        Returns the vaulted envelopes of the organization with the score of their latest certificate, newest first. For a member
        with the role custodian: those of which they are the present or the requested custodian. With `q`, `meta.total` stops at
        10,000 with `meta.total_capped`, and later pages are 422.
        """
        return self._list(
            "/partner/vault",
            {},
            {
                "state": state,
                "source": source,
                "signed_here": signed_here,
                "passed": passed,
                "standing": standing,
                "customer_id": customer_id,
                "custodian_user_id": custodian_user_id,
                "q": q,
                "page": page,
                "limit": limit,
            },
            "envelope_id",
            timeout,
        )

    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the vault record of an envelope.

        Returns what the vault holds for an envelope: the authoritative copy with its hash and retention, its custodian, its
        secured party and its latest certificate.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/vault",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )


class ComplianceCertificateResource(_Resource):
    def get(self, envelope_id: Any, *, format: Any = None, timeout: Optional[float] = None) -> Download:
        """Download the latest compliance certificate.

        Returns the certificate of the latest evaluation as a sealed PDF, as data, or as the JSON file whose hash is on record.
        Each download is recorded in the access log.
        """
        return self._caller.download(
            "GET",
            "/partner/envelopes/{envelope_id}/vault/certificate",
            params={"envelope_id": envelope_id},
            query={"format": format},
            timeout=timeout,
        )


class ComplianceResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.certificate = ComplianceCertificateResource(caller)

    def get(self, envelope_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the compliance result of an envelope.

        Returns the eight checks of the latest certificate. Before the envelope is vaulted, it returns a preview of what an
        evaluation would find now, and certificate_path is null.
        """
        return self._caller.data(
            "GET",
            "/partner/envelopes/{envelope_id}/compliance",
            params={"envelope_id": envelope_id},
            timeout=timeout,
        )

    def evaluate(self, envelope_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Evaluate a vaulted envelope again.

        Reads the stored copy again, runs the eight checks, and issues a new revision of the certificate. Use it after adding an
        attestation or a secured party. The event vault.compliance.passed or vault.compliance.failed follows.
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/compliance",
            params={"envelope_id": envelope_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class CustodyTransfersResource(_Resource):
    def create(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Start a custody transfer.

        Asks another member to become the custodian of an authoritative copy. The current custodian stays responsible until the
        transfer is accepted. A copy has at most one pending transfer. It expires after expires_in_days (default 7, at most 90).
        The event custodian.transfer follows.

        `body`: to_user_id, [reason], [expires_in_days]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/custody-transfers",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        to_user_id: Any = None,
        from_user_id: Any = None,
        envelope_id: Any = None,
        status: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List custody transfers.

        Returns the custody transfers of the organization, newest first. For a member with the role custodian: those of the
        records that they keep.
        """
        return self._list(
            "/partner/custody-transfers",
            {},
            {
                "to_user_id": to_user_id,
                "from_user_id": from_user_id,
                "envelope_id": envelope_id,
                "status": status,
                "page": page,
                "limit": limit,
            },
            "permission_id",
            timeout,
        )

    def get(self, permission_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a custody transfer.

        Returns one custody transfer with its status and reason.
        """
        return self._caller.data(
            "GET",
            "/partner/custody-transfers/{permission_id}",
            params={"permission_id": permission_id},
            timeout=timeout,
        )

    def accept(self, permission_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Accept a custody transfer.

        Makes the receiving member the custodian and releases the previous one. Another person than the one who started the
        transfer must accept; all keys that one person created count as that person. In a console session only the receiving
        member can accept, and under the control policy confirmed only that member's own session or key. A secured party that must
        confirm the act does so first.
        """
        return self._caller.data(
            "POST",
            "/partner/custody-transfers/{permission_id}/accept",
            params={"permission_id": permission_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def reject(
        self,
        permission_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Reject a custody transfer.

        Ends a pending transfer; the custodian stays the same. The same credential rules apply as for accepting.

        `body`: [reason]
        """
        return self._caller.data(
            "POST",
            "/partner/custody-transfers/{permission_id}/reject",
            params={"permission_id": permission_id},
            body={} if body is None else body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def cancel(self, permission_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a custody transfer.

        Withdraws a pending transfer; the custodian stays the same. The credential that started the transfer can cancel it.
        """
        return self._caller.data(
            "POST",
            "/partner/custody-transfers/{permission_id}/cancel",
            params={"permission_id": permission_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class CustodyCustodiansResource(_Resource):
    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List custodians.

        Lists the people who are or can become custodians of authoritative copies, by name, with the number of their copies. Use
        it to choose the new custodian for a transfer. A member with the role custodian finds only themselves.
        """
        return self._list("/partner/custodians", {}, {"page": page, "limit": limit}, "user_id", timeout)


class CustodyResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.transfers = CustodyTransfersResource(caller)
        self.custodians = CustodyCustodiansResource(caller)


class RemoteVaultsResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Pin another vault.

        Pins an organization of another installation, so that records can move between the two. The root must be known from
        elsewhere: the service fetches the trust document of that address and answers 422 unless this root has signed it. The
        other organization must pin this one too.

        `body`: url, root_sha256, org_id, [name]
        """
        return self._caller.data(
            "POST",
            "/partner/remote-vaults",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List pinned vaults.

        Returns the vaults that this organization has pinned, newest first.
        """
        return self._list("/partner/remote-vaults", {}, {"page": page, "limit": limit}, "vault_id", timeout)

    def delete(self, vault_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Unpin another vault.

        Ends the link: nothing moves to or from this vault any more, and its open requests to you are closed. 409 while a transfer
        with it is under way, and while a party of yours that it stands for is asked by an open act, controls a record or holds a
        pledge on one.
        """
        return self._caller.data("DELETE", "/partner/remote-vaults/{vault_id}", params={"vault_id": vault_id}, timeout=timeout)


class VaultTransfersResource(_Resource):
    def list(
        self,
        *,
        direction: Any = None,
        state: Any = None,
        envelope_id: Any = None,
        updated_since: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List vault transfers.

        Returns the transfers of records to and from other vaults, newest first. A credential with vault:release sees those out,
        one with vault:write those in. Poll with updated_since: transfers dispatch no events of their own.
        """
        return self._list(
            "/partner/vault-transfers",
            {},
            {
                "direction": direction,
                "state": state,
                "envelope_id": envelope_id,
                "updated_since": updated_since,
                "page": page,
                "limit": limit,
            },
            "transfer_id",
            timeout,
        )

    def get(self, transfer_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a vault transfer.

        Returns one transfer, as this organization's side has it.
        """
        return self._caller.data(
            "GET",
            "/partner/vault-transfers/{transfer_id}",
            params={"transfer_id": transfer_id},
            timeout=timeout,
        )

    def messages(self, transfer_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the messages of a vault transfer.

        Returns every message of a transfer, sent and received, with its signature. Each can be handed to the other vault as a
        file if the two cannot reach each other.
        """
        return self._caller.data(
            "GET",
            "/partner/vault-transfers/{transfer_id}/messages",
            params={"transfer_id": transfer_id},
            timeout=timeout,
        )

    def receive(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Hand over a message of another vault.

        Takes a message of another vault that came as a file, as if that vault had sent it. It must be for this organization. A
        repeated message changes nothing.

        `body`: bytes, signature
        """
        return self._caller.data("POST", "/partner/vault-transfers/messages", body=body, timeout=timeout)

    def accept(
        self,
        transfer_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Accept a record of another vault.

        Accepts an offered record, and names the customer that it will belong to and its custodian. The sender then packs it;
        after this vault has verified the package, the sender releases it, and it is stored here as a new envelope.

        `body`: customer_id, custodian_user_id
        """
        return self._caller.data(
            "POST",
            "/partner/vault-transfers/{transfer_id}/accept",
            params={"transfer_id": transfer_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def refuse(self, transfer_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Refuse a record of another vault.

        Refuses an offered record. Possible until it is stored here; the sender's copy then stays, or is again, the original.
        """
        return self._caller.data(
            "POST",
            "/partner/vault-transfers/{transfer_id}/refuse",
            params={"transfer_id": transfer_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def cancel(self, transfer_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a vault transfer.

        Takes an offer back. 409 once the record is released, because from then on it is the other vault's.
        """
        return self._caller.data(
            "POST",
            "/partner/vault-transfers/{transfer_id}/cancel",
            params={"transfer_id": transfer_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class RegistryResource(_Resource):
    def get(self, *, timeout: Optional[float] = None) -> Any:
        """Get the registry.

        Returns the registry with which changes of control are registered, and how many acts wait for it. `registry` is null if
        there is none.
        """
        return self._caller.data("GET", "/org/registry", timeout=timeout)

    def set(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Set the registry.

        Sets the registry, or replaces its address, mode and kinds. With mode gate, an act of one of the kinds waits in the state
        registering after everyone has confirmed it: the registry is sent the act, signed as webhooks are, and answers {accepted,
        reference}. Acts that wait when the address changes are sent to the new one. docs/vault-api.md has the request and the
        answer.

        `body`: url, mode, kinds, [new_secret]
        """
        return self._caller.data("PUT", "/org/registry", body=body, timeout=timeout)

    def remove(self, *, timeout: Optional[float] = None) -> Any:
        """Remove the registry.

        Removes the registry. Returns 409 while acts wait for its answer: cancel them, or wait for the answer.
        """
        return self._caller.data("DELETE", "/org/registry", timeout=timeout)


class PartiesPeopleResource(_Resource):
    def add(
        self,
        party_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Add a person who acts for a party.

        Adds a person by e-mail address, or changes their name and rights. Once an approver of the party has logged in, the party
        decides: the response is 202 with an act that one of its approvers confirms. If none of them can be reached, an admin
        sends approvers_lost with a reason: another admin confirms that act, all people whose address is known for the party are
        told, and after 14 days without an objection it takes effect. What the party confirms from then on is attested at most.

        `body`: email, name, rights, [approvers_lost], [reason]
        """
        return self._caller.data(
            "POST",
            "/partner/parties/{party_id}/people",
            params={"party_id": party_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def remove(self, party_id: Any, person_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Remove a person from a party.

        The person can no longer act for the party. Once an approver of the party has logged in, the party decides: the response
        is 202 with an act that one of its approvers confirms. The last approver cannot be removed.
        """
        return self._caller.data(
            "DELETE",
            "/partner/parties/{party_id}/people/{person_id}",
            params={"party_id": party_id, "person_id": person_id},
            timeout=timeout,
        )


class PartiesResource(_Resource):
    def __init__(self, caller: _Caller) -> None:
        super().__init__(caller)
        self.people = PartiesPeopleResource(caller)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Create a party.

        Adds a party to which records can be assigned or pledged. Its approvers confirm acts at /p/, with a passkey or a code sent
        to their address. You name the first ones: that they act for the party is your statement, and certificates say so. A party
        of kind vault is asked by a signed message to its installation, where a member decides; that this installation acts for
        the party rests on your pinning its root.

        `body`: kind, name, [identifier], [address], [people], [org_id], [vault_id]
        """
        return self._caller.data(
            "POST",
            "/partner/parties",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        kind: Any = None,
        search: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List parties.

        Returns the parties of the organization by name, with the people who act for them.
        """
        return self._list(
            "/partner/parties",
            {},
            {"kind": kind, "search": search, "page": page, "limit": limit},
            "party_id",
            timeout,
        )

    def get(self, party_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a party.

        Returns one party with the people who act for it.
        """
        return self._caller.data("GET", "/partner/parties/{party_id}", params={"party_id": party_id}, timeout=timeout)

    def update(
        self,
        party_id: Any,
        body: Optional[Mapping[str, Any]] = None,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Change a party.

        Changes name, identifier or address. Registers, acts and certificates keep what they said.

        `body`: [name], [identifier], [address]
        """
        return self._caller.data(
            "PATCH",
            "/partner/parties/{party_id}",
            params={"party_id": party_id},
            body={} if body is None else body,
            if_match=if_match,
            timeout=timeout,
        )


class ActsResource(_Resource):
    def propose(
        self,
        envelope_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Propose an act on a vaulted record.

        Proposes a change of who controls or keeps the record. It takes effect when everyone in needs has confirmed, or
        immediately if no one is asked. After 14 days it expires, and it is superseded when another act takes effect first. What
        each kind needs is in docs/vault-api.md. transfer_out, export_out, paper_out and destroy also need the scope
        vault:release.

        `body`: kind, reason, present_version, [party_id], [share_bp], [user_id], [hold_id], [vault_id], [recipient]
        """
        return self._caller.data(
            "POST",
            "/partner/envelopes/{envelope_id}/acts",
            params={"envelope_id": envelope_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        state: Any = None,
        envelope_id: Any = None,
        party_id: Any = None,
        updated_since: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List acts.

        Returns the acts of the organization, newest first. Poll with updated_since to learn about decisions. For a member with
        the role custodian: the acts on the records that they keep.
        """
        return self._list(
            "/partner/acts",
            {},
            {
                "state": state,
                "envelope_id": envelope_id,
                "party_id": party_id,
                "updated_since": updated_since,
                "page": page,
                "limit": limit,
            },
            "act_id",
            timeout,
        )

    def requests(self, *, timeout: Optional[float] = None) -> Any:
        """List acts of others that ask this organization.

        Returns the open acts of other organizations of this installation in which yours is a party, newest first.
        """
        return self._caller.data("GET", "/partner/act-requests", timeout=timeout)

    def get(self, act_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get an act.

        Returns one act with its document, those it asks, and their decisions; also an act of another organization that asks
        yours.
        """
        return self._caller.data("GET", "/partner/acts/{act_id}", params={"act_id": act_id}, timeout=timeout)

    def decide(self, act_id: Any, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Confirm or refuse an act.

        Decides for this organization: as a party to another organization's act, as an admin, or as the custodian who receives a
        record. sha256 must be that of the act you read. No one decides about what they proposed, or decides twice; all keys that
        one person created count as that person. Idempotency-Key is not supported, because an act of another organization is
        decided in that organization's transaction: after a lost response, read the act.

        `body`: decision, sha256, [reason]
        """
        return self._caller.data("POST", "/partner/acts/{act_id}/decision", params={"act_id": act_id}, body=body, timeout=timeout)

    def cancel(self, act_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel an act.

        Withdraws an open act of your organization. Nothing changes for the record.
        """
        return self._caller.data(
            "POST",
            "/partner/acts/{act_id}/cancel",
            params={"act_id": act_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def messages(self, act_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the messages about an act.

        Returns every message about an act of yours that asks another installation, sent and received, with its signature. The
        request can be handed to the other side as a file if the two installations cannot reach each other.
        """
        return self._caller.data("GET", "/partner/acts/{act_id}/messages", params={"act_id": act_id}, timeout=timeout)

    def items(self, act_id: Any, *, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> Any:
        """List the records that an act is about.

        Returns the records of an act on many, in the order of the Merkle tree whose root its document names; also of an act of
        another organization that asks yours.
        """
        return self._caller.data(
            "GET",
            "/partner/acts/{act_id}/items",
            params={"act_id": act_id},
            query={"page": page, "limit": limit},
            timeout=timeout,
        )

    def csv(self, act_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the records that an act is about as CSV.

        Returns all records of an act on many, for spreadsheets.
        """
        return self._caller.download("GET", "/partner/acts/{act_id}/items.csv", params={"act_id": act_id}, timeout=timeout)


class RemoteRequestsResource(_Resource):
    def list(
        self,
        *,
        state: Any = None,
        updated_since: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List requests of other installations.

        Returns the acts of organizations at other installations that ask yours, newest first. Only vaults that you have pinned
        can ask. Poll with updated_since.
        """
        return self._list(
            "/partner/remote-requests",
            {},
            {"state": state, "updated_since": updated_since, "page": page, "limit": limit},
            "request_id",
            timeout,
        )

    def get(self, request_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a request of another installation.

        Returns one request with the document of the act.
        """
        return self._caller.data(
            "GET",
            "/partner/remote-requests/{request_id}",
            params={"request_id": request_id},
            timeout=timeout,
        )

    def decide(
        self,
        request_id: Any,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Confirm or refuse a request of another installation.

        Decides for this organization. sha256 must be that of the document you read. The decision is signed by this installation
        and sent to the other one, with the name and e-mail address of the member who decided, or who created the key. It cannot
        be withdrawn.

        `body`: decision, sha256, [reason]
        """
        return self._caller.data(
            "POST",
            "/partner/remote-requests/{request_id}/decision",
            params={"request_id": request_id},
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def messages(self, request_id: Any, *, timeout: Optional[float] = None) -> Any:
        """List the messages of a request.

        Returns every message of a request of another installation, sent and received, with its signature. The decision can be
        handed to the other side as a file if the two installations cannot reach each other.
        """
        return self._caller.data(
            "GET",
            "/partner/remote-requests/{request_id}/messages",
            params={"request_id": request_id},
            timeout=timeout,
        )

    def receive(self, body: Mapping[str, Any], *, timeout: Optional[float] = None) -> Any:
        """Hand over a message about an act.

        Takes a message of another installation that came as a file, as if that installation had sent it. It must be for this
        organization. A repeated message changes nothing.

        `body`: bytes, signature
        """
        return self._caller.data("POST", "/partner/remote-requests/messages", body=body, timeout=timeout)


class ControlBatchesResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Propose one act on many records.

        Proposes one act on up to 5000 records of one controller, which the parties confirm once; after 14 days it expires. When
        everyone has confirmed, each record changes in its own transaction, and those that cannot are skipped. re_evaluate and
        evidence need no confirmation and start immediately. Returns 422 and names up to 100 records that cannot be in the batch.
        transfer_out also needs the scope vault:release.

        `body`: kind, reason, [envelope_ids], [filter], [party_id], [user_id], [vault_id]
        """
        return self._caller.data(
            "POST",
            "/partner/control-batches",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(
        self,
        *,
        state: Any = None,
        kind: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List control batches.

        Returns the control batches of the organization, newest first, with how many of their records are done and skipped.
        """
        return self._list(
            "/partner/control-batches",
            {},
            {"state": state, "kind": kind, "page": page, "limit": limit},
            "control_batch_id",
            timeout,
        )

    def get(self, control_batch_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get a control batch.

        Returns a control batch and how many of its records are done and skipped. Its act shows who has confirmed.
        """
        return self._caller.data(
            "GET",
            "/partner/control-batches/{control_batch_id}",
            params={"control_batch_id": control_batch_id},
            timeout=timeout,
        )

    def items(
        self,
        control_batch_id: Any,
        *,
        state: Any = None,
        page: Any = None,
        limit: Any = None,
        timeout: Optional[float] = None,
    ) -> ListCall:
        """List the records of a control batch.

        Returns the records of a control batch in the order of its Merkle tree, each with its result.
        """
        return self._list(
            "/partner/control-batches/{control_batch_id}/items",
            {"control_batch_id": control_batch_id},
            {"state": state, "page": page, "limit": limit},
            "index",
            timeout,
        )

    def csv(self, control_batch_id: Any, *, timeout: Optional[float] = None) -> Download:
        """Download the records of a control batch as CSV.

        Returns all records of a control batch with their results, for spreadsheets.
        """
        return self._caller.download(
            "GET",
            "/partner/control-batches/{control_batch_id}/items.csv",
            params={"control_batch_id": control_batch_id},
            timeout=timeout,
        )

    def report(self, control_batch_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Get the signed report of a control batch.

        Returns the result of every record, signed by this installation. Returns 409 until the state is done, or cancelled after
        some records were done.
        """
        return self._caller.data(
            "GET",
            "/partner/control-batches/{control_batch_id}/report",
            params={"control_batch_id": control_batch_id},
            timeout=timeout,
        )

    def cancel(self, control_batch_id: Any, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Cancel a control batch.

        Withdraws a proposed batch; nothing changes for its records. Once everyone has confirmed, it cannot be cancelled. A batch
        of kind re_evaluate or evidence stops, and its remaining records are skipped.
        """
        return self._caller.data(
            "POST",
            "/partner/control-batches/{control_batch_id}/cancel",
            params={"control_batch_id": control_batch_id},
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class AuditGrantsResource(_Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Let a party look at records.

        Lets the people of a party see vaulted records at /p/ until the given time: their state, checks and certificate, with
        may_download also the marked copy, the certificate and the evidence bundle. Name the records (at most 1000), or a filter,
        which also covers records that match it later. Every view and download is recorded in the access log of the record.

        `body`: party_id, may_download, until, [envelope_ids], [filter]
        """
        return self._caller.data(
            "POST",
            "/partner/audit-grants",
            body=body,
            idempotent=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def list(self, *, party_id: Any = None, page: Any = None, limit: Any = None, timeout: Optional[float] = None) -> ListCall:
        """List audit grants.

        Returns what parties may look at as auditors, newest first, with grants that ended or were revoked.
        """
        return self._list("/partner/audit-grants", {}, {"party_id": party_id, "page": page, "limit": limit}, "grant_id", timeout)

    def revoke(self, grant_id: Any, *, timeout: Optional[float] = None) -> Any:
        """Revoke an audit grant.

        Ends a grant at once: from the next request on, its records are not found for the people of the party.
        """
        return self._caller.data("DELETE", "/partner/audit-grants/{grant_id}", params={"grant_id": grant_id}, timeout=timeout)


class Countersign:
    """A connection to the service, with a method for each operation.

    `timeout` and `file_timeout` are in seconds, for each time that nothing arrives. After a lost connection, 408, 502, 503 and 504 a
    request that is safe to repeat is sent `max_retries` more times. 429 is waited for once, unless `on_rate_limit` is "raise". With `token`
    instead of `api_key`, each request has the session token that it returns. `context` is for certificates of your own. Proxies of the
    environment are not used.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        token: Optional[Callable[[], str]] = None,
        timeout: float = 60.0,
        file_timeout: float = 300.0,
        max_retries: int = 2,
        on_rate_limit: str = "wait",
        context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._caller = _Caller(base_url, api_key, token, timeout, file_timeout, max_retries, on_rate_limit, context, sleep)
        self.sessions = SessionsResource(self._caller)
        self.me = MeResource(self._caller)
        self.members = MembersResource(self._caller)
        self.invitations = InvitationsResource(self._caller)
        self.organization = OrganizationResource(self._caller)
        self.sandboxes = SandboxesResource(self._caller)
        self.api_keys = ApiKeysResource(self._caller)
        self.customers = CustomersResource(self._caller)
        self.contacts = ContactsResource(self._caller)
        self.templates = TemplatesResource(self._caller)
        self.envelopes = EnvelopesResource(self._caller)
        self.tags = TagsResource(self._caller)
        self.certification_terms = CertificationTermsResource(self._caller)
        self.bulk_batches = BulkBatchesResource(self._caller)
        self.forms = FormsResource(self._caller)
        self.views = ViewsResource(self._caller)
        self.notifications = NotificationsResource(self._caller)
        self.outbox = OutboxResource(self._caller)
        self.test = TestResource(self._caller)
        self.mail_texts = MailTextsResource(self._caller)
        self.mail_sender = MailSenderResource(self._caller)
        self.embed = EmbedResource(self._caller)
        self.legal_texts = LegalTextsResource(self._caller)
        self.webhook_endpoints = WebhookEndpointsResource(self._caller)
        self.deliveries = DeliveriesResource(self._caller)
        self.events = EventsResource(self._caller)
        self.event_types = EventTypesResource(self._caller)
        self.org = OrgResource(self._caller)
        self.vault = VaultResource(self._caller)
        self.compliance = ComplianceResource(self._caller)
        self.custody = CustodyResource(self._caller)
        self.remote_vaults = RemoteVaultsResource(self._caller)
        self.vault_transfers = VaultTransfersResource(self._caller)
        self.registry = RegistryResource(self._caller)
        self.parties = PartiesResource(self._caller)
        self.acts = ActsResource(self._caller)
        self.remote_requests = RemoteRequestsResource(self._caller)
        self.control_batches = ControlBatchesResource(self._caller)
        self.audit_grants = AuditGrantsResource(self._caller)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Response:
        """Any request, with status and headers: `cs.request("GET", "/partner/envelopes/env_…").headers["etag"]`. `path` is that of the
        reference, without `/api/v2`.
        """
        return self._caller.response(method, path, query=query, body=body, headers=headers, timeout=timeout)
