import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrowserServer, chromium } from "@playwright/test";
import type { TestProject } from "vitest/node";
import { findChromium, launchFound } from "../browser/chromium.mjs";

declare module "vitest" {
  interface ProvidedContext {
    browserUrl: string;
  }
}

/** What a test file that needs a browser is told when it asks. */
export type BrowserAnswer = { readonly endpoint: string } | { readonly missing: string };

/** One Chromium for the whole run, started for the first test file that asks for it: a run without such files has none. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<BrowserServer | { missing: string }> | undefined;
  const door = createServer((_request, response) => {
    started ??= startBrowser();
    started.then(
      (one) => response.end(JSON.stringify("missing" in one ? one : { endpoint: one.wsEndpoint() })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  project.provide("browserUrl", `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.closeAllConnections();
    await new Promise((resolve) => door.close(resolve));
    const one = await started;
    if (one !== undefined && !("missing" in one)) await one.close();
  };
}

async function startBrowser(): Promise<BrowserServer | { missing: string }> {
  const found = await findChromium();
  return "missing" in found ? found : launchFound(found, (options) => chromium.launchServer(options));
}
