import { readFileSync } from "node:fs";
import type { Page } from "./browser.ts";

const manifest: Readonly<Record<string, { readonly file: string }>> = JSON.parse(
  readFileSync(new URL("../dist/console-manifest.json", import.meta.url), "utf8"),
);

/** Loads parts of the console's code that the page otherwise loads a moment later. After this, it does not need a connection for them. */
export async function loadParts(page: Page, sources: readonly string[]): Promise<void> {
  const files = sources.map((source) => `/${manifest[`console/${source}`]?.file}`);
  // As text: the test's own build would rewrite `import`.
  await page.evaluate(`Promise.all(${JSON.stringify(files)}.map((file) => import(file))).then(() => undefined)`);
}
