import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** A small folder with the structure of the web build. The real build is not needed to test how pages are served. */

export const BOOT_SCRIPT = "document.documentElement.dataset.booted = '';";
export const SCRIPT = "export const sign = () => document.title;\n".repeat(50);
export const EMBED_SCRIPT = "customElements.define('countersign-sign', class extends HTMLElement {});\n".repeat(20);

export const shell = (script = BOOT_SCRIPT) => `<!doctype html>
<html lang="en">
<title>Countersign</title>
<script type="application/json" id="boot">null</script>
<script>${script}</script>
<script type="module" crossorigin src="/assets/sign-abc.js"></script>
</html>
`;

export const VERIFIER_POLICY = "default-src 'none'; script-src 'sha256-abc'";
export const VERIFIER = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${VERIFIER_POLICY}"><title>Verify</title>\n`;

export const hashOf = (script: string): string => `sha256-${createHash("sha256").update(script).digest("base64")}`;

export interface WebFiles {
  readonly pages?: Readonly<Record<string, string>>;
  readonly policies?: Readonly<Record<string, readonly string[]>>;
}

export function writeWeb(folder: string, { pages = { "sign/index.html": shell() }, policies }: WebFiles = {}): string {
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const writeAll = (name: string, content: string) => {
    write(name, content);
    write(`${name}.br`, brotliCompressSync(content));
    write(`${name}.gz`, gzipSync(content));
  };
  for (const [name, html] of Object.entries(pages)) write(name, html);
  const named = policies ?? Object.fromEntries(Object.keys(pages).map((name) => [name, [hashOf(BOOT_SCRIPT)]]));
  write("csp.json", JSON.stringify(named));
  writeAll("assets/sign-abc.js", SCRIPT);
  writeAll("assets/sign-abc.css", "body { margin: 0 }\n");
  writeAll("assets/mark-abc.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write("assets/caveat-abc.ttf", "font");
  write("assets/caveat-abc.woff2", "font");
  write("assets/mark-abc.png", "picture");
  writeAll("embed.js", EMBED_SCRIPT);
  writeAll("verify.html", VERIFIER);
  return folder;
}
