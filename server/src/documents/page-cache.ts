import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageImage, PdfPool, RenderWidth } from "@countersign/pdf/pool";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobKeyDamaged, type BlobKeys } from "../storage/blob-keys.ts";
import { StoreUnavailable } from "../storage/blob-store.ts";
import type { CacheObserver } from "./observe-cache.ts";

/**
 * A cache of page images on the local disk. They can be made again at any time, so they are recorded nowhere else. They are found by the org,
 * the document's hash, the page and the width. Increase both versions when the renderer draws differently. An image of an encrypted document
 * is encrypted too, so that it cannot be read once the key of the document is destroyed. A cache that cannot be read or written, for example
 * because the disk is full, fails no request: the page is drawn.
 */

export interface PageCache {
  readonly folder: string;
  /** of all pictures on this machine; trimPages keeps it */
  readonly max_bytes: number;
  readonly seen: CacheObserver;
  /** the keys of documents, and whether new ones are encrypted */
  readonly keys: Pick<BlobKeys, "isOn" | "lookUp">;
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
  const path = join(folderOf(deps, org, sha256), `${page}-${width_px}-${key === null ? PLAIN : ENCRYPTED}`);
  const context = `${org} ${sha256} ${page} ${width_px}`;
  const { seen } = deps.pageCache;
  const known = await readCached(path, key, context).catch(failedOf(seen));
  seen.counted(known === null ? "miss" : "hit");
  if (known !== null) return known;
  const image = await draw();
  await writeCached(path, key, context, image).catch((error: unknown) => {
    seen.counted("write_failed");
    failedOf(seen)(error);
  });
  return image;
}

/** The system refuses: the disk is full or broken, or the folder may not be used. Anything else is a fault of this program. */
const failedOf =
  (seen: CacheObserver) =>
  (error: unknown): null => {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
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

/** The file format, before it is encrypted: width, height and type on one line, then the image. Null if the image has to be drawn. */
async function readCached(path: string, key: Buffer | null, context: string): Promise<PageImage | null> {
  let file: Buffer;
  try {
    file = await readFile(path);
    if (Date.now() - (await stat(path)).mtimeMs > TOUCH_MS) await utimes(path, new Date(), new Date());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const opened = key === null ? file : decryptImage(key, context, file);
  if (opened === null) return null;
  const end = opened.indexOf("\n");
  const [w, h, mime] = opened.toString("latin1", 0, Math.max(end, 0)).split(" ");
  // A machine that lost power can leave an empty file, or one of zeros, under the name that it was given last.
  if (mime === undefined || end + 1 === opened.length) return null;
  return { w: Number(w), h: Number(h), mime: mime as PageImage["mime"], bytes: opened.subarray(end + 1) };
}

/** Written under a temporary name first, so that readers find a complete image or none. */
async function writeCached(path: string, key: Buffer | null, context: string, { w, h, mime, bytes }: PageImage): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
  const file = Buffer.concat([Buffer.from(`${w} ${h} ${mime}\n`, "latin1"), bytes]);
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    await writeFile(unfinished, key === null ? file : encryptImage(key, context, file), { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    // What was written would keep a full disk full.
    await rm(unfinished, { force: true });
    throw error;
  }
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
