"""A lender's integration, from a borrower to a promissory note with verified evidence and a custody transfer.

  curl -O http://localhost:3000/docs/downloads/countersign.py
  curl -O http://localhost:3000/docs/downloads/countersign-verify.mjs
  COUNTERSIGN_URL=http://localhost:3000 COUNTERSIGN_API_KEY=lk_… python3 lender.py

countersign.py is beside this file or in PYTHONPATH. The key needs the scopes envelopes:*, customers:*, esign:write, vault:read,
compliance:read, custody:write and webhooks:write. examples/lender.mjs is the same in TypeScript.
  COUNTERSIGN_VERIFY   the path of countersign-verify.mjs, which runs with Node; without it the evidence is saved and not verified
  COUNTERSIGN_ROOT     the SHA-256 of the service's root certificate, from its operator; without it the signer of the evidence is not pinned
  PORT                 the port for webhooks (default 4000)
  CUSTODIAN_USER_ID    the colleague who becomes the custodian; without it custody is not transferred
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from countersign import ConflictError, Countersign, CountersignError, RateLimitError, WebhookVerificationError, verify_webhook

BASE_URL = os.environ.get("COUNTERSIGN_URL", "http://localhost:3000")
VERIFIER = os.environ.get("COUNTERSIGN_VERIFY")
ROOT = os.environ.get("COUNTERSIGN_ROOT")
PORT = int(os.environ.get("PORT", "4000"))
CUSTODIAN = os.environ.get("CUSTODIAN_USER_ID")

LENDER = {"name": "First Example Bank, N.A.", "address": "1 Example Square"}
BORROWER = {"client_id": "borrower-17", "email": "ann@example.com", "name": "Ann"}
SIGNING_SECONDS = 600
WEBHOOK_SECONDS = 60

cs = Countersign(BASE_URL, api_key=os.environ.get("COUNTERSIGN_API_KEY"))


def lend() -> None:
    endpoint = cs.webhook_endpoints.create({"url": f"http://localhost:{PORT}/", "description": "Loan desk"})
    try:
        with Receiver(endpoint["secret"]) as receiver:
            customer_id = ensure_customer()
            template = cs.templates.create({"name": "Promissory note", "file": ("note.pdf", note_pdf())})
            change_of_mind(template["template_id"])

            envelope_id = send_note(template["template_id"])
            say(f"{envelope_id} was sent to {BORROWER['email']}, customer {customer_id}")
            token = cs.embed.create_token({"envelope_id": envelope_id, "user_email": BORROWER["email"], "widget_type": "sign"})
            say(f"show this in your page: {token['embed_url']}")

            cs.envelopes.wait_for(envelope_id, until="vaulted", timeout=SIGNING_SECONDS)
            check_vault(envelope_id, receiver.stored(envelope_id)["hash"])
            transfer_custody(envelope_id)
    finally:
        cs.webhook_endpoints.delete(endpoint["endpoint_id"])


def ensure_customer() -> str:
    """The client_id is your own number for the borrower, so a second run finds the same customer."""
    try:
        return cs.customers.create(BORROWER)["customer_id"]
    except ConflictError as error:
        if error.code != "client_id_taken":
            raise
        return cs.customers.look_up(client_id=BORROWER["client_id"])["customer_id"]


def send_note(template_id: str) -> str:
    """With auto-vault, a person of your company accepts the vault terms, and the service records who."""
    envelope = cs.envelopes.create(
        {
            "envelope_name": "Promissory note 17",
            "customer_email": BORROWER["email"],
            "customer_name": BORROWER["name"],
            "external_id": "loan-17",
            "template_id": template_id,
            "secured_party": LENDER,
            "auto_vault_enabled": True,
        }
    )
    terms = cs.certification_terms.get()
    accepted_by = {"name": "Lee", "email": "lee@example.com"}
    cs.envelopes.send(
        envelope["envelope_id"],
        {
            "signers": [{"email": BORROWER["email"], "name": BORROWER["name"], "role": "Borrower"}],
            "certification": {"accepted": True, "terms_version": terms["terms_version"], "accepted_by": accepted_by},
        },
    )
    return envelope["envelope_id"]


def change_of_mind(template_id: str) -> None:
    """An envelope that is sent, reminded and voided. Actions that its status does not allow raise a ConflictError."""
    envelope_id = send_note(template_id)
    try:
        say(f"reminded {', '.join(cs.envelopes.remind(envelope_id)['reminded'])}")
    except CountersignError as error:
        if error.code != "reminded_already":
            raise
        say("not reminded: the e-mail with the link was just sent")
    cs.envelopes.void(envelope_id, {"reason": "wrong amount"})
    try:
        cs.envelopes.void(envelope_id, {"reason": "wrong amount"})
    except ConflictError as error:
        if error.code != "envelope_wrong_status":
            raise
        say(f"{envelope_id} is voided")


def check_vault(envelope_id: str, announced: str) -> None:
    """Reads the vault record, compares its hash with the webhook's, and verifies its evidence without the service."""
    record = cs.vault.get(envelope_id)
    if record["hash"] != announced:
        raise SystemExit(f"the webhook said {announced}, the vault {record['hash']}")
    with tempfile.TemporaryDirectory() as folder:
        evidence = pathlib.Path(folder, "evidence.zip")
        cs.vault.evidence.get(envelope_id).save_to(evidence)
        outcome = "evidence not verified"
        if VERIFIER is not None:
            pinned = [] if ROOT is None else ["--root", ROOT]
            verified = subprocess.run(["node", VERIFIER, str(evidence), *pinned], capture_output=True, text=True)
            # 3: everything agrees, but no root was given that says whose seal is trusted.
            if verified.returncode != (3 if ROOT is None else 0):
                raise SystemExit(f"the evidence is not valid:\n{verified.stdout}{verified.stderr}")
            outcome = "CONSISTENT, SIGNER NOT PINNED" if ROOT is None else "VERIFIED"
    say(f"{record['hash'][:16]}…, {record['size']} bytes: {outcome}")


