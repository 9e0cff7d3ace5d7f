import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext } from "@playwright/test";

/** the seed of a run in which answers arrive late and in another order; unset in every normal run */
const { SHAKE } = process.env;

// Long enough that a person, or a story, could act before a part of the page is there.
const LONGEST_MS = 600;

/** Delays every answer by a time that depends on the seed and the request. What fails then acts before the page is ready, or the page is wrong. */
export async function shake(context: BrowserContext): Promise<void> {
  if (SHAKE === undefined) return;
  let requests = 0;
  await context.route("**/*", async (route) => {
    const digest = createHash("sha256")
      .update(`${SHAKE} ${requests++} ${new URL(route.request().url()).pathname}`)
      .digest();
    // Most are a little late, a few very late.
    const share = digest.readUInt16BE() / 0xffff;
    await wait(LONGEST_MS * share ** 3);
    // The page may be closed by now.
    await route.fallback().catch(() => undefined);
  });
}
