import { connectHost, type Hello, type HostMessage } from "../host/host.ts";

/** The page that this one is framed in, if it is. It is told what happens, and never who or what it is about. */
const host = connectHost({ origins: window.boot.block.origins, envelope_id: window.boot.envelope_id });

export function tellHost(message: HostMessage): void {
  if (host.framed) host.send(message);
}

export function onHello(take: (hello: Hello) => void): void {
  if (host.framed) host.onHello(take);
}
