import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The site as built, from the files of the repository. */

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const dist = `${root}site/dist/`;

export interface BuiltFile {
  readonly file: string;
  readonly type: string;
  readonly tag: string;
  readonly compressed: boolean;
}

export interface BuiltPage {
  /** below /docs/ */
  readonly path: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
}

export interface BuiltSite {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly pages: ReadonlyMap<string, BuiltPage>;
}

/** Fails if a file has changed since the last build. */
export function builtSite(): BuiltSite {
  execFileSync(process.execPath, [`${root}site/build.mjs`, "--check"]);
  const { files } = JSON.parse(readFileSync(`${dist}site.json`, "utf8")) as { files: Record<string, BuiltFile> };
  const pages = Object.entries(files)
    .filter(([, { type }]) => type.startsWith("text/html"))
    .map(([path, { file }]) => pageOf(path, readFileSync(dist + file, "utf8")));
  return { files: new Map(Object.entries(files)), pages: new Map(pages.map((page) => [page.path, page])) };
}

export function pageOf(path: string, html: string): BuiltPage {
  return { path, html, ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)) };
}

/** Every address in the attributes of a page, as it is written. */
export function addressesIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|data-script|data-index)="([^"]*)"/g)].map(([, address = ""]) => unescaped(address));
}

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
