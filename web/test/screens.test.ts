import type { Locator } from "@playwright/test";
import { type EnvelopeValues, sentEnvelope, setSigner } from "../../server/test/envelopes.ts";
import { png } from "../../server/test/png.ts";
import { until } from "../../server/test/until.ts";
import { de } from "../i18n/de.ts";
import { en } from "../i18n/en.ts";
import { bringJudge } from "./axe.ts";
import { type BrowserContext, type Device, expect, type Page, test, watchOf } from "./browser.ts";
import { lease } from "./documents.ts";
import {
  adoptTyped,
  agree,
  box,
  button,
  choice,
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
import { look, toured } from "./screens.ts";
import { buyer, landlord, type Sent, sentBy, tenant, testSigning } from "./signing.ts";

/** Every screen and state, on both devices, in light and dark: judged for everybody who cannot see or cannot use a mouse. */

const signing = await testSigning();
const ann = "ann@example.com";
const questions = [
  { text: "What is the name of your first school?", answer: "Northside" },
  { text: "Which street did you grow up in?", answer: "Mill Lane" },
];
// Each screen is judged twice, which takes most of the time.
const TOUR_MS = 120_000;

/** A page in a context of its own, or beside others. */
async function open(address: string, device: Device, context?: BrowserContext): Promise<Page> {
  const own = context ?? (await signing.newContext({ device }));
  if (context === undefined) await bringJudge(own);
  const page = await own.newPage();
  await page.goto(address);
  return page;
}

async function standing(values: EnvelopeValues): Promise<Sent> {
  const org = await signing.service.newOrg("Example Company");
  const { envelope_id } = await sentEnvelope(signing.service, org, values);
  return sentBy(signing.service, signing.embedUrl, org, await org.newKey(), envelope_id);
}

/** On a phone the field is edited in the sheet, which opens for the one that is pressed. */
async function edit(page: Page, device: Device, name: string, control: Locator): Promise<Locator> {
  if (device === "phone") await button(page, en.editField(name, 1)).tap();
  else await control.focus();
  return control;
}

test.each(toured)("from opening to signed, on %s", { timeout: TOUR_MS }, async (device) => {
  const message = "Please sign before the weekend. The keys are handed over on Monday morning.";
  const sent = await signing.send({ document: lease, name: "Lease of the flat in Mill Lane", signers: [tenant, landlord], message });
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
  await look(page, device, "04-decline");
  await button(dialog(page, en.declineTitle), en.cancel).click();
  await menu(page, en.paper);
  await look(page, device, "05-paper");
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
  if (device === "phone") {
    await button(page, en.editField("Payment", 1)).tap();
    await page.getByRole("radio", { name: /yearly/ }).check();
  } else await choice(page, "Payment").selectOption("yearly");
  await look(page, device, "10-field-choice");
  await (await edit(page, device, "Pet", box(page, "Pet"))).check();
  await look(page, device, "11-field-checkbox");
  await (await edit(page, device, "Remarks", field(page, "Remarks"))).fill("The cellar is dry.\nThe bicycle stays in the yard.");
  await look(page, device, "12-field-lines");
  await placeToInitial(page, "Initials", 1).click();
  await expect(dialog(page, en.adoptTitle.initials)).toBeVisible();
  await chooseMethod(page, "initials", en.type);
  await look(page, device, "13-adopt-initials");
  await adoptTyped(page, "initials", "AE");
  await placeToInitial(page, "Initials", 2).click();
  await placeToSign(page, "Tenant signature", 2).click();
  const adopting = await chooseMethod(page, "signature", en.draw);
  await look(page, device, "14-adopt-draw-empty");
  await scribble(page, adopting.getByLabel(en.drawHere));
  await look(page, device, "15-adopt-draw");
  await chooseMethod(page, "signature", en.upload);
  await look(page, device, "16-adopt-upload-empty");
  const buffer = png({ width: 300, height: 100, alpha: 255 });
  await adopting.getByLabel(en.uploadChoose).setInputFiles({ name: "signature.png", mimeType: "image/png", buffer });
  await expect(adopting.getByRole("img")).toBeVisible();
  await look(page, device, "17-adopt-upload");
  await chooseMethod(page, "signature", en.type);
  await look(page, device, "18-adopt-type");
  await adoptTyped(page, "signature", "Ann Example");
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await look(page, device, "19-review");
  await button(page, en.back).click();
  await expect(title(page, en.fieldsTitle)).toBeVisible();
  await look(page, device, "20-fields-complete");
  await menu(page, en.textView);
  await look(page, device, "21-text-view");
  await menu(page, en.pictureView);
  await menu(page, en.withdraw);
  await look(page, device, "22-withdraw");
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

  const last = await open(await sent.link(landlord.email), device, page.context());
  await agree(last);
  await look(last, device, "25-second-signer");
  await placeToSign(last, "Landlord signature", 2).click();
  await chooseMethod(last, "signature", en.type);
  await adoptTyped(last, "signature", "Sam Sample");
  await sign(last);
  await until("the sealed document", async () => (await sent.document()).subarray(0, 5).toString() === "%PDF-");
  await expect(button(last, en.download)).toBeVisible();
  await look(last, device, "26-signed-all");
});

interface State {
  readonly name: string;
  readonly told: string;
  readonly address: () => Promise<string>;
}

const linkTo = async (values: EnvelopeValues, email = ann): Promise<string> => (await standing(values)).link(email);
const asked = { signers: [{ ...buyer, kba: { questions } }], kba_required: true };

async function linkOf(status: "signed" | "locked"): Promise<string> {
  const sent = await standing(status === "locked" ? { kba_required: true } : { signers: [ann, "sam@example.com"] });
  await setSigner(signing.service, (await sent.slug(ann)) as Parameters<typeof setSigner>[1], status);
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
  { name: "39-not-valid", told: en.notFoundTitle, address: async () => `${signing.embedUrl}/s/${"0".repeat(32)}` },
  { name: "40-time-ended", told: en.endedTitle, address: async () => (await standing({})).shortEmbedUrl(ann, -5) },
];

test.each(toured)("everything that a page can be but ready, on %s", { timeout: TOUR_MS }, async (device) => {
  const page = await open("about:blank", device);
  for (const { name, told, address } of states) {
    await page.goto(await address());
    await expect(title(page, told), name).toBeVisible();
    await look(page, device, name);
  }
});

test.each(toured)("what happens in between, on %s", { timeout: TOUR_MS }, async (device) => {
  const wrong = await open(await (await signing.send(asked)).link(ann), device);
  for (const { text } of questions) await wrong.getByRole("textbox", { name: text }).fill("Elm Street");
  await button(wrong, en.continue).click();
  await expect(wrong.getByText(en.questionsWrong(1))).toBeVisible();
  await look(wrong, device, "31-questions-wrong");

  const sent = await signing.send();
  const viewer = await open(await sent.embedUrl("viewer@example.com"), device, wrong.context());
  await expect(viewer.getByText(en.viewing("viewer@example.com"))).toBeVisible();
  await firstPageThere(viewer);
  await look(viewer, device, "41-viewer");

  const ending = await open(await sent.shortEmbedUrl(ann, 50), device, wrong.context());
  await agree(ending);
  await expect(ending.getByText(/^This page closes in/)).toBeVisible();
  await look(ending, device, "42-ends-soon");

  const offline = await open(await sent.link(ann), device);
  watchOf(offline.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  await expect(title(offline, en.fieldsTitle)).toBeVisible();
  await offline.context().setOffline(true);
  await (await edit(offline, device, "Full name", field(offline, "Full name"))).fill("Ann");
  await expect(offline.getByText(en.offline)).toBeVisible();
  await look(offline, device, "43-offline");

  const declined = await open(await sent.link(ann), device, wrong.context());
  await menu(declined, en.decline);
  await button(dialog(declined, en.declineTitle), en.declineDo).click();
  await expect(title(declined, en.declinedTitle)).toBeVisible();
  await look(declined, device, "44-declined");

  const settings = { branding: { accent: "#8a1538", accent_text: "#ffffff", radius: "2px", font: "serif" }, default_locale: "de" };
  const branded = await open(`${await (await signing.send({ settings })).link(ann)}?lang=de`, device, wrong.context());
  await expect(title(branded, de.consentTitle)).toBeVisible();
  await expect(branded.getByRole("region", { name: de.page(1, 1) }).locator("img")).toBeVisible();
  await look(branded, device, "45-branded-german");
});
