import type { Locator } from "@playwright/test";
import { expect, fail, type Page, test } from "./browser.ts";
import { fieldsOfGarage, garage, lease } from "./documents.ts";
import { box, button, choice, dialog, field, firstPageThere, placeToInitial, placeToSign, signed, title } from "./person.ts";
import { buyer, landlord, tenant, testSigning } from "./signing.ts";
import { spoken } from "./spoken.ts";
import { en } from "./words.ts";

/** Everything by keyboard, without a mouse. */

const signing = await testSigning();

// More than any screen has, so that a focus trap fails the test.
const MAX_TABS = 60;

async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if ((await target.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press(key);
  }
  fail(`${target} cannot be reached by ${key}`);
}

/** Tabs to the target, checks that the focus is visible, and presses the key. */
async function pressKey(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await expect(target).toBeInViewport();
  await expect(target).not.toHaveCSS("outline-style", "none");
  await page.keyboard.press(key);
}

test("the whole lease is filled in and signed by keyboard alone", async () => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  const page = await signing.open(await sent.link(tenant.email));
  await expect(title(page, en.consentTitle)).toBeFocused();
  await firstPageThere(page);

  await pressKey(page, page.getByRole("checkbox", { name: en.consentBox }), "Space");
  await pressKey(page, button(page, en.continue));
  await expect(title(page, en.fieldsTitle)).toBeFocused();

  await tabTo(page, field(page, "Full name"));
  await page.keyboard.type("Ann Example");
  // Enter goes to the next field and never signs.
  await page.keyboard.press("Enter");
  await expect(field(page, "Rent")).toBeFocused();
  await page.keyboard.type("1200");
  await page.keyboard.press("Enter");
  await expect(field(page, "Start")).toBeFocused();
  await page.keyboard.type("03012027");
  await tabTo(page, choice(page, "Floor"));
  await page.keyboard.press("s");
  await pressKey(page, button(page, en.editField("Payment", 1)));
  await expect(page.getByRole("radio", { name: "Payment: monthly" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Payment: yearly" })).toBeChecked();
  await pressKey(page, button(page, en.next));
  await expect(box(page, "Pet")).toBeFocused();
  await page.keyboard.press("Space");
  await tabTo(page, field(page, "Remarks"));
  await page.keyboard.type("One line\nand another");

  await pressKey(page, placeToInitial(page, "Initials", 1));
  const initials = dialog(page, en.adoptTitle.initials);
  await expect(initials).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(initials).toBeHidden();
  await expect(placeToInitial(page, "Initials", 1)).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, initials.getByRole("textbox", { name: en.typeName.initials }));
  await page.keyboard.press("Enter");
  await expect(initials).toBeHidden();
  await pressKey(page, placeToInitial(page, "Initials", 2));
  await expect(signed(page, "Initials")).toHaveCount(2);

  await pressKey(page, placeToSign(page, "Tenant signature", 2));
  const signature = dialog(page, en.adoptTitle.signature);
  await tabTo(page, signature.getByRole("textbox", { name: en.typeName.signature }));
  await page.keyboard.press("Enter");
  await expect(title(page, en.reviewTitle)).toBeFocused();
  await pressKey(page, button(page, en.sign));
  await expect(title(page, en.doneTitle)).toBeFocused();
  const download = page.waitForEvent("download");
  await pressKey(page, button(page, en.downloadSoFar));
  await download;
});

test("fields with a form, limits, a group or several lines are filled in by keyboard alone, and what they take is spoken", async () => {
  const sent = await signing.send({ document: garage, fields: fieldsOfGarage });
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email));
  await expect(title(page, en.fieldsTitle)).toBeFocused();
  const form = "Use the form AA-99: 9 is a digit, A a letter, * either.";
  const limits = "Enter a number from 100\u00a0EUR to 5000\u00a0EUR with at most 2 decimals.";

  await tabTo(page, field(page, "Plate"));
  await expect(field(page, "Plate")).toHaveAccessibleDescription(form);
  await page.keyboard.type("KA12");
  await page.keyboard.press("Enter");
  await expect(field(page, "Plate"), "a value that cannot be signed is not left").toBeFocused();
  await expect(field(page, "Plate")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("KA-12");
  await page.keyboard.press("Enter");
  await expect(field(page, "Deposit")).toBeFocused();
  await expect(field(page, "Deposit")).toHaveAccessibleDescription(limits);
  await page.keyboard.type("5000.01");
  await page.keyboard.press("Enter");
  await expect(field(page, "Deposit")).toBeFocused();
  await expect(field(page, "Deposit")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("1200.5");
  await page.keyboard.press("Enter");

  await expect(box(page, "Cat")).toBeFocused();
  await expect(box(page, "Cat")).toHaveAccessibleDescription("Pets: Tick exactly 1 of these boxes.");
  await page.keyboard.press("Space");
  await tabTo(page, box(page, "Dog"));
  await page.keyboard.press("Space");
  await expect(box(page, "Dog")).toBeChecked();
  await expect(button(page, /^Cat/)).toHaveAccessibleName(new RegExp(en.mustChange));
  await page.keyboard.press("Space");
  await expect(button(page, /^Cat/)).toHaveAccessibleName(new RegExp(en.filledIn));
  await tabTo(page, field(page, "Story"));
  await page.keyboard.type("One line");
  await page.keyboard.press("Enter");
  await page.keyboard.type("and another");
  await expect(field(page, "Story"), "Enter is a line of the text").toHaveValue("One line\nand another");
  await page.keyboard.press("Tab");
  await expect(placeToSign(page, "Buyer signature"), "the day of signing and the label are no steps").toBeFocused();
  await page.keyboard.press("Enter");
  const signature = dialog(page, en.adoptTitle.signature);
  await tabTo(page, signature.getByRole("textbox", { name: en.typeName.signature }));
  await page.keyboard.press("Enter");
  await expect(title(page, en.reviewTitle)).toBeFocused();
  await expect(page.getByRole("definition").filter({ hasText: "1200.50\u00a0EUR" })).toHaveCount(1);
  await pressKey(page, button(page, en.sign));
  await expect(title(page, en.doneTitle)).toBeFocused();
});

test("the order is read in the text view and signed by keyboard alone, and each step is spoken", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  await firstPageThere(page);
  const heard: string[] = [];
  const hear = async (): Promise<void> => void heard.push(await spoken(page));
  const go = async (target: Locator, key?: string): Promise<void> => {
    await tabTo(page, target);
    await hear();
    if (key !== undefined) await page.keyboard.press(key);
  };
  const arriveAt = async (heading: string): Promise<void> => {
    await expect(title(page, heading)).toBeFocused();
    await hear();
  };
  await arriveAt(en.consentTitle);
  await go(page.getByRole("checkbox", { name: en.consentBox }), "Space");
  await go(button(page, en.continue), "Enter");
  await arriveAt(en.fieldsTitle);
  await tabTo(page, button(page, en.textView), "Shift+Tab");
  await hear();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: en.page(1, 1) }).locator("img")).toHaveCount(0);
  await go(field(page, "Full name"), "Enter");
  await expect(placeToSign(page, "Buyer signature")).toBeFocused();
  await tabTo(page, field(page, "Full name"), "Shift+Tab");
  await hear();
  await page.keyboard.type("Ann Example");
  await page.keyboard.press("Enter");
  await expect(placeToSign(page, "Buyer signature")).toBeFocused();
  await go(placeToSign(page, "Buyer signature"), "Enter");
  const open = dialog(page, en.adoptTitle.signature);
  await go(open.getByRole("textbox", { name: en.typeName.signature }), "Enter");
  await arriveAt(en.reviewTitle);
  await go(button(page, en.sign), "Enter");
  await arriveAt(en.doneTitle);
  expect(heard).toEqual([
    "heading, Before you sign",
    "checkbox, I have read this text and agree to sign this document electronically",
    "button, Continue",
    "heading, Fill in and sign",
    "button, Text view",
    "textbox, Full name, required, page 1, required",
    "textbox, Full name, required, page 1, Please fill this in., invalid, required",
    "button, Sign here: Buyer signature, page 1",
    "textbox, Your name, Ann Example",
    "heading, Review and sign",
    "button, Sign",
    "heading, You have signed",
  ]);
});

test("the menu and the skip link work by keyboard", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link("ann@example.com"));
  await expect(title(page, en.consentTitle)).toBeFocused();
  await tabTo(page, button(page, en.skip), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(title(page, en.consentTitle)).toBeFocused();
  await tabTo(page, button(page, en.menu), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(button(page, en.decline)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(button(page, en.decline)).toBeHidden();
  await expect(button(page, en.menu)).toBeFocused();
  await page.keyboard.press("Enter");
  await pressKey(page, button(page, en.decline));
  await expect(dialog(page, en.declineTitle)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(button(page, en.menu)).toBeFocused();
});
