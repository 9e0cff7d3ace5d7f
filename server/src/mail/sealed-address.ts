import { type DerivedKeys, decrypt, encrypt } from "../shared/secrets.ts";

// The length of the longest address in UTF-8, so that the size of a queued row does not reveal the length of the address. Padded with
// NUL, which request validation never accepts in text.
const PADDED_BYTES = 254 * 4;
const CONTEXT = "address of a mailed link";

interface SealDeps {
  readonly keys: Pick<DerivedKeys, "mail">;
}

/** For the payload of a job, so that the queue's tables do not reveal who requested a link. */
export function sealAddress({ keys }: SealDeps, email: string): string {
  const padded = email + "\0".repeat(Math.max(0, PADDED_BYTES - Buffer.byteLength(email)));
  return encrypt(keys.mail, padded, CONTEXT).toString("base64");
}

export function openAddress({ keys }: SealDeps, sealed: string): string {
  return decrypt(keys.mail, Buffer.from(sealed, "base64"), CONTEXT).split("\0", 1)[0] ?? "";
}
