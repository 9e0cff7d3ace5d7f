import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "./axe.ts";
import type { Device, Page } from "./browser.ts";

/** Where `npm run screenshots` wants the pictures; without it a screen is only judged. */
const folder = process.env.SCREENSHOTS;

/** A screen as it is meant to be looked at: judged, and kept as a picture if somebody wants to see it; in dark too. */
export async function look(page: Page, device: Device, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await shoot(page, device, name);
  // What is said and how it is told is the same on both devices; what differs is size and place.
  if (device === "phone" && folder === undefined) return expectAccessible(page, `${device} ${name}`, ["target-size", "color-contrast"]);
  await expectAccessible(page, `${device} ${name}`);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, `${device} ${name}, dark`, ["color-contrast"]);
  await shoot(page, device, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

export async function shoot(page: Page, device: Device, name: string): Promise<void> {
  if (folder === undefined) return;
  await mkdir(join(folder, device), { recursive: true });
  await page.screenshot({ path: join(folder, device, `${name}.png`), animations: "disabled", caret: "initial" });
}
