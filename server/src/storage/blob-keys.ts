import { hkdfSync, randomBytes } from "node:crypto";
import type { Db } from "../db/connect.ts";
import { CannotUnwrap, KmsUnavailable } from "../secrets/kms.ts";
import type { OrgKey, OrgKeys } from "../secrets/org-keys.ts";
import type { OrgId } from "../shared/ids.ts";
import { CannotDecrypt, decrypt, encrypt, type KeyRing } from "../shared/secrets.ts";
import { KeyServiceUnavailable, type WrappedKey } from "./blob-store.ts";
import { lookUpBlobKey } from "./store.ts";

/** The keys of blobs, one for each. If the key service is away, every method throws `KeyServiceUnavailable`. */
export interface BlobKeys {
  /** whether new blobs are encrypted */
  readonly isOn: boolean;
  /** A new key, to be claimed with the blob; null if new blobs are not encrypted. */
  make(org: OrgId, sha256: string): Promise<WrappedKey | null>;
  /** Notes which key the claim of the blob has, so that the put does not ask for it. */
  claimed(org: OrgId, sha256: string, key: WrappedKey | null): Promise<void>;
  /** Possibly one that was replaced in the meantime. Null if the blob has none. */
  lookUp(org: OrgId, sha256: string): Promise<Buffer | null>;
  /** The one in the row now. */
  lookUpAgain(org: OrgId, sha256: string): Promise<Buffer | null>;
  forget(org: OrgId, sha256: string): void;
}

/** The wrapped key in the row was changed, or belongs to another blob. */
export class BlobKeyDamaged extends Error {
  override readonly name = "BlobKeyDamaged";
}

const KEY_BYTES = 32;
// A document is read several times within minutes, when it is signed and when its pages are shown.
const REMEMBERED_MS = 15 * 60_000;
const MOST_REMEMBERED = 2_000;

export function blobKeys(deps: { readonly db: Db; readonly orgKeys: OrgKeys; readonly isOn: boolean }): BlobKeys {
  const { db, isOn } = deps;
  const known = new Map<string, { readonly key: Buffer; readonly until: number }>();
  const nameOf = (org: OrgId, sha256: string): string => `${org} ${sha256}`;

  function remember(org: OrgId, sha256: string, key: Buffer): Buffer {
    const [oldest] = known.keys();
    if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    known.set(nameOf(org, sha256), { key, until: Date.now() + REMEMBERED_MS });
    return key;
  }

  async function unwrapped(org: OrgId, sha256: string, { key_no, key_wrapped }: WrappedKey): Promise<Buffer> {
    return remember(org, sha256, unwrapKey(await deps.orgKeys.find(org, key_no).catch(away), org, sha256, key_wrapped));
  }

  async function lookUpAgain(org: OrgId, sha256: string): Promise<Buffer | null> {
    known.delete(nameOf(org, sha256));
    const row = await db.near((read) => lookUpBlobKey(read, org, sha256));
    return row === null ? null : unwrapped(org, sha256, row);
  }

  return {
    isOn,
    async make(org, sha256) {
      if (!isOn) return null;
      const orgKey = await deps.orgKeys.current(org).catch(away);
      const text = randomBytes(KEY_BYTES).toString("hex");
      return { key_no: orgKey.key_no, key_wrapped: encrypt(ringOf(orgKey), text, contextOf(org, sha256)) };
    },
    async claimed(org, sha256, key) {
      if (key === null) known.delete(nameOf(org, sha256));
      else await unwrapped(org, sha256, key);
    },
    async lookUp(org, sha256) {
      const found = known.get(nameOf(org, sha256));
      return found !== undefined && found.until > Date.now() ? found.key : lookUpAgain(org, sha256);
    },
    lookUpAgain,
    forget: (org, sha256) => void known.delete(nameOf(org, sha256)),
  };
}

const contextOf = (org: OrgId, sha256: string): string => `blob key ${org} ${sha256}`;

/** The key of the org has other uses too. */
const ringOf = ({ key_no, key }: OrgKey): KeyRing => [
  { version: key_no, key: Buffer.from(hkdfSync("sha256", key, "", "countersign/blob-keys/1", KEY_BYTES)) },
];

function unwrapKey(orgKey: OrgKey, org: OrgId, sha256: string, wrapped: Buffer): Buffer {
  try {
    return Buffer.from(decrypt(ringOf(orgKey), wrapped, contextOf(org, sha256)), "hex");
  } catch (cause) {
    throw cause instanceof CannotDecrypt ? new BlobKeyDamaged(`the key of blob ${sha256} was changed`, { cause }) : cause;
  }
}

/** A key of the org that cannot be unwrapped is no proof against a document, so it counts as an outage too. */
function away(cause: unknown): never {
  throw cause instanceof KmsUnavailable || cause instanceof CannotUnwrap ? new KeyServiceUnavailable(cause.message, { cause }) : cause;
}
