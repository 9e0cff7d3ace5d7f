import { Readable } from "node:stream";
import type { OrgId } from "../shared/ids.ts";
import { BlobKeyDamaged, type BlobKeys } from "./blob-keys.ts";
import { BlobDamaged, type BlobName, type BlobStore, KeyChanged, type ObjectStore, type OpenBlob, type StoredForm } from "./blob-store.ts";
import { CannotDecryptBlob, decryptBlob, encryptBlob, encryptedSize, looksEncrypted, sizeIn } from "./format.ts";
import { inPieces, nameFile, nameInTurns, nameStream, piecesOf } from "./hash.ts";
import { plainForm } from "./plain.ts";

/**
 * Stores blobs encrypted, each under its own key. Blobs without a key are stored as they are. Readers accept both forms for every blob: a
 * blob may just be changing from one to the other, and a restored backup may contain either. Plain bytes are accepted only by their hash.
 */
export function encryptedStore(objects: ObjectStore, keys: BlobKeys): BlobStore {
  async function put(org: OrgId, content: Uint8Array | { readonly file: string }, name: BlobName): Promise<BlobName> {
    const { sha256 } = name;
    const key = await keys.lookUp(org, sha256);
    if (key === null && keys.isOn) throw new KeyChanged();
    await objects.put(org, sha256, key === null ? plainForm(content, name) : await encryptedForm(key, org, name, content));
    // Another key in the row could never open what was just stored.
    if (!isSame(key, await keys.lookUpAgain(org, sha256))) throw new KeyChanged();
    return name;
  }

  return {
    put: async (org, bytes, known) => put(org, bytes, known ?? (await nameInTurns(bytes))),
    putFile: async (org, path, known) => put(org, { file: path }, known ?? (await nameFile(path))),
    async read(org, sha256) {
      const stored = await objects.read(org, sha256);
      const bytes = await opened(keys, org, sha256, stored);
      if (bytes !== null) return bytes;
      const { sha256: found } = await nameInTurns(stored);
      if (found === sha256) return stored;
      throw new BlobDamaged(sha256, found);
    },
    open: (org, sha256) => openBlob(objects, keys, org, sha256),
    async remove(org, sha256) {
      await objects.remove(org, sha256);
      keys.forget(org, sha256);
    },
    check: objects.check,
    removeStalePuts: objects.removeStalePuts,
    readNote: objects.readNote,
    writeNote: objects.writeNote,
    shared: objects.shared,
  };
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean => (one === null ? other === null : other !== null && one.equals(other));

// Larger blobs are encrypted twice, for their hash and while they are written, so that they are never in memory as a whole.
const SMALL_BYTES = 1_048_576;

async function encryptedForm(
  key: Buffer,
  org: OrgId,
  name: BlobName,
  content: Uint8Array | { readonly file: string },
): Promise<StoredForm> {
  const { sha256, size } = name;
  const pieces = () => encryptBlob(key, { org, ...name }, content instanceof Uint8Array ? inPieces(content) : piecesOf(content.file));
  const form = {
    size: encryptedSize(size),
    file: null,
    isSound: async (stored: AsyncIterable<Uint8Array>) => (await nameOf(decryptBlob(key, { org, sha256 }, stored))) === sha256,
  };
  if (size > SMALL_BYTES) return { ...form, open: pieces, sha256: async () => (await nameStream(pieces())).sha256 };
  const bytes = await collected(pieces());
  return { ...form, open: () => bytes, sha256: async () => (await nameInTurns(bytes)).sha256 };
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  const [first] = all;
  return all.length === 1 && first instanceof Buffer ? first : Buffer.concat(all);
}

/** Null if the bytes are not an encrypted blob of this key. */
async function nameOf(bytes: AsyncIterable<Uint8Array>): Promise<string | null> {
  return (await unlessDamaged(() => nameStream(bytes)))?.sha256 ?? null;
}

async function unlessDamaged<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CannotDecryptBlob || error instanceof BlobKeyDamaged) return null;
    throw error;
  }
}

