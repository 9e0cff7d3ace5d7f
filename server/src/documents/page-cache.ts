import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageImage, PdfPool, RenderWidth } from "@countersign/pdf/pool";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobKeyDamaged, type BlobKeys } from "../storage/blob-keys.ts";
import { type SharedFiles, StoreUnavailable } from "../storage/blob-store.ts";
import type { CacheObserver } from "./observe-cache.ts";

/**
 * A cache of page images on the local disk. They can be made again at any time, so they are recorded nowhere else. They are found by the org,
 * the document's hash, the page and the width. Increase both versions when the renderer draws differently. An image of an encrypted document
 * is encrypted too, so that it cannot be read once the key of the document is destroyed. A cache that cannot be read or written, for example
 * because the disk is full, fails no request: the page is drawn. Where machines have a bucket and no common folder, page 1 of what was sent is
 * in the bucket too.
 */

export interface PageCache {
  readonly folder: string;
  /** of all pictures on this machine; trimPages keeps it */
  readonly max_bytes: number;
  readonly seen: CacheObserver;
  /** the keys of documents, and whether new ones are encrypted */
  readonly keys: Pick<BlobKeys, "isOn" | "lookUp">;
  /** where a machine finds page 1 that another one has drawn; null: all machines have the same folder */
  readonly shared: SharedFiles | null;
}

export interface WantedPage {
  readonly page: number;
  readonly width_px: RenderWidth;
}

/** At the end of the name of a picture that is not encrypted. */
export const PLAIN = "v1";
const ENCRYPTED = "v2";
// At most once a day, because a write for every read would wear out the disk.
const TOUCH_MS = DAY_MS;

interface Deps {
  readonly pageCache: PageCache;
  readonly pdf: PdfPool;
  readonly readPdf: (org: OrgId, sha256: string) => Promise<Uint8Array>;
}

const folderOf = ({ pageCache }: Deps, org: OrgId, sha256: string) => join(pageCache.folder, org, sha256.slice(0, 2), sha256);

export async function cachedPage(
  deps: Deps,
  org: OrgId,
  sha256: string,
  { page, width_px }: WantedPage,
  priority: "interactive" | "background" = "interactive",
): Promise<PageImage> {
  const key = await lookUpKey(deps, org, sha256);
  const draw = async () => deps.pdf.page(await deps.readPdf(org, sha256), { page, width_px }, { key: org, priority, give_up_bytes: true });
  if (key === undefined) return draw();
  const { seen } = deps.pageCache;
  const place = placeOf(deps, org, sha256, { page, width_px }, key);
  const known = await readCached(place).catch(failedOf(seen));
  if (known !== null) {
    seen.counted("hit");
    return known;
  }
  const shared = await readShared(deps, place).catch(failedOf(seen));
  seen.counted(shared === null ? "miss" : "shared");
  const image = shared ?? (await draw());
  await writeCached(place, image).catch((error: unknown) => {
    seen.counted("write_failed");
    failedOf(seen)(error);
  });
  return image;
}

/** Draws a page that no one waits for, and keeps page 1 for the machines that will show it. */
export async function drawAhead(deps: Deps, org: OrgId, sha256: string, wanted: WantedPage): Promise<void> {
  const image = await cachedPage(deps, org, sha256, wanted, "background");
  const key = await lookUpKey(deps, org, sha256);
  if (key === undefined) return;
  await writeShared(deps, placeOf(deps, org, sha256, wanted, key), image).catch(failedOf(deps.pageCache.seen));
}

/** Where the picture of a page is found, and what it is encrypted with. */
interface Place {
  readonly path: string;
  /** null: the document is not encrypted, so its pictures are not */
  readonly key: Buffer | null;
  readonly context: string;
  /** null for a picture that machines do not share */
  readonly shared: Parameters<SharedFiles["read"]>[0] | null;
}

// What signers see first.
const isShared = ({ page, width_px }: WantedPage): boolean => page === 1 && width_px === 1224;

function placeOf(deps: Deps, org: OrgId, sha256: string, wanted: WantedPage, key: Buffer | null): Place {
  const { page, width_px } = wanted;
  const name = `${page}-${width_px}-${key === null ? PLAIN : ENCRYPTED}`;
  return {
    path: join(folderOf(deps, org, sha256), name),
    key,
    context: `${org} ${sha256} ${page} ${width_px}`,
    // Only what cannot be read any more once the document is destroyed leaves this machine.
    shared: key !== null && isShared(wanted) ? { org, sha256, name } : null,
  };
}

