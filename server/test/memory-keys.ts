import { randomBytes } from "node:crypto";
import type { BlobKeys } from "../src/storage/blob-keys.ts";

/** Keys of blobs without a database: every blob has one from the first time it is asked for. */
export function memoryKeys(): BlobKeys & { readonly known: Map<string, Buffer | null> } {
  const known = new Map<string, Buffer | null>();
  const lookUp: BlobKeys["lookUp"] = async (org, sha256) => {
    const name = `${org} ${sha256}`;
    const key = known.get(name);
    if (key !== undefined) return key;
    const made = randomBytes(32);
    known.set(name, made);
    return made;
  };
  return {
    isOn: true,
    known,
    make: async () => null,
    claimed: async () => undefined,
    lookUp,
    lookUpAgain: lookUp,
    forget: () => undefined,
  };
}