def transfer_custody(envelope_id: str) -> None:
    """The colleague accepts the transfer in the console or with a different key."""
    if CUSTODIAN is None:
        return
    transfer = cs.custody.transfers.create(envelope_id, {"to_user_id": CUSTODIAN, "reason": "Loan desk"})
    say(f"{transfer['permission_id']} is waiting for {CUSTODIAN}")


class Receiver:
    """A webhook receiver. A real one is part of your backend and stores the IDs of events in its database."""

    def __init__(self, secret: str) -> None:
        self._stored = {}
        self._arrived = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                try:
                    event = verify_webhook(body, self.headers, secret)
                except WebhookVerificationError as error:
                    self.send_error(400, error.reason)
                    return
                receiver._note(event)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                """No line for each request."""

        self._server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _note(self, event: dict) -> None:
        if event["event_type"] != "vault.stored":
            return
        with self._arrived:
            self._stored[event["envelope_id"]] = event["data"]
            self._arrived.notify_all()

    def stored(self, envelope_id: str) -> dict:
        with self._arrived:
            if not self._arrived.wait_for(lambda: envelope_id in self._stored, timeout=WEBHOOK_SECONDS):
                raise SystemExit(f"no vault.stored of {envelope_id} within {WEBHOOK_SECONDS} s")
            return self._stored[envelope_id]


def note_pdf() -> bytes:
    """Any PDF with tags in its text works."""
    lines = [
        "Promissory note: 12,000, payable in 48 months.",
        "Signed by the borrower: {{Borrower signature;role=Borrower;type=signature}}",
    ]
    content = "\n".join(f"BT /F1 11 Tf 72 {700 - 80 * index} Td ({line}) Tj ET" for index, line in enumerate(lines))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    pdf, offsets = "%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(f"{len(pdf):010} 00000 n \n")
        pdf += f"{number} 0 obj\n{body}\nendobj\n"
    size = len(objects) + 1
    table = f"xref\n0 {size}\n0000000000 65535 f \n{''.join(offsets)}"
    return f"{pdf}{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(pdf)}\n%%EOF\n".encode("ascii")


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    try:
        lend()
    except CountersignError as error:
        # The client has already retried where that can help. Other errors need a person.
        limited = isinstance(error, RateLimitError)
        hint = f"try again in {error.retry_after:.0f} s" if limited else f"quote {error.request_id} when you ask for help"
        print(f"{type(error).__name__} ({error.code}): {error}; {hint}", file=sys.stderr)
        sys.exit(1)
