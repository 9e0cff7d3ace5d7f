import { connectHost } from "./host.ts";

/** The page that this one is framed in, if it is. It is told what happens, and never who or what it is about. */
export const { send: tellHost, onHello } = connectHost({ origins: window.boot.block.origins, envelope_id: window.boot.envelope_id });
