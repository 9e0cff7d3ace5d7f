import type { Locator } from "@playwright/test";
import { signAll } from "../../server/test/ceremony.ts";
import { type EnvelopeValues, setSigner } from "../../server/test/envelopes.ts";
import { png } from "../../server/test/png.ts";
import { until } from "../../server/test/until.ts";
import { addAxe } from "./axe.ts";
import { type Device, expect, keptPage, type Page, test, watchOf } from "./browser.ts";
import { lease } from "./documents.ts";
import {
  adoptTyped,
  agree,
  box,
  button,
  choice,
  choose,
  chooseMethod,
  dialog,
  field,
  firstPageThere,
  menu,
  placeToInitial,
  placeToSign,
  scribble,
  sign,
  title,
} from "./person.ts";
import { look, lookAtDialog, tourDevices } from "./screens.ts";
import { buyer, landlord, tenant, testSigning } from "./signing.ts";
import { de, shown as en } from "./words.ts";

/** Accessibility of every screen and state, on desktop and phone, in light and dark. */

const signing = await testSigning();
const ann = "ann@example.com";
const questions = [
  { text: "What is the name of your first school?", answer: "Northside" },
  { text: "Which street did you grow up in?", answer: "Mill Lane" },
];
// Each screen is checked twice, which takes most of the time.
const TOUR_MS = 120_000;

/** A page with axe-core and a clock that can be moved. */
async function open(address: string, device: Device): Promise<Page> {
  const page = await keptPage({ origins: signing.origins, visit: { device, clock: "moved" }, prepare: addAxe });
  await page.goto(address);
  return page;
}

/** On a phone a field is edited in the sheet, which opens when the field is pressed. */
async function edit(page: Page, device: Device, name: string, control: Locator): Promise<Locator> {
  if (device === "phone") await button(page, en.editField(name, 1)).tap();
  else await control.focus();
  return control;
}

