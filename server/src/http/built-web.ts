import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** What the build of web/ gives, read once at the start: no path that a request names is ever looked up on the disk. */
export interface BuiltWeb {
  /** by their place in the build, `sign/index.html` */
  readonly pages: ReadonlyMap<string, BuiltPage>;
  /** by name; a name holds the hash of what it names, so what is under it never changes */
  readonly assets: ReadonlyMap<string, BuiltFile>;
  readonly embedScript: BuiltFile;
}

/** A page in two halves: what it must know before its first call goes between them. */
export interface BuiltPage {
  readonly before: string;
  readonly after: string;
  /** `sha256-…` of each script that stands in the page itself */
  readonly scriptHashes: readonly string[];
}

export interface BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

/** The build is not there, or not whole; the message says which part and what to do. */
export class WebRefused extends Error {
  override readonly name = "WebRefused";
}

const AGAIN = "Run: npm run build";

export function readBuiltWeb(folder: string): BuiltWeb {
  const policies = readPolicies(join(folder, "csp.json"));
  if (!Object.hasOwn(policies, "sign/index.html")) throw new WebRefused(`The signing page is not built. ${AGAIN}`);
  if (!existsSync(join(folder, "embed.js"))) throw new WebRefused(`The script for partners' pages (embed.js) is not built. ${AGAIN}`);
  const assets = readdirSync(join(folder, "assets")).filter((name) => !/\.(br|gz)$/.test(name));
  return {
    pages: new Map(Object.entries(policies).map(([name, allowed]) => [name, readPage(folder, name, allowed)])),
    assets: new Map(assets.map((name) => [name, readBuilt(join(folder, "assets", name))])),
    embedScript: readBuilt(join(folder, "embed.js")),
  };
}

function readPolicies(file: string): Readonly<Record<string, readonly string[]>> {
  if (!existsSync(file)) throw new WebRefused(`The pages are not built (there is no csp.json). ${AGAIN}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

const BOOT = '<script type="application/json" id="boot">';
const EMPTY_BOOT = `${BOOT}null</script>`;

/** A page whose script the policy does not name would stay blank in every browser; one that it names in vain hides another's. */
function readPage(folder: string, name: string, allowed: readonly string[]): BuiltPage {
  const html = readFileSync(join(folder, name), "utf8");
  const [before, after, ...more] = html.split(EMPTY_BOOT);
  if (before === undefined || after === undefined || more.length > 0)
    throw new WebRefused(`${name} must have one empty boot block. ${AGAIN}`);
  const found = inlineScripts(html).map((text) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
  if ([...found].sort().join() !== [...allowed].sort().join()) {
    throw new WebRefused(`csp.json does not name exactly the scripts that stand in ${name}: they are of two builds. ${AGAIN}`);
  }
  return { before: before + BOOT, after: `</script>${after}`, scriptHashes: found };
}

/** Whatever has no `src` and is no data runs where it stands. */
function inlineScripts(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)];
  return scripts.filter(([, attributes = ""]) => !/\ssrc\s*=|\stype="application\/json"/i.test(attributes)).map(([, , text = ""]) => text);
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ttf": "font/ttf",
  ".woff2": "font/woff2",
};

function readBuilt(file: string): BuiltFile {
  const beside = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : null);
  const type = types[extname(file)] ?? "application/octet-stream";
  return { type, bytes: readFileSync(file), br: beside(".br"), gzip: beside(".gz") };
}
