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
