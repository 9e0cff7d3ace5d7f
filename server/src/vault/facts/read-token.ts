import type { Facts } from "@countersign/evidence";
import { checkTimestamp } from "@countersign/pdf/pool";
import { sha256 } from "../../shared/secrets.ts";

type Token = Omit<NonNullable<Facts["time"]["token"]>, "tree_size">;

/** What the authority's token says about a checkpoint, and whether it is trusted (RFC 3161). */
export function readToken(token: Uint8Array, body: Uint8Array, roots: readonly Uint8Array[]): Token {
  const { at, intact, trusted, fault } = checkTimestamp(token, (hash) => (hash === "sha256" ? sha256(body) : null), roots);
  const valid = intact && trusted && at !== null;
  return { gen_time: at ?? "", valid, fault: valid ? null : (fault ?? "untrusted") };
}
