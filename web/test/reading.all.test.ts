import { expect, type Page, test, watchOf } from "./browser.ts";
import { lease, longDocument } from "./documents.ts";
import {
  adoptTyped,
  button,
  chooseMethod,
  dialog,
  field,
  firstPageThere,
  menu,
  placeToInitial,
  placeToSign,
  saved,
  signed,
  title,
} from "./person.ts";
import { buyer, landlord, tenant, testSigning } from "./signing.ts";
import { en, fr } from "./words.ts";

/** Reading a document and moving in it: pages, places, text, small windows, and who reads it. */

const signing = await testSigning();
const drawn = (page: Page, name: string) => page.locator(`[data-name="${name}"] .drawn text`);
const toTenant = { document: lease, name: "Lease of the flat", signers: [tenant, landlord] };

test("a long document shows the page, goes to any page by number, and lists its pages with what is left to do", async () => {
  const sent = await signing.send({ document: longDocument(12), name: "Long" });
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email));
  await firstPageThere(page);
  const number = page.getByLabel(en.goToPage(12));
  await expect(number).toHaveValue("1");
  await number.fill("9");
  await number.press("Enter");
  await expect(page.getByRole("region", { name: en.page(9, 12) })).toBeInViewport();
  await expect(number).toHaveValue("9");
  await button(page, en.pageAfter).click();
  await expect(number).toHaveValue("10");
  await expect(page.getByRole("region", { name: en.page(10, 12) }).locator("img")).toBeVisible();
  const list = page.getByRole("navigation", { name: en.pageList });
  await list.getByRole("button", { name: `${en.onPage(12)}, ${en.leftOnPage(1)}` }).click();
  await expect(number).toHaveValue("12");
  await expect(list.getByRole("button", { name: new RegExp(`^${en.onPage(12)},`) })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: `Buyer signature ${en.page(12, 12)} ${en.required}` })).toBeVisible();
  await expect(page).toHaveTitle(`${en.fieldsTitle} · Long`);
});

test("another person than the signer leaves nothing of the document behind", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  await expect(page.getByText(en.signingAs("Ann Example"))).toBeVisible();
  await expect(page.getByText(buyer.email)).toBeVisible();
  await firstPageThere(page);
  await button(page, en.notYou).click();
  await expect(title(page, en.notYouTitle)).toBeVisible();
  await expect(page).toHaveTitle(en.notYouTitle);
  for (const trace of ["Order", "Example Company", "Ann Example", buyer.email]) expect(await page.content()).not.toContain(trace);
  await page.reload();
  await expect(title(page, en.mailedLinkTitle)).toBeVisible();
});

test("after the first initials, the other places are offered at once", async () => {
  const sent = await signing.send(toTenant);
  await sent.agreed(tenant.email);
  const page = await signing.open(await sent.link(tenant.email));
  await placeToInitial(page, "Initials", 1).click();
  await adoptTyped(page, "initials", "AE");
  await button(page, new RegExp(en.applyToOthers(1))).click();
  await expect(signed(page, "Initials")).toHaveCount(2);
  await expect(button(page, new RegExp(en.applyToOthers(1)))).toBeHidden();
});

test("Next does not leave a value that cannot be signed, a reader who comes back starts there, and values are in the page's language", async () => {
  const sent = await signing.send(toTenant);
  await sent.agreed(tenant.email);
  const page = await signing.newPage();
  await page.goto(await sent.link(tenant.email));
  await field(page, "Rent").fill("a lot");
  await button(page, en.next).click();
  await expect(field(page, "Rent")).toBeFocused();
  await expect(field(page, "Rent")).toHaveAccessibleDescription(en.errors.invalid_value.number);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Rent")).toBeFocused();
  await field(page, "Rent").fill("1,200.50");
  await button(page, en.next).click();
  await expect(field(page, "Rent")).not.toBeFocused();
  await expect(field(page, "Rent"), "as it will be printed in English").toHaveValue("1200.50");
  await field(page, "Start").fill("2027-03-01");
  await field(page, "Start").blur();
  await expect(drawn(page, "Start")).toHaveText("1 Mar 2027");
  await button(page, en.menu).click();
  await page.getByRole("combobox", { name: en.language }).selectOption("de");
  await expect(drawn(page, "Start")).toHaveText("01.03.2027");
  await expect(drawn(page, "Rent")).toHaveText("1200,50");
  await expect(field(page, "Rent")).toHaveValue("1200,50");
  await field(page, "Rent").fill("1.300,5");
  await field(page, "Rent").blur();
  await expect(field(page, "Rent")).toHaveValue("1300,5");
});

