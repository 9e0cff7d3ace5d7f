import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** The build of web/, read once at the start. Paths from requests are never looked up on the disk. */
export interface BuiltWeb {
  /** by path in the build, such as `sign/index.html` */
  readonly pages: ReadonlyMap<string, BuiltPage>;
  /** by name; a name contains the hash of the content, so the content never changes */
  readonly assets: ReadonlyMap<string, BuiltFile>;
  readonly embedScript: BuiltFile;
  /** the verifier, a whole page in one file; null if it is not built */
  readonly verifier: BuiltVerifier | null;
}

export interface BuiltVerifier extends BuiltFile {
  /** the policy that the page declares for itself, so that it also holds when the page is opened from disk */
  readonly policy: string;
}

/** A page in two halves. The boot data goes between them. */
export interface BuiltPage {
  readonly before: string;
  readonly after: string;
  /** `sha256-…` of each inline script */
  readonly scriptHashes: readonly string[];
}

export interface BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

/** The build is missing or incomplete. The message says which part and what to do. */
export class WebRefused extends Error {
  override readonly name = "WebRefused";
}

const REBUILD = "Run: npm run build";

export function readBuiltWeb(folder: string): BuiltWeb {
  const policies = readPolicies(join(folder, "csp.json"));
  if (!Object.hasOwn(policies, "sign/index.html")) throw new WebRefused(`The signing page is not built. ${REBUILD}`);
  if (!existsSync(join(folder, "embed.js"))) throw new WebRefused(`The script for partners' pages (embed.js) is not built. ${REBUILD}`);
  const assets = readdirSync(join(folder, "assets")).filter((name) => !/\.(br|gz)$/.test(name));
  return {
    pages: new Map(Object.entries(policies).map(([name, allowed]) => [name, readPage(folder, name, allowed)])),
    assets: new Map(assets.map((name) => [name, readBuilt(join(folder, "assets", name))])),
    embedScript: readBuilt(join(folder, "embed.js")),
    verifier: readVerifier(join(folder, "verify.html")),
  };
}

const OWN_POLICY = /<meta http-equiv="Content-Security-Policy" content="(default-src 'none';[^"]*)">/;

function readVerifier(file: string): BuiltVerifier | null {
  if (!existsSync(file)) return null;
  const built = readBuilt(file);
  const [, policy] = OWN_POLICY.exec(built.bytes.toString("utf8")) ?? [];
  if (policy === undefined) throw new WebRefused(`The verifier declares no policy. ${REBUILD}`);
  return { ...built, policy };
}

function readPolicies(file: string): Readonly<Record<string, readonly string[]>> {
  if (!existsSync(file)) throw new WebRefused(`The pages are not built (csp.json is missing). ${REBUILD}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

const BOOT = '<script type="application/json" id="boot">';
const EMPTY_BOOT = `${BOOT}null</script>`;

/** Requires the policy to list exactly the page's inline scripts. A script that is not listed would not run, and the page would stay blank. */
function readPage(folder: string, name: string, allowed: readonly string[]): BuiltPage {
  const html = readFileSync(join(folder, name), "utf8");
  const [before, after, ...more] = html.split(EMPTY_BOOT);
  if (before === undefined || after === undefined || more.length > 0)
    throw new WebRefused(`${name} must have one empty boot block. ${REBUILD}`);
  const found = inlineScripts(html).map((text) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
  if ([...found].sort().join() !== [...allowed].sort().join()) {
    throw new WebRefused(`csp.json does not list exactly the inline scripts of ${name}. They come from two different builds. ${REBUILD}`);
  }
  return { before: before + BOOT, after: `</script>${after}`, scriptHashes: found };
}

/** Scripts without `src` that are not data blocks. */
function inlineScripts(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)];
  return scripts.filter(([, attributes = ""]) => !/\ssrc\s*=|\stype="application\/json"/i.test(attributes)).map(([, , text = ""]) => text);
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
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
