// A page that shows a vaulted document, and the small backend that it needs.
//   API_KEY=lk_… ENVELOPE_ID=env_… READER_EMAIL=ann@example.com PORT=4101 node examples/embed-vault/server.mjs
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Countersign, CountersignError } from "@countersign/client";

const { API_KEY = "", ENVELOPE_ID = "", READER_EMAIL = "" } = process.env;
const service = process.env.COUNTERSIGN_URL ?? "http://localhost:3000";
const embedOrigin = new URL(process.env.EMBED_URL ?? service).origin;
if (API_KEY === "" || ENVELOPE_ID === "" || READER_EMAIL === "") {
  console.error("Set API_KEY (with the scope vault:read), ENVELOPE_ID (of an envelope that is vaulted) and READER_EMAIL.");
  process.exit(2);
}

const cs = new Countersign({ baseUrl: service, apiKey: API_KEY });

const policy = `default-src 'none'; script-src 'self' ${embedOrigin}; frame-src ${embedOrigin}; connect-src 'self'; style-src 'self'`;

/** @type {Record<string, [file: string, type: string]>} */
const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript; charset=utf-8"],
  "/page.css": ["page.css", "text/css; charset=utf-8"],
};

const server = createServer(async (request, response) => {
  try {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (request.method === "POST" && path === "/embed-url") await answerEmbedUrl(request, response);
    else if (request.method === "GET" && files[path] !== undefined) await answerFile(files[path], response);
    else response.writeHead(404).end();
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
});

/**
 * Your backend must identify the person and the record by its own session, never by data from the browser.
 * @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response
 */
async function answerEmbedUrl(request, response) {
  if (request.headers["sec-fetch-site"] !== "same-origin") return response.writeHead(403).end();
  const embed_url = await newEmbedUrl();
  if (embed_url === null) return response.writeHead(502).end();
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify({ embed_url }));
}

/** Null if the service refused; the log has the reason. */
async function newEmbedUrl() {
  try {
    return (await cs.embed.createToken({ envelope_id: ENVELOPE_ID, user_email: READER_EMAIL, widget_type: "vault" })).embed_url;
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    console.error(`no embed_url: ${error.message}`);
    return null;
  }
}

/** @param {[file: string, type: string]} file @param {import("node:http").ServerResponse} response */
async function answerFile([name, type], response) {
  const text = await readFile(new URL(name, import.meta.url), "utf8");
  response.writeHead(200, { "content-type": type, "content-security-policy": policy });
  response.end(text.replaceAll("EMBED_ORIGIN", embedOrigin));
}

server.listen(Number(process.env.PORT ?? 4101), "127.0.0.1", () => {
  const { port: chosen } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://localhost:${chosen}`);
});
