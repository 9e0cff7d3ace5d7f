import { createReadStream } from "node:fs";
import { type BlobName, type BlobStore, type ObjectStore, refuseDamaged, type StoredForm } from "./blob-store.ts";
import { nameFile, nameInTurns, nameStream } from "./hash.ts";

/** Stores the bytes of blobs as they are. */
export function plainStore(objects: ObjectStore): BlobStore {
  return {
    async put(org, bytes, known) {
      const name = known ?? (await nameInTurns(bytes));
      await objects.put(org, name.sha256, plainForm(bytes, name));
      return name;
    },
    async putFile(org, path, known) {
      const name = known ?? (await nameFile(path));
      await objects.put(org, name.sha256, plainForm({ file: path }, name));
      return name;
    },
    async read(org, sha256) {
      const bytes = await objects.read(org, sha256);
      refuseDamaged(sha256, (await nameInTurns(bytes)).sha256);
      return bytes;
    },
    open: objects.open,
    remove: objects.remove,
    check: objects.check,
    removeStalePuts: objects.removeStalePuts,
    readNote: objects.readNote,
    writeNote: objects.writeNote,
    shared: objects.shared,
  };
}

export function plainForm(content: Uint8Array | { readonly file: string }, { sha256, size }: BlobName): StoredForm {
  return {
    size,
    sha256: async () => sha256,
    open: () => (content instanceof Uint8Array ? content : chunksOf(content.file)),
    file: content instanceof Uint8Array ? null : content.file,
    isSound: async (pieces) => (await nameStream(pieces)).sha256 === sha256,
  };
}

/** Opens the file on the first read, so that a refused connection leaves no file open. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
