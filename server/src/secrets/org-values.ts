import { PrepareFirst } from "../db/errors.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { CannotDecrypt, decryptBytes, encrypt, type KeyRing, versionOf } from "../shared/secrets.ts";
import { CannotUnwrap, KmsUnavailable } from "./kms.ts";
import { NoSuchOrgKey, type OrgKey, type OrgKeys } from "./org-keys.ts";
import { ringOf } from "./value-sealing.ts";

/**
 * Values that are encrypted in their column (`…_sealed`) under the key of their organization, at about 10 µs each: no value asks the key
 * service. `context` names the row, is authenticated and never changes. The number of the key is the version in the header of the value.
 *
 * Both functions are for transactions of the org, because they throw `PrepareFirst` if the key is not in memory: the transaction then runs
 * again with the key. If the key service is away, it fails with the Problem key_service_away.
 */
export interface OrgValues {
  /** whether new values are encrypted */
  readonly isOn: boolean;
  /** Null if values are stored as they are (ENCRYPT_BLOBS=false). */
  seal(org: OrgId, value: string | Uint8Array, context: string): Buffer | null;
  /** Throws `CannotDecrypt` if the value was changed, or belongs to another row. */
  open(org: OrgId, sealed: Uint8Array, context: string): Buffer;
}

export function orgValues({ orgKeys, isOn }: { readonly orgKeys: OrgKeys; readonly isOn: boolean }): OrgValues {
  // Derived once for as long as the key is remembered.
  const rings = new WeakMap<OrgKey, KeyRing>();
  const ringFor = (key: OrgKey): KeyRing => {
    const known = rings.get(key) ?? ringOf(key);
    rings.set(key, known);
    return known;
  };

  async function prepare(org: OrgId): Promise<void> {
    await orgKeys.current(org).catch(away);
  }

  return {
    isOn,
    seal(org, value, context) {
      if (!isOn) return null;
      const key = orgKeys.remembered(org, null);
      if (key === null || key === "none") throw new PrepareFirst("the key of the org", () => prepare(org));
      return encrypt(ringFor(key), value, context);
    },
    open(org, sealed, context) {
      const key_no = versionOf(sealed);
      const key = orgKeys.remembered(org, key_no);
      if (key === "none") throw new CannotDecrypt("no key of the org has the number in the header");
      if (key === null) throw new PrepareFirst("a key of the org", () => prepareNumber(org, key_no));
      return decryptBytes(ringFor(key), sealed, context);
    },
  };

  async function prepareNumber(org: OrgId, key_no: number): Promise<void> {
    await orgKeys.find(org, key_no).catch((error: unknown) => {
      // `open` then says that the value was changed.
      if (!(error instanceof NoSuchOrgKey)) away(error);
    });
  }
}

/** A key that no service can unwrap proves nothing against a value, so it counts as an outage, as it does for documents. */
function away(cause: unknown): never {
  throw cause instanceof KmsUnavailable || cause instanceof CannotUnwrap
    ? new Problem("key_service_away", cause.message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
    : cause;
}

// As for documents: a restart of the service is often over within seconds.
const RETRY_AFTER_SECONDS = 5;
