import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "./axe.ts";
import type { Device, Page } from "./browser.ts";

/** Where `npm run screenshots` wants the pictures; without it a screen is only judged. */
const folder = process.env.SCREENSHOTS;

/** Pictures are of both; in the tests the phone's screens are judged where its stories are told. */
export const toured: readonly Device[] = folder === undefined ? ["desktop"] : ["desktop", "phone"];

/** A screen as it is meant to be looked at: judged, and kept as a picture if somebody wants to see it; in dark too. */
export async function look(page: Page, device: Device, name: string): Promise<void> {
  await shoot(page, device, name);
  await expectAccessible(page, `${device} ${name}`);
  await page.emulateMedia({ colorScheme: "dark" });
  // A page hears of it with the next frame.
  await page.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))");
  await expectAccessible(page, `${device} ${name}, dark`, { only: ["color-contrast"] });
  await shoot(page, device, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

/** A dialog over a screen that was looked at. */
export async function lookAtDialog(page: Page, device: Device, name: string): Promise<void> {
  await page.locator("dialog[open]").waitFor();
  await look(page, device, name);
}

export async function shoot(page: Page, device: Device, name: string): Promise<void> {
  if (folder === undefined) return;
  await mkdir(join(folder, device), { recursive: true });
  await page.screenshot({ path: join(folder, device, `${name}.png`), animations: "disabled", caret: "initial" });
}
