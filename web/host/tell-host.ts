import { connectHost } from "./host.ts";

/** The connection to the framing page, if there is one. Messages say what happens, never who or what it is about. */
export const { send: tellHost, onHello } = connectHost({ origins: window.boot.block.origins, envelope_id: window.boot.envelope_id });
