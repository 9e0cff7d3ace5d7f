import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A partner's site: a page with the element, and a backend that returns a new embed_url. */
export interface Host {
  readonly port: number;
  /** the address of the page under this host name */
  url(name: string): string;
  /** sets the embed_url of the element and the answers of the backend */
  show(embed_url: string, renewed: () => Promise<string>, attributes?: string): void;
  /** shows an application instead of the element: a script that fills `#app` */
  run(script: string): void;
  close(): Promise<void>;
}

// Records all events of the element and all messages to the page, in order.
const RECORD = `
window.seen = { events: [], messages: [] };
addEventListener("message", (event) => seen.messages.push(JSON.stringify(event.data)));
const names = ["ready", "progress", "field", "completed", "declined", "expiring", "expired", "problem"];
for (const name of names) document.addEventListener(name, ({ type, detail }) => seen.events.push({ type, detail }), true);
`;

const elementOf = (embed_url: string): string => (embed_url.includes("/vault/") ? "countersign-vault" : "countersign-sign");

export async function startHost(embedOrigin: string): Promise<Host> {
  let [shown, attributes, script] = ["", "", ""];
  let renewed = async (): Promise<string> => "";
  const elementTag = () => `<${elementOf(shown)} src="${shown}" renew-url="/new-embed-url" ${attributes}></${elementOf(shown)}>`;
  const server: Server = createServer(async (request, response) => {
    if (request.url === "/new-embed-url") {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ embed_url: await renewed() }));
      return;
    }
    if (request.url === "/done") return void response.setHeader("content-type", "text/html").end("<!doctype html><title>Done</title>");
    if (request.url === "/app.js") return void response.setHeader("content-type", "text/javascript; charset=utf-8").end(script);
    if (request.url !== "/") return void response.writeHead(204).end();
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html>
<html lang="en"><title>Partner</title><link rel="icon" href="data:,"><script>${RECORD}</script>
<script type="module" src="${script === "" ? `${embedOrigin}/embed.js` : "/app.js"}"></script>
<h1>Partner</h1>${script === "" ? elementTag() : '<div id="app"></div>'}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (name) => `http://${name}:${port}/`,
    show: (embed_url, another, more = "") => {
      [shown, renewed, attributes, script] = [embed_url, another, more, ""];
    },
    run: (bundle) => {
      script = bundle;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
