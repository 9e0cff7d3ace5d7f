import type { connectHost, Hello, Host, HostMessage } from "./host.ts";

/** The connection to the framing page. Its code is not part of the page's script, because most signers open a link. */
let host: Host | null = null;
const unsent: HostMessage[] = [];
let takeHello: (hello: Hello) => void = () => undefined;

/** Messages say what happens, never who or what it is about. They wait until the page is connected. */
export function tellHost(message: HostMessage): void {
  if (host !== null) host.send(message);
  else if (window.boot.early !== null) unsent.push(message);
}

/** Called with the latest hello, if there is one, and with each later one that says something else. */
export function onHello(take: (hello: Hello) => void): void {
  takeHello = take;
  host?.onHello(take);
}

/** Only in a frame. */
export function joinHost(connect: typeof connectHost): void {
  const { block, envelope_id, early } = window.boot;
  if (early === null) return;
  host = connect({ origins: block.origins, envelope_id, early });
  host.onHello(takeHello);
  for (const message of unsent.splice(0)) host.send(message);
}