test("two quick changes of the language end in the last one, with its texts and its numbers", async () => {
  const sent = await signing.send(toTenant);
  await sent.agreed(tenant.email);
  const page = await signing.newPage();
  await page.goto(await sent.link(tenant.email));
  await firstPageThere(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\?lang=fr$/, async (route) => {
    await held;
    await route.continue();
  });
  await button(page, en.menu).click();
  const asked = page.waitForRequest(/\?lang=fr$/);
  await page.getByRole("combobox", { name: en.language }).selectOption("fr");
  await asked;
  await page.getByRole("combobox", { name: fr.language }).selectOption("de");
  const read = page.waitForResponse(/\?lang=de$/);
  release();
  await read;
  await field(page, "Rent").fill("1.300");
  await field(page, "Rent").blur();
  await expect(field(page, "Rent"), "a thousand and three hundred, as a German writes it").toHaveValue("1300");
});

test("without a connection, the page stays when a screen cannot be loaded, and is loaded anew when there is one again", async () => {
  const sent = await signing.send(toTenant);
  await sent.agreed(tenant.email);
  const page = await signing.newPage();
  await page.goto(await sent.link(tenant.email));
  await firstPageThere(page);
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED|Failed to load module/);
  await page.context().setOffline(true);
  const failed = page.waitForEvent("requestfailed", { predicate: (request) => request.resourceType() === "script" });
  await menu(page, en.decline);
  await failed;
  await expect(page.getByText(en.offline)).toBeVisible();
  await expect(field(page, "Rent")).toBeVisible();
  const loaded = page.waitForEvent("load");
  await page.context().setOffline(false);
  await loaded;
  await firstPageThere(page);
  await menu(page, en.decline);
  await expect(dialog(page, en.declineTitle)).toBeVisible();
});

test("in the text view a field follows the words beside it, and a heading is one", async () => {
  const sent = await signing.send(toTenant);
  await sent.agreed(tenant.email);
  const page = await signing.newPage();
  // At first the service is too busy to read the document.
  watchOf(page.context()).expect(/503/);
  let isBusy = true;
  await page.route(/\/pages\/1\/text/, (route) => (isBusy ? route.fulfill({ status: 503, json: { error: "Busy" } }) : route.fallback()));
  await page.goto(await sent.link(tenant.email));
  const refused = page.waitForResponse((response) => response.status() === 503);
  await button(page, en.textView).click();
  await refused;
  isBusy = false;
  const first = page.getByRole("region", { name: en.page(1, 2) });
  await expect(first.getByRole("heading", { name: "Lease", exact: true })).toBeVisible();
  const order = await first.locator("p, .field").evaluateAll((all) => all.map((one) => one.getAttribute("data-name") ?? one.textContent));
  expect(order.slice(order.indexOf("Name"))).toEqual(
    [
      "Name",
      "Full name",
      "Rent",
      "Rent",
      "Start",
      "Start",
      "Floor",
      "Floor",
      "Payment",
      "Payment",
      "Pet",
      "Pet",
      "Remarks",
      "Remarks",
    ].concat(["Initials", "Initials"]),
  );
});

test("in a low window the buttons of the pad are visible, and at 400 % the document has most of the height", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.newPage({ device: "phone" });
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(await sent.link(buyer.email));
  await placeToSign(page, "Buyer signature").click();
  await chooseMethod(page, "signature", en.draw);
  const open = dialog(page, en.adoptTitle.signature);
  for (const name of [en.undo, en.clear, en.adopt.signature]) await expect(button(open, name)).toBeInViewport({ ratio: 1 });
  await expect(open.getByLabel(en.drawHere)).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 320, height: 256 });
  await page.reload();
  await firstPageThere(page);
  const panel = await page.locator("#task").boundingBox();
  expect(panel?.height).toBeLessThan(0.3 * 256);
});
