# A page with a document to sign, and the backend that it needs.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 python3 run.py
# The key has the scope esign:write, and stays in this program.
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from countersign import Countersign

URL = os.environ.get("COUNTERSIGN_URL", "http://localhost:3000")
PORT = int(os.environ.get("PORT", "4100"))
# The client waits after 429 as Retry-After says.
cs = Countersign(URL, api_key=os.environ["COUNTERSIGN_API_KEY"])


def embed_url():
    # Your backend takes the envelope and the person from its own session, never from the request of the browser.
    person = {"envelope_id": os.environ["ENVELOPE_ID"], "user_email": os.environ["SIGNER_EMAIL"], "widget_type": "sign"}
    return cs.embed.create_token(person)["embed_url"]


class Backend(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return self.send_error(404)
        page = f"""<!doctype html>
<html lang="en">
<title>Sign</title>
<script type="module" src="{URL}/embed.js"></script>
<countersign-sign src="{embed_url()}" renew-url="/embed-url"></countersign-sign>
</html>"""
        self.answer("text/html; charset=utf-8", page)

    def do_POST(self):
        if self.path != "/embed-url":
            return self.send_error(404)
        # Browsers set this header, and other sites cannot change it.
        if self.headers.get("Sec-Fetch-Site") != "same-origin":
            return self.send_error(403)
        self.answer("application/json", json.dumps({"embed_url": embed_url()}))

    def answer(self, content_type, text):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(text.encode())


server = ThreadingHTTPServer(("127.0.0.1", PORT), Backend)
print(f"http://localhost:{PORT}", flush=True)
server.serve_forever()