test.each(tourDevices)("from opening to signed, on %s", { timeout: TOUR_MS }, async (device) => {
  const message = "Please sign before the weekend. The keys are handed over on Monday morning.";
  const sent = await signing.send({
    document: lease,
    name: "Lease of the flat in Mill Lane",
    signers: [{ ...tenant, name: "אן דוגמה" }, landlord],
    message,
  });
  const page = await open(await sent.link(ann), device);
  await expect(title(page, en.consentTitle)).toBeVisible();
  await firstPageThere(page);
  await look(page, device, "01-consent");
  await button(page, en.continue).click();
  await expect(page.getByText(en.consentTick)).toBeVisible();
  await look(page, device, "02-consent-not-ticked");
  await button(page, en.menu).click();
  await look(page, device, "03-menu");
  await button(page, en.decline).click();
  await expect(dialog(page, en.declineTitle)).toBeVisible();
  await lookAtDialog(page, device, "04-decline");
  await button(dialog(page, en.declineTitle), en.cancel).click();
  await menu(page, en.paper);
  await lookAtDialog(page, device, "05-paper");
  await button(dialog(page, en.paperTitle), en.cancel).click();
  await agree(page);
  await look(page, device, "06-fields");
  const name = await edit(page, device, "Full name", field(page, "Full name"));
  await look(page, device, "07-field-text");
  await name.fill("An extremely long name ".repeat(40));
  await name.blur();
  await expect(page.getByText(en.errors.does_not_fit).first()).toBeVisible();
  await look(page, device, "08-field-error");
  await name.fill("Ann Example");
  await (await edit(page, device, "Rent", field(page, "Rent"))).fill("1200");
  await (await edit(page, device, "Start", field(page, "Start"))).fill("2027-03-01");
  await look(page, device, "09-field-date");
  await (await edit(page, device, "Floor", choice(page, "Floor"))).selectOption("second");
  await choose(page, "Payment", "yearly");
  await look(page, device, "10-field-choice");
  await (await edit(page, device, "Pet", box(page, "Pet"))).check();
  await look(page, device, "11-field-checkbox");
  await (await edit(page, device, "Remarks", field(page, "Remarks"))).fill("The cellar is dry.\nThe bicycle stays in the yard.");
  await look(page, device, "12-field-lines");
  await placeToInitial(page, "Initials", 1).click();
  await expect(dialog(page, en.adoptTitle.initials)).toBeVisible();
  await chooseMethod(page, "initials", en.type);
  await lookAtDialog(page, device, "13-adopt-initials");
  await adoptTyped(page, "initials", "AE");
  await placeToInitial(page, "Initials", 2).click();
  await placeToSign(page, "Tenant signature", 2).click();
  const adopting = await chooseMethod(page, "signature", en.draw);
  await lookAtDialog(page, device, "14-adopt-draw-empty");
  await scribble(page, adopting.getByLabel(en.drawHere));
  await lookAtDialog(page, device, "15-adopt-draw");
  await chooseMethod(page, "signature", en.upload);
  await lookAtDialog(page, device, "16-adopt-upload-empty");
  const buffer = png({ width: 300, height: 100, alpha: 255 });
  await adopting.getByLabel(en.uploadChoose).setInputFiles({ name: "signature.png", mimeType: "image/png", buffer });
  await expect(adopting.getByRole("img")).toBeVisible();
  await lookAtDialog(page, device, "17-adopt-upload");
  await chooseMethod(page, "signature", en.type);
  await lookAtDialog(page, device, "18-adopt-type");
  await adoptTyped(page, "signature", "Ann Example");
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await look(page, device, "19-review");
  await button(page, en.back).click();
  await expect(title(page, en.fieldsTitle)).toBeVisible();
  await look(page, device, "20-fields-complete");
  const isPhone = device === "phone";
  await (isPhone ? menu(page, en.textView) : button(page, en.textView).click());
  await look(page, device, "21-text-view");
  await (isPhone ? menu(page, en.pictureView) : button(page, en.textView).click());
  await menu(page, en.withdraw);
  await lookAtDialog(page, device, "22-withdraw");
  await button(dialog(page, en.withdrawTitle), en.withdrawDo).click();
  await expect(page.getByText(en.withdrawn)).toBeVisible();
  await look(page, device, "23-withdrawn");
  await agree(page);
  for (const place of [
    placeToInitial(page, "Initials", 1),
    placeToInitial(page, "Initials", 2),
    placeToSign(page, "Tenant signature", 2),
  ]) {
    await place.click();
  }
  await sign(page);
  await look(page, device, "24-signed-first");

  await page.goto(await sent.link(landlord.email));
  await agree(page);
  await look(page, device, "25-second-signer");
  await placeToSign(page, "Landlord signature", 2).click();
  await chooseMethod(page, "signature", en.type);
  await adoptTyped(page, "signature", "Sam Sample");
  await sign(page);
  await until("the sealed document", async () => (await sent.document()).subarray(0, 5).toString() === "%PDF-");
  // The page polls for it every few seconds.
  await page.clock.fastForward(4_000);
  await expect(button(page, en.download)).toBeVisible();
  await look(page, device, "26-signed-all");
});

interface State {
  readonly name: string;
  readonly told: string;
  readonly address: () => Promise<string>;
}

const linkTo = async (values: EnvelopeValues, email = ann): Promise<string> => (await signing.standing(values)).link(email);
const asked = { signers: [{ ...buyer, kba: { questions } }], kba_required: true };

async function linkOf(status: "signed" | "locked"): Promise<string> {
  const sent = await signing.standing(status === "locked" ? { kba_required: true } : { signers: [ann, "sam@example.com"] });
  if (status === "signed") await signAll(signing.service, sent.org, sent.envelope_id, [[ann]]);
  else await setSigner(signing.service, (await sent.slug(ann)) as Parameters<typeof setSigner>[1], status);
  return sent.link(ann);
}

