import type { FrameLocator, Locator } from "@playwright/test";
import { png } from "../../server/test/png.ts";
import { expect, fail, type Page } from "./browser.ts";
import { shown as en } from "./words.ts";

/** The actions of a signer, by roles and labels as screen readers use them, independent of the implementation. */

/** the page itself, or the page in a frame */
export type Where = Pick<Page | FrameLocator, "getByRole" | "getByLabel" | "getByText" | "locator">;

export const title = (where: Where, name: string): Locator => where.getByRole("heading", { level: 1, name, exact: true });
export const button = (where: Where, name: string | RegExp): Locator =>
  where.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });

/** Page 1 is displayed, which consent requires. */
export const firstPageThere = (where: Where): Promise<void> =>
  expect(where.getByRole("region", { name: en.page(1, 9).slice(0, -1) }).locator("img")).toHaveJSProperty("complete", true);

/** Gives consent. If page 1 is not displayed yet, the page waits for it. */
export async function agree(where: Where): Promise<void> {
  await where.getByRole("checkbox", { name: en.consentBox }).check();
  await button(where, en.continue).click();
  await title(where, en.fieldsTitle).waitFor();
  await firstPageThere(where);
}

/** The input of a field. Its label continues with "required" or "optional" and the page. In German the button that opens it begins so too. */
export const field = (where: Where, name: string): Locator =>
  where.getByLabel(new RegExp(`^${name}[, (]`)).and(where.locator("input, textarea, select"));
export const choice = (where: Where, name: string): Locator => where.getByRole("combobox", { name: new RegExp(`^${name}`) });
/** Chooses an option of a radio group with a single area, which is shown in the panel. */
export async function choose(where: Where, name: string, option: string): Promise<void> {
  await button(where, en.editField(name, 1)).click();
  await where.getByRole("radio", { name: `${name}: ${option}` }).check();
}
export const box = (where: Where, name: string): Locator => where.getByRole("checkbox", { name: new RegExp(`^${name}`) });
export const placeToSign = (where: Where, name: string, page = 1): Locator => button(where, en.signField(name, page));
export const placeToInitial = (where: Where, name: string, page = 1): Locator => button(where, en.initialField(name, page));
/** A signed field. Its label continues with the typed text. */
export const signed = (where: Where, name: string): Locator => button(where, new RegExp(`^${en.signedHere}: ${name}(,|$)`));

export type What = "signature" | "initials";
export const dialog = (where: Where, name: string): Locator => where.getByRole("dialog", { name });

/** Picks one of the three methods in the open dialog. */
export async function chooseMethod(where: Where, what: What, method: string): Promise<Locator> {
  const open = dialog(where, en.adoptTitle[what]);
  await open
    .getByRole("radio", { name: method, exact: true })
    .or(open.getByRole("tab", { name: method, exact: true }))
    .click();
  return open;
}

export async function adoptTyped(where: Where, what: What, text: string): Promise<void> {
  const open = await chooseMethod(where, what, en.type);
  await open.getByRole("textbox", { name: en.typeName[what] }).fill(text);
  await button(open, en.adopt[what]).click();
  await open.waitFor({ state: "hidden" });
}

export async function adoptDrawn(page: Page, what: What): Promise<void> {
  const open = await chooseMethod(page, what, en.draw);
  await scribble(page, open.getByLabel(en.drawHere));
  await button(open, en.adopt[what]).click();
  await open.waitFor({ state: "hidden" });
}

export async function adoptUploaded(where: Where, what: What): Promise<void> {
  const open = await chooseMethod(where, what, en.upload);
  const buffer = png({ width: 300, height: 100, alpha: 255 });
  await open.getByLabel(en.uploadChoose).setInputFiles({ name: "signature.png", mimeType: "image/png", buffer });
  await button(open, en.adopt[what]).click();
  await open.waitFor({ state: "hidden" });
}

/** Draws a wave across the pad with the mouse. */
export async function scribble(page: Page, pad: Locator): Promise<void> {
  const { x, y, width, height } = (await pad.boundingBox()) ?? fail("no pad");
  const at = (part: number): [number, number] => [x + width * (0.1 + 0.8 * part), y + height * (0.5 + 0.3 * Math.sin(part * 12))];
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let step = 1; step <= 30; step++) await page.mouse.move(...at(step / 30));
  await page.mouse.up();
}

/** shown when all entries are saved */
export const saved = (where: Where): Locator => where.getByText(en.saved, { exact: true }).first();

/** Fills in name and signature of the one-page order. The review opens after the last field. */
export async function fillOrder(where: Where, name = "Ann Example"): Promise<void> {
  await field(where, "Full name").fill(name);
  await placeToSign(where, "Buyer signature").click();
  await adoptTyped(where, "signature", name);
  await title(where, en.reviewTitle).waitFor();
}

/** Fills in every field of the lease except the signature. */
export async function fillLease(where: Where): Promise<void> {
  await field(where, "Full name").fill("Ann Example");
  await field(where, "Rent").fill("1234.50");
  await field(where, "Start").fill("2027-03-01");
  await choice(where, "Floor").selectOption("second");
  await choose(where, "Payment", "yearly");
  await box(where, "Pet").check();
  await field(where, "Remarks").fill("The cellar is dry.");
  await placeToInitial(where, "Initials", 1).click();
  await adoptTyped(where, "initials", "AE");
  await placeToInitial(where, "Initials", 2).click();
}

export async function sign(where: Where): Promise<void> {
  await button(where, en.sign).click();
  await title(where, en.doneTitle).waitFor();
}

/** Fills in and signs the order. */
export async function signOrder(where: Where): Promise<void> {
  await agree(where);
  await fillOrder(where);
  await sign(where);
}

export async function menu(where: Where, entry: string): Promise<void> {
  await button(where, en.menu).click();
  await where.getByRole("menuitem", { name: entry, exact: true }).or(button(where, entry)).click();
}
