import { isIP } from "node:net";
import { connect } from "node:tls";
import { isReachable } from "./address-fence.ts";
import type { Failure, Outbound } from "./send-request.ts";

export interface TlsPeer {
  readonly host: string;
  readonly port: number;
  /** certificates to trust instead of the well-known ones */
  readonly ca: string | null;
}

/**
 * Sends bytes over one TLS connection and closes it. Null: all bytes were handed over and the connection was closed without an error, which
 * does not prove that the peer has read them. The peer's certificate must be valid for `host`. `outbound.fence` null: the operator chose the
 * address.
 */
export async function sendOverTls(
  { mayLeave, fence, resolve, limits }: Omit<Outbound, "fence"> & { readonly fence: Outbound["fence"] | null },
  { host, port, ca }: TlsPeer,
  bytes: Uint8Array,
): Promise<Failure | null> {
  if (!(await mayLeave())) return "interrupted";
  const began = performance.now();
  const addresses = isIP(host) === 0 ? await resolve(host, limits.connect_ms).catch((): string[] => []) : [host];
  const [address] = addresses;
  if (address === undefined) return "dns_error";
  if (fence !== null && !addresses.every((one) => isReachable(fence, one))) return "blocked_address";
  return new Promise((done) => {
    let stage: "connecting" | "handshake" | "sending" = "connecting";
    const socket = connect({
      host: address,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== null && { ca }),
      minVersion: "TLSv1.2",
    });
    const end = (failure: Failure | null) => {
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
      done(failure);
    };
    const left = (ms: number) => Math.max(1, ms - (performance.now() - began));
    const timers = [
      setTimeout(() => stage !== "sending" && end("timeout"), left(limits.connect_ms)),
      setTimeout(() => end("timeout"), left(limits.exchange_ms)),
    ];
    socket.once("connect", () => {
      stage = "handshake";
    });
    socket.once("secureConnect", () => {
      stage = "sending";
      socket.end(bytes);
    });
    // A receiver that closes only afterwards shows that it has read everything up to our end.
    let finished = false;
    socket.once("finish", () => {
      finished = true;
    });
    socket.on("error", () => end(stage === "handshake" ? "tls_error" : "connection_error"));
    socket.once("close", () => end(finished && stage === "sending" ? null : "connection_error"));
    // Without a reader the peer's end would never be seen.
    socket.resume();
  });
}
