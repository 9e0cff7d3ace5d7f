// A page with a document to sign, and the backend that it needs.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 node run.mjs
// The key has the scope esign:write, and stays in this program.
import { createServer } from "node:http";
import { Countersign } from "@countersign/client";

const { COUNTERSIGN_URL = "http://localhost:3000", COUNTERSIGN_API_KEY, ENVELOPE_ID = "", SIGNER_EMAIL = "", PORT = "4100" } = process.env;
// The client waits after 429 as Retry-After says.
const cs = new Countersign({ baseUrl: COUNTERSIGN_URL, apiKey: COUNTERSIGN_API_KEY });

// Your backend takes the envelope and the person from its own session, never from the request of the browser.
async function embedUrl() {
  const { embed_url } = await cs.embed.createToken({ envelope_id: ENVELOPE_ID, user_email: SIGNER_EMAIL, widget_type: "sign" });
  return embed_url;
}

const server = createServer(async (request, response) => {
  if (request.method === "GET" && request.url === "/") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    response.end(`<!doctype html>
<html lang="en">
<title>Sign</title>
<script type="module" src="${COUNTERSIGN_URL}/embed.js"></script>
<countersign-sign src="${await embedUrl()}" renew-url="/embed-url"></countersign-sign>
</html>`);
  } else if (request.method === "POST" && request.url === "/embed-url") {
    // Browsers set this header, and other sites cannot change it.
    if (request.headers["sec-fetch-site"] !== "same-origin") return response.writeHead(403).end();
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify({ embed_url: await embedUrl() }));
  } else response.writeHead(404).end();
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