const states: readonly State[] = [
  { name: "30-questions", told: en.questionsTitle, address: async () => (await signing.send(asked)).link(ann) },
  { name: "32-locked", told: en.lockedTitle, address: () => linkOf("locked") },
  { name: "33-questions-not-ready", told: en.identityUnavailableTitle, address: () => linkTo({ kba_required: true }) },
  { name: "34-waiting", told: en.waitingTitle, address: () => linkTo({ signers: [ann, "sam@example.com"] }, "sam@example.com") },
  { name: "35-signed-before", told: en.doneTitle, address: () => linkOf("signed") },
  { name: "36-voided", told: en.voidedTitle, address: () => linkTo({ status: "voided" }) },
  { name: "37-expired", told: en.expiredTitle, address: () => linkTo({ status: "expired" }) },
  { name: "38-declined-by-another", told: en.declinedByOtherTitle, address: () => linkTo({ status: "declined" }) },
  { name: "39-not-valid", told: en.notFoundTitle, address: async () => `${signing.embedUrl}/s/nonsense` },
  { name: "39-without-secret", told: en.mailedLinkTitle, address: async () => `${signing.embedUrl}/s/${"0".repeat(32)}` },
  { name: "40-time-ended", told: en.endedTitle, address: async () => (await signing.standing({})).shortEmbedUrl(ann, -5) },
];

test.each(tourDevices)("all states other than ready, on %s", { timeout: TOUR_MS }, async (device) => {
  const addresses = await Promise.all(states.map(({ address }) => address()));
  const page = await open("about:blank", device);
  for (const [index, { name, told }] of states.entries()) {
    await page.goto(addresses[index] ?? "");
    await expect(title(page, told), name).toBeVisible();
    await look(page, device, name);
  }
});

test.each(tourDevices)("wrong answers, viewers, expiry, offline, decline and branding, on %s", { timeout: TOUR_MS }, async (device) => {
  const page = await open(await (await signing.send(asked)).link(ann), device);
  for (const { text } of questions) await page.getByRole("textbox", { name: text }).fill("Elm Street");
  await button(page, en.continue).click();
  await expect(page.getByText(en.questionsWrong(1))).toBeVisible();
  await look(page, device, "31-questions-wrong");

  const sent = await signing.send();
  await page.goto(await sent.embedUrl("viewer@example.com"));
  await expect(page.getByText(en.viewing("viewer@example.com"))).toBeVisible();
  await firstPageThere(page);
  await look(page, device, "41-viewer");

  await sent.agreed(ann);
  await page.goto("about:blank");
  await page.goto(await sent.shortEmbedUrl(ann, 50));
  await expect(page.getByText(en.endsIn(0).split("0")[0] ?? "")).toBeVisible();
  await look(page, device, "42-ends-soon");

  await page.goto(await sent.link(ann));
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  await firstPageThere(page);
  await page.context().setOffline(true);
  await (await edit(page, device, "Full name", field(page, "Full name"))).fill("Ann");
  await expect(page.getByText(en.offline)).toBeVisible();
  await look(page, device, "43-offline");
  await page.context().setOffline(false);

  await page.goto(await sent.link(ann));
  await menu(page, en.decline);
  await button(dialog(page, en.declineTitle), en.declineDo).click();
  await expect(title(page, en.declinedTitle)).toBeVisible();
  await look(page, device, "44-declined");

  const settings = { branding: { accent: "#8a1538", accent_text: "#ffffff", radius: "2px", font: "serif" }, default_locale: "de" };
  await page.goto(await (await signing.send({ settings })).link(ann, "de"));
  await expect(title(page, de.consentTitle)).toBeVisible();
  await expect(page.getByRole("region", { name: de.page(1, 1) }).locator("img")).toBeVisible();
  // The colours are loaded separately, a moment later.
  await expect(page.locator("html")).toHaveCSS("--accent", "#8a1538");
  await look(page, device, "45-branded-german");
});
