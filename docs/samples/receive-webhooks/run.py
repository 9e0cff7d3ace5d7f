# Receives webhooks: verifies each delivery over its exact bytes, and handles each event once.
#   WEBHOOK_SECRET=whsec_… PORT=4000 python3 run.py
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from countersign import WebhookVerificationError, verify_webhook

PORT = int(os.environ.get("PORT", "4000"))

# Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, os.environ["WEBHOOK_SECRET"])
        except WebhookVerificationError as error:
            return self.answer(400, error.reason)
        if event["event_id"] not in seen:
            print(event["event_type"], event["event_id"], flush=True)
        seen.add(event["event_id"])
        self.answer(204)

    def answer(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"http://localhost:{PORT}", flush=True)
server.serve_forever()
