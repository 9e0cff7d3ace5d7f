import { Resolver } from "node:dns/promises";
import { isLoopback } from "../shared/loopback.ts";

/** All addresses of a name, at least one; rejects if there is none or the query times out. */
export type ResolveName = (name: string, within_ms: number) => Promise<string[]>;

/** All texts (TXT records) of a name, none if it has none; null if the name servers do not answer in time. */
export type ResolveTexts = (name: string, within_ms: number) => Promise<string[] | null>;

const TRY_MS = 2_000;
const TRIES = 2;

/**
 * Uses DNS only, not the system's lookup: that blocks one of four threads shared with files and ciphers, and names that never resolve would
 * block them all. `servers`: DNS servers to use instead of the system's, such as `127.0.0.1:5353`.
 */
export function makeResolveName(servers?: readonly string[]): ResolveName {
  return async (name, within_ms) => {
    // RFC 6761, 6.3: these names are never sent to a server.
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

// The name does not exist, or has no record of this type.
const NONE = ["ENOTFOUND", "ENODATA"];

export function makeResolveTexts(servers?: readonly string[]): ResolveTexts {
  return async (name, within_ms) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), within_ms);
    try {
      // A text longer than 255 bytes is published in pieces (RFC 7208, 3.3).
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(""));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return NONE.includes(code) ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  };
}