async function readShared({ pageCache }: Deps, place: Place): Promise<PageImage | null> {
  if (pageCache.shared === null || place.shared === null) return null;
  const file = await pageCache.shared.read(place.shared);
  return file === null ? null : openPicture(place, Buffer.from(file));
}

async function writeShared({ pageCache }: Deps, place: Place, image: PageImage): Promise<void> {
  if (pageCache.shared === null || place.shared === null) return;
  await pageCache.shared.write(place.shared, closePicture(place, image));
}

/** The disk is full or broken, the folder may not be used, or the store is away. Anything else is a fault of this program. */
const failedOf =
  (seen: CacheObserver) =>
  (error: unknown): null => {
    if ((error as NodeJS.ErrnoException).syscall === undefined && !(error instanceof StoreUnavailable)) throw error;
    seen.failed(error);
    return null;
  };

/** Null: the document has no key. Undefined: its key cannot be had, and reading the document says why. */
async function lookUpKey({ pageCache }: Deps, org: OrgId, sha256: string): Promise<Buffer | null | undefined> {
  try {
    return await pageCache.keys.lookUp(org, sha256);
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof BlobKeyDamaged) return undefined;
    throw error;
  }
}

/** Null if the image has to be drawn. */
async function readCached(place: Place): Promise<PageImage | null> {
  const { path } = place;
  let file: Buffer;
  try {
    file = await readFile(path);
    if (Date.now() - (await stat(path)).mtimeMs > TOUCH_MS) await utimes(path, new Date(), new Date());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  return openPicture(place, file);
}

/** Written under a temporary name first, so that readers find a complete image or none. */
async function writeCached(place: Place, image: PageImage): Promise<void> {
  const { path } = place;
  const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    await writeFile(unfinished, closePicture(place, image), { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    // What was written would keep a full disk full.
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The file format, before it is encrypted: width, height and type on one line, then the image. Null if the image has to be drawn. */
function openPicture({ key, context }: Place, file: Buffer): PageImage | null {
  const opened = key === null ? file : decryptImage(key, context, file);
  if (opened === null) return null;
  const end = opened.indexOf("\n");
  const [w, h, mime] = opened.toString("latin1", 0, Math.max(end, 0)).split(" ");
  // A machine that lost power can leave an empty file, or one of zeros, under the name that it was given last.
  if (mime === undefined || end + 1 === opened.length) return null;
  return { w: Number(w), h: Number(h), mime: mime as PageImage["mime"], bytes: opened.subarray(end + 1) };
}

function closePicture({ key, context }: Place, { w, h, mime, bytes }: PageImage): Buffer {
  const file = Buffer.concat([Buffer.from(`${w} ${h} ${mime}\n`, "latin1"), bytes]);
  return key === null ? file : encryptImage(key, context, file);
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
// Each image has a key of its own, so its nonce is used once.
const NONCE = Buffer.alloc(12);

const imageKey = (key: Buffer, salt: Buffer): Buffer => Buffer.from(hkdfSync("sha256", key, salt, "countersign/page-image/1", 32));

/** Salt, ciphertext, tag. */
function encryptImage(key: Buffer, context: string, file: Buffer): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const cipher = createCipheriv("aes-256-gcm", imageKey(key, salt), NONCE).setAAD(Buffer.from(context));
  return Buffer.concat([salt, cipher.update(file), cipher.final(), cipher.getAuthTag()]);
}

/** Null if the file is damaged or was encrypted under an earlier key of the document: then the image is drawn again. */
function decryptImage(key: Buffer, context: string, file: Buffer): Buffer | null {
  if (file.length < SALT_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", imageKey(key, file.subarray(0, SALT_BYTES)), NONCE).setAAD(Buffer.from(context));
  decipher.setAuthTag(file.subarray(file.length - TAG_BYTES));
  const opened = decipher.update(file.subarray(SALT_BYTES, file.length - TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch (error) {
    // Node's message for a tag that does not match. The error has no code.
    if (error instanceof Error && /unable to authenticate data/.test(error.message)) return null;
    throw error;
  }
}
