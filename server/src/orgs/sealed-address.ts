import { decrypt, encrypt } from "../shared/secrets.ts";
import type { OrgDeps } from "./org.ts";

// The longest address in UTF-8, so that the size of a queued row does not tell how long the address is. Padded with NUL, which no text
// holds that the edge lets in.
const PADDED_BYTES = 254 * 4;
const CONTEXT = "address of a mailed link";

type SealDeps = Pick<OrgDeps, "keys">;

/** For the payload of a job: who asked for a link stays out of the queue's tables. */
export function sealAddress({ keys }: SealDeps, email: string): string {
  const padded = email + "\0".repeat(Math.max(0, PADDED_BYTES - Buffer.byteLength(email)));
  return encrypt(keys.mail, padded, CONTEXT).toString("base64");
}

export function openAddress({ keys }: SealDeps, sealed: string): string {
  return decrypt(keys.mail, Buffer.from(sealed, "base64"), CONTEXT).split("\0", 1)[0] ?? "";
}
