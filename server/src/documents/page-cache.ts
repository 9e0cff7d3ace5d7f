import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageImage, PdfPool, RenderWidth } from "@countersign/pdf/pool";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";

/**
 * A cache of page images on the local disk. They can be made again at any time, so they are recorded nowhere else. The key is the org,
 * the document's hash, the page and the width. Increase the version when the renderer draws differently.
 */

export interface WantedPage {
  readonly page: number;
  readonly width_px: RenderWidth;
}

const VERSION = "1";
// A ceremony takes days at most. An image that was not requested for a month is deleted, and drawn again if needed.
const KEPT_MS = 30 * DAY_MS;
// At most once a day, because a write for every read would wear out the disk.
const TOUCH_MS = DAY_MS;

interface Deps {
  /** the folder of the images */
  readonly pageCache: string;
  readonly pdf: PdfPool;
  readonly readPdf: (org: OrgId, sha256: string) => Promise<Uint8Array>;
}

const folderOf = ({ pageCache }: Deps, org: OrgId, sha256: string) => join(pageCache, org, sha256.slice(0, 2), sha256);

export async function cachedPage(
  deps: Deps,
  org: OrgId,
  sha256: string,
  { page, width_px }: WantedPage,
  priority: "interactive" | "background" = "interactive",
): Promise<PageImage> {
  const path = join(folderOf(deps, org, sha256), `${page}-${width_px}-v${VERSION}`);
  const known = await readCached(path);
  if (known !== null) return known;
  const bytes = await deps.readPdf(org, sha256);
  const image = await deps.pdf.page(bytes, { page, width_px }, { key: org, priority, give_up_bytes: true });
  await writeCached(path, image);
  return image;
}

/** The file format: width, height and type on one line, then the image. */
async function readCached(path: string): Promise<PageImage | null> {
  let file: Buffer;
  try {
    file = await readFile(path);
    if (Date.now() - (await stat(path)).mtimeMs > TOUCH_MS) await utimes(path, new Date(), new Date());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const end = file.indexOf("\n");
  const [w, h, mime] = file.toString("latin1", 0, end).split(" ");
  return { w: Number(w), h: Number(h), mime: mime as PageImage["mime"], bytes: file.subarray(end + 1) };
}

/** Written under a temporary name first, so that readers find a complete image or none. */
async function writeCached(path: string, { w, h, mime, bytes }: PageImage): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  await writeFile(unfinished, Buffer.concat([Buffer.from(`${w} ${h} ${mime}\n`, "latin1"), bytes]), { mode: 0o600 });
  await rename(unfinished, path);
}

/** Removes images that were not requested for a month. Returns how many. */
export async function forgetOldPages({ pageCache }: Pick<Deps, "pageCache">, now: number = Date.now()): Promise<number> {
  let forgotten = 0;
  const entries = await readdir(pageCache, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs < KEPT_MS) continue;
    await rm(path, { force: true });
    forgotten++;
  }
  return forgotten;
}
