import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { BrowserServer } from "@playwright/test";
import type { TestProject } from "vitest/node";
import { startChromium } from "../browser/chromium.mjs";

declare module "vitest" {
  interface ProvidedContext {
    browserUrl: string;
  }
}

/** The answer to a test file that needs a browser. */
export type BrowserAnswer = { readonly endpoint: string } | { readonly missing: string };

/** Why the browser stories of the last run were left out; scripts/test.mjs reads it. No file: they ran, or none was asked for. */
const MISSING = fileURLToPath(new URL("../../node_modules/.cache/browser-missing.txt", import.meta.url));

/** One Chromium for the whole run, started when the first test file needs it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(MISSING, { force: true });
  let started: Promise<BrowserServer | { missing: string }> | undefined;
  const server = createServer((_request, response) => {
    started ??= startBrowser();
    started.then(
      (one) => response.end(JSON.stringify("missing" in one ? one : { endpoint: one.wsEndpoint() })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("browserUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const one = await started;
    if (one !== undefined && !("missing" in one)) await one.close();
  };
}

async function startBrowser(): Promise<BrowserServer | { missing: string }> {
  // Loading it takes a second, and a run without stories needs none of it.
  const { chromium } = await import("@playwright/test");
  const launched = await startChromium((options) => chromium.launchServer(options));
  if ("started" in launched) return launched.started;
  // A contributor without a browser runs everything else; CI must not pass without one.
  if (process.env.REQUIRE_BROWSER === "true") throw new Error(`REQUIRE_BROWSER=true, but ${launched.missing}`);
  writeFileSync(MISSING, launched.missing);
  return launched;
}
