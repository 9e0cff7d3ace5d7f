import type { Locator } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, fail, type Page, test } from "./browser.ts";
import { fieldsOfGarage, garage, lease, longDocument } from "./documents.ts";
import { button, chooseMethod, dialog, firstPageThere, title } from "./person.ts";
import { buyer, landlord, tenant, testSigning } from "./signing.ts";
import { de, en, es, fr } from "./words.ts";

/** On a phone, by touch; and in other languages, whose texts are longer. */

const signing = await testSigning();
const phone = { device: "phone" } as const;

interface Size {
  readonly what: string;
  readonly width: number;
  readonly height: number;
}

/** The touch targets and their sizes. A label counts as part of its control. */
const targets = (page: Page): Promise<Size[]> =>
  page.evaluate<Size[]>(`[...document.querySelectorAll("button, select, input, textarea, a[href]")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert], .layer, .skip, .hidden-visually"))
    .map((one) => {
      const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
      return { what: one.outerHTML.slice(0, 120), width: Math.round(width), height: Math.round(height) };
    })
    .filter(({ width, height }) => width > 1 && height > 1)`);

async function expectFingerSized(page: Page): Promise<void> {
  const all = await targets(page);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ width, height }) => width < 44 || height < 44)).toEqual([]);
  const small = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll("input:not([type=radio], [type=checkbox], [type=file]), select, textarea")]
    .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.outerHTML.slice(0, 120))`);
  expect(small, "phones zoom in on smaller text").toEqual([]);
  await expectAccessible(page, "on a phone");
}

const expectNoSidewaysScroll = async (page: Page): Promise<void> =>
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);

async function agreeByTouch(page: Page): Promise<void> {
  await firstPageThere(page);
  await page.getByRole("checkbox", { name: en.consentBox }).tap();
  await button(page, en.continue).tap();
  await expect(title(page, en.fieldsTitle)).toBeVisible();
}

/** Draws with a finger through these points, given as fractions of the pad. */
async function draw(page: Page, pad: Locator, points: readonly (readonly [number, number])[]): Promise<void> {
  const { x, y, width, height } = (await pad.boundingBox()) ?? fail("no pad");
  const finger = await page.context().newCDPSession(page);
  const touchPoints = ([px, py]: readonly [number, number]) => [{ x: x + px * width, y: y + py * height }];
  const [first, ...rest] = points;
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: touchPoints(first ?? [0, 0]) });
  // The finger rests before it is lifted. Otherwise the page would keep scrolling, and the next tap would only stop that.
  const resting = Array.from({ length: 10 }, (_, step): [number, number] => [
    (rest.at(-1)?.[0] ?? 0) + (step % 2) / 500,
    rest.at(-1)?.[1] ?? 0,
  ]);
  for (const point of [...rest, ...resting])
    await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: touchPoints(point) });
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await finger.detach();
}

const wave = (from: number, to: number): [number, number][] =>
  Array.from({ length: 16 }, (_, step) => [from + ((to - from) * step) / 15, 0.5 + 0.3 * Math.sin(step)]);

test("the lease is filled in and signed by touch: one field at a time, with large enough touch targets", async () => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  const page = await signing.open(await sent.link(tenant.email), phone);
  await expect(title(page, en.consentTitle)).toBeVisible();
  await expectFingerSized(page);
  await expectNoSidewaysScroll(page);
  await agreeByTouch(page);

  await button(page, en.editField("Full name", 1)).tap();
  const input = page.getByRole("textbox", { name: /^Full name/ });
  await expect(input).toBeFocused();
  await expectFingerSized(page);
  await input.fill("Ann Example");
  await button(page, en.next).tap();
  await page.getByRole("textbox", { name: /^Rent/ }).fill("1200");
  await button(page, en.next).tap();
  await button(page, en.today).tap();
  await button(page, en.next).tap();
  await page.getByRole("combobox", { name: /^Floor/ }).selectOption("second");
  await button(page, en.next).tap();
  await page.getByRole("radio", { name: /yearly/ }).tap();
  await expectFingerSized(page);
  await button(page, en.next).tap();
  await page.getByRole("checkbox", { name: /^Pet/ }).tap();
  await button(page, en.next).tap();
  await page.getByRole("textbox", { name: /^Remarks/ }).fill("None");
  await button(page, en.next).tap();
  await button(page, en.initialHere).tap();
  const initials = dialog(page, en.adoptTitle.initials);
  await expectFingerSized(page);
  await draw(page, initials.getByLabel(en.drawHere), wave(0.1, 0.9));
  await button(initials, en.adopt.initials).tap();
  await button(page, en.initialHere).tap();
  await button(page, en.signHere).tap();

  const signature = dialog(page, en.adoptTitle.signature);
  const pad = signature.getByLabel(en.drawHere);
  await draw(page, pad, wave(0.1, 0.45));
  // Rotating the phone keeps the drawing.
  await page.setViewportSize({ width: 844, height: 390 });
  await expectNoSidewaysScroll(page);
  await draw(page, pad, wave(0.55, 0.9));
  await page.setViewportSize({ width: 390, height: 844 });
  await button(signature, en.adopt.signature).tap();
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await expectFingerSized(page);
  await expectNoSidewaysScroll(page);
  const token = await sent.shortToken(tenant.email, 600);
  const headers = { authorization: `Bearer ${token}`, "x-signing-session": "0".repeat(32) };
  const { json } = await signing.service.send("GET", `/embed/sign/${sent.envelope_id}`, {
    headers: { ...headers, host: new URL(signing.embedUrl).host },
  });
  const across = json.data.signature.strokes.map((stroke: number[][]) => stroke.map(([x]) => x ?? 0));
  expect(across, "one stroke before the rotation and one after it").toHaveLength(2);
  expect(Math.max(...across[0])).toBeLessThan(Math.min(...across[1]));
  await button(page, en.sign).tap();
  await expect(title(page, en.doneTitle)).toBeVisible();
  await expectFingerSized(page);
});

test("fields with a form, limits, a group or several lines are filled in by touch; what is locked is only read", async () => {
  const sent = await signing.send({ document: garage, fields: fieldsOfGarage });
  const page = await signing.open(await sent.link(buyer.email), phone);
  await agreeByTouch(page);
  const form = "Use the form AA-99: 9 is a digit, A a letter, * either.";

  await button(page, en.editField("Plate", 1)).tap();
  const plate = page.getByRole("textbox", { name: /^Plate/ });
  await expect(plate).toBeFocused();
  await expect(plate).toHaveAttribute("placeholder", "AA-99");
  await expect(page.locator(".hint").filter({ hasText: form })).toBeInViewport();
  await expectFingerSized(page);
  await plate.fill("KA12");
  await button(page, en.next).tap();
  await expect(page.locator(".error").filter({ hasText: form })).toBeInViewport();
  await expect(plate).toBeFocused();
  await expectFingerSized(page);
  await plate.fill("KA-12");
  await button(page, en.next).tap();

  const deposit = page.getByRole("textbox", { name: /^Deposit/ });
  await expect(deposit).toHaveAttribute("inputmode", "decimal");
  const limits = page.getByText("Enter a number from 100\u00a0EUR to 5000\u00a0EUR with at most 2 decimals.");
  await expect(limits).toBeInViewport();
  await deposit.fill("99");
  await button(page, en.next).tap();
  await expect(page.locator(".error").and(limits)).toBeInViewport();
  await deposit.fill("1200.5");
  await button(page, en.next).tap();

  await page.getByRole("checkbox", { name: /^Cat/ }).tap();
  await expect(page.getByText("Pets: Tick exactly 1 of these boxes.")).toBeInViewport();
  await button(page, en.next).tap();
  await page.getByRole("checkbox", { name: /^Dog/ }).tap();
  await expectFingerSized(page);
  await page.getByRole("checkbox", { name: /^Dog/ }).tap();
  await button(page, en.next).tap();
  await page.getByRole("textbox", { name: /^Story/ }).fill("One line\nand another");
  await button(page, en.next).tap();
  for (const name of ["Signed on", "Note"]) await expect(button(page, en.editField(name, 1)), `${name} is locked`).toHaveCount(0);
  await button(page, en.signHere).tap();
  const signature = dialog(page, en.adoptTitle.signature);
  await chooseMethod(page, "signature", en.type);
  await button(signature, en.adopt.signature).tap();

  await expect(title(page, en.reviewTitle)).toBeVisible();
  await expectNoSidewaysScroll(page);
  for (const value of ["KA-12", "1200.50\u00a0EUR", "One line and another"])
    await expect(page.getByRole("definition").filter({ hasText: value })).toHaveCount(1);
  await button(page, en.sign).tap();
  await expect(title(page, en.doneTitle)).toBeVisible();
});

test("a too small drawing is rejected; it can be undone, cleared, or typed instead", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email), phone);
  await button(page, en.signField("Buyer signature", 1)).tap();
  const signature = dialog(page, en.adoptTitle.signature);
  const pad = signature.getByLabel(en.drawHere);
  await draw(page, pad, [
    [0.5, 0.5],
    [0.51, 0.5],
  ]);
  await button(signature, en.adopt.signature).tap();
  await expect(signature.getByText(en.tooLittle)).toBeVisible();
  await draw(page, pad, wave(0.1, 0.9));
  await button(signature, en.undo).tap();
  await button(signature, en.clear).tap();
  await chooseMethod(page, "signature", en.type);
  await expect(signature.getByRole("textbox", { name: en.typeName.signature })).toHaveValue(buyer.name);
  await expectFingerSized(page);
  await button(signature, en.adopt.signature).tap();
  await expect(signature).toBeHidden();
});

const tables = { de, es, fr };

test.each(Object.entries(tables))("the page is in %s if the browser is, and every screen fits 320 px", async (lang, words) => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  const page = await signing.newPage({ ...phone, locale: lang });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(await sent.link(tenant.email));
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
  await expect(page.getByRole("heading", { level: 1, name: words.consentTitle })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await button(page, words.menu).tap();
  await expectNoSidewaysScroll(page);
  await button(page, words.decline).tap();
  await expectNoSidewaysScroll(page);
  await button(page.getByRole("dialog"), words.cancel).tap();
  await page.getByRole("checkbox", { name: words.consentBox }).tap();
  await button(page, words.continue).tap();
  await expect(page.getByRole("heading", { level: 1, name: words.fieldsTitle })).toBeVisible();
  await button(page, words.next).tap();
  await expectNoSidewaysScroll(page);
  await button(page, words.signField("Tenant signature", 2)).tap();
  await expect(page.getByRole("dialog", { name: words.adoptTitle.signature })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("the language of the address overrides the browser's, the signer's choice overrides both and survives a reload", async () => {
  const sent = await signing.send();
  const page = await signing.newPage({ locale: "es" });
  await page.goto(await sent.link(buyer.email, "fr"));
  await expect(page.getByRole("heading", { level: 1, name: fr.consentTitle })).toBeVisible();
  await button(page, fr.menu).click();
  await page.getByRole("combobox", { name: fr.language }).selectOption("de");
  await expect(page.getByRole("heading", { level: 1, name: de.consentTitle })).toBeVisible();
  await expect(page.getByRole("region", { name: de.consentDisclosure })).toHaveAttribute("lang", "de");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: de.consentTitle })).toBeVisible();
});

test("a hundred pages can be read to the end on a phone, with at most twelve images at once", async () => {
  const sent = await signing.send({ document: longDocument(100) });
  const page = await signing.open(await sent.link(buyer.email), phone);
  await agreeByTouch(page);
  await page.evaluate(
    `window.most = 0; (function count() { most = Math.max(most, document.images.length); requestAnimationFrame(count) })()`,
  );
  const seen = (n: number) => page.getByRole("region", { name: en.page(n, 100), exact: true }).locator("img");
  for (const n of [5, 12, 30, 31, 32, 60, 99, 100]) {
    await page.getByRole("region", { name: en.page(n, 100), exact: true }).scrollIntoViewIfNeeded();
    await expect(seen(n), `page ${n}`).toBeVisible();
  }
  expect(await page.evaluate<number>("most")).toBeLessThanOrEqual(12);
  await expect(button(page, en.signField("Buyer signature", 100))).toBeInViewport();
});
