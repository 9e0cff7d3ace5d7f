import { Resolver } from "node:dns/promises";
import { isLoopback } from "../shared/loopback.ts";

/** All addresses of a name, at least one; rejects when there is none or it took too long. */
export type ResolveName = (name: string, within_ms: number) => Promise<string[]>;

const TRY_MS = 2_000;
const TRIES = 2;

/**
 * By DNS alone, not by the system's look-up: that waits on one of four threads which files and ciphers wait for too, and names
 * that are never answered would hold them all. `servers`: others than the system's, as `127.0.0.1:5353`.
 */
export function makeResolveName(servers?: readonly string[]): ResolveName {
  return async (name, within_ms) => {
    // RFC 6761, 6.3: these never go to a server.
    if (isLoopback(name.replace(/\.$/, ""))) return ["127.0.0.1", "::1"];
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), within_ms);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw new Error(`no address for the name`, { cause: answers.map((answer) => answer.status === "rejected" && answer.reason) });
    } finally {
      clearTimeout(timer);
    }
  };
}
