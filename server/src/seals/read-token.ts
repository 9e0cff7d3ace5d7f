import { commonName, type Facts } from "@countersign/evidence";
import { checkTimestamp } from "@countersign/pdf/pool";
import { sha256 } from "../shared/secrets.ts";

type Token = Omit<NonNullable<Facts["time"]["token"]>, "tree_size">;

/** What the authority's token says about a checkpoint, and whether it is trusted (RFC 3161). `root`: the one that it is trusted under. */
export interface ReadToken extends Token {
  /** the authority's name in its certificate */
  readonly by: string;
  readonly root: Uint8Array | null;
}

export function readToken(token: Uint8Array, body: Uint8Array, roots: readonly Uint8Array[]): ReadToken {
  const imprint = sha256(body);
  const check = (trusted: readonly Uint8Array[]) => checkTimestamp(token, (hash) => (hash === "sha256" ? imprint : null), trusted);
  const { at, certificate, intact, trusted, fault } = check(roots);
  const valid = intact && trusted && at !== null;
  return {
    gen_time: at ?? "",
    valid,
    fault: valid ? null : (fault ?? "untrusted"),
    by: commonName(certificate?.subject ?? ""),
    root: valid ? (roots.find((root) => check([root]).trusted) ?? null) : null,
  };
}