/** The blob's bytes; null if they are stored as they are or are damaged. The key is asked for after the bytes were read, and is older than they. */
async function opened(keys: BlobKeys, org: OrgId, sha256: string, stored: Uint8Array): Promise<Uint8Array | null> {
  if (!looksEncrypted(stored)) return null;
  const known = await unlessDamaged(() => keys.lookUp(org, sha256));
  const bytes = known === null ? null : await decrypted(known, org, sha256, stored);
  if (bytes !== null) return bytes;
  const present = await unlessDamaged(() => keys.lookUpAgain(org, sha256));
  return present === null || isSame(known, present) ? null : decrypted(present, org, sha256, stored);
}

async function decrypted(key: Buffer, org: OrgId, sha256: string, stored: Uint8Array): Promise<Uint8Array | null> {
  const bytes = await unlessDamaged(() => collected(decryptBlob(key, { org, sha256 }, whole(stored))));
  return bytes !== null && (await nameInTurns(bytes)).sha256 === sha256 ? bytes : null;
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** As a stream, each segment after its tag was checked. Bytes that should be encrypted and are not are hashed before the first is handed out. */
async function openBlob(objects: ObjectStore, keys: BlobKeys, org: OrgId, sha256: string): Promise<OpenBlob> {
  const stored = await objects.open(org, sha256);
  const opened = await openStored(objects, keys, org, sha256, stored).catch((error: unknown) => {
    stored.stream.destroy();
    throw error;
  });
  if (opened !== null) return opened;
  stored.stream.destroy();
  const found = await damage(objects, org, sha256);
  if (found.found !== sha256) throw found;
  return objects.open(org, sha256);
}

/** Null if the bytes are not what the row says. */
async function openStored(
  objects: ObjectStore,
  keys: BlobKeys,
  org: OrgId,
  sha256: string,
  { size, stream }: OpenBlob,
): Promise<OpenBlob | null> {
  const key = await unlessDamaged(() => keys.lookUpAgain(org, sha256));
  const [header, pieces] = await peeked(stream);
  if (key === null) return looksEncrypted(header) ? null : { size, stream: withEnd(pieces, stream) };
  if (!looksEncrypted(header)) return null;
  const bytes = decryptBlob(key, { org, sha256 }, pieces);
  const first = await unlessDamaged(() => bytes.next());
  if (first === null) return null;
  const all = rest(first, bytes, () => damage(objects, org, sha256));
  return { size: sizeIn(header), stream: withEnd(all, stream) };
}

async function damage(objects: ObjectStore, org: OrgId, sha256: string): Promise<BlobDamaged> {
  const { stream } = await objects.open(org, sha256);
  return new BlobDamaged(sha256, (await nameStream(stream)).sha256);
}

async function* rest(
  first: IteratorResult<Uint8Array>,
  bytes: AsyncGenerator<Uint8Array>,
  found: () => Promise<BlobDamaged>,
): AsyncGenerator<Uint8Array> {
  if (first.done !== true) yield first.value;
  try {
    yield* bytes;
  } catch (error) {
    throw error instanceof CannotDecryptBlob ? await found() : error;
  }
}

/** A stream that closes the one that it is made from. */
function withEnd(pieces: AsyncIterable<Uint8Array>, source: Readable): Readable {
  return Readable.from(pieces, { objectMode: false }).once("close", () => source.destroy());
}

const HEADER_BYTES = 16;

/** The first bytes, and everything including them. */
async function peeked(stream: Readable): Promise<[header: Uint8Array, pieces: AsyncIterable<Uint8Array>]> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const begun: Uint8Array[] = [];
  for (let size = 0; size < HEADER_BYTES; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    begun.push(next.value);
    size += next.value.byteLength;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* begun;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return [Buffer.concat(begun), all()];
}
