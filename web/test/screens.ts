import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "./axe.ts";
import type { Device, Page } from "./browser.ts";

/** Where `npm run screenshots` saves the screenshots. Without it, screens are only checked. */
const folder = process.env.SCREENSHOTS;

/** Screenshots are taken on both devices. In tests, phone screens are checked by the phone tests. */
export const tourDevices: readonly Device[] = folder === undefined ? ["desktop"] : ["desktop", "phone"];

/** Checks the accessibility of a screen in light and dark, and takes screenshots if requested. */
export async function look(page: Page, device: Device, name: string): Promise<void> {
  await shoot(page, device, name);
  await expectAccessible(page, `${device} ${name}`);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, `${device} ${name}, dark`, { only: ["color-contrast"] });
  await shoot(page, device, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Checks an open dialog. */
export async function lookAtDialog(page: Page, device: Device, name: string): Promise<void> {
  await page.locator("dialog[open]").waitFor();
  await look(page, device, name);
}

export async function shoot(page: Page, device: Device, name: string): Promise<void> {
  if (folder === undefined) return;
  await mkdir(join(folder, device), { recursive: true });
  await page.screenshot({ path: join(folder, device, `${name}.png`), animations: "disabled", caret: "initial" });
}
