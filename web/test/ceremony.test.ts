import { execFileSync } from "node:child_process";
import type { Download } from "@playwright/test";
import { afterAll } from "vitest";
import { fitText, openFonts } from "../../pdf/src/index.ts";
import { installed, testFolder } from "../../server/test/openssl.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expectAccessible } from "./axe.ts";
import { expect, fail, type Page, test, testInAll, watchOf } from "./browser.ts";
import { lease, optional } from "./documents.ts";
import {
  adoptDrawn,
  adoptTyped,
  adoptUploaded,
  agree,
  box,
  button,
  field,
  fillLease,
  firstPageThere,
  placeToSign,
  saved,
  sign,
  title,
  type What,
} from "./person.ts";
import { buyer, landlord, type Sent, tenant, testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** The signing ceremony in a browser, from the e-mail to the sealed document. */

const inbox = await startSmtpPeer();
const signing = await testSigning({ SMTP_URL: inbox.url });
const folder = testFolder();
afterAll(() => inbox.stop());

async function linkInMailTo(to: string, subject: RegExp): Promise<string> {
  const wanted = () => inbox.messages.find((mail) => mail.to.includes(to) && subject.test(headerOf(mail, "subject") ?? ""));
  await until(`a mail to ${to}`, async () => wanted() !== undefined);
  return /http\S+\/s\/[0-9a-f]{32}#k=[0-9a-f]{32}/.exec(wanted()?.text ?? "")?.[0] ?? fail("no link in the mail");
}

async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const wordsOf = async (bytes: Buffer, page: number): Promise<string> =>
  (await signing.service.features.pdf.text(bytes, { page })).blocks.join(" ");

async function trail({ key, envelope_id }: Sent): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return (await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=100`)).json.data;
}

const onPage2 = (y: number, w = 0.2) => ({ mode: "absolute", areas: [{ page: 2, x: 0.12, y, w, h: 0.025 }] });
const ofTenant = (name: string, type: string, y: number, settings: object) => ({
  ...{ name, type, settings, role: "Tenant" },
  placement: onPage2(y, type === "checkbox" ? 0.03 : 0.2),
});
/** What tags cannot say. */
const withSettings = [
  ofTenant("Plate", "text", 0.72, { mask: "AA-99" }),
  ofTenant("Deposit", "number", 0.76, { min: "100", places: 2, unit: "EUR" }),
  ofTenant("Cat", "checkbox", 0.8, { group: "Pets", min: "1", max: "1" }),
  ofTenant("Dog", "checkbox", 0.84, { group: "Pets" }),
  ofTenant("Signed on", "date", 0.88, { fill: "signing_day" }),
  { name: "Note", type: "label", default_value: "Pets of the house", placement: onPage2(0.92) },
];

/** Each says what it takes, before and after a value that it does not take. */
async function fillWithSettings(page: Page): Promise<void> {
  const form = "Use the form AA-99: 9 is a digit, A a letter, * either.";
  await field(page, "Plate").focus();
  await expect(field(page, "Plate")).toHaveAccessibleDescription(form);
  await field(page, "Plate").fill("KA12");
  await field(page, "Plate").press("Enter");
  await expect(field(page, "Plate")).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator(".error").filter({ hasText: form })).toBeVisible();
  await expectAccessible(page, "a value that does not have its form");
  await field(page, "Plate").fill("KA-12");
  await field(page, "Deposit").fill("1200.5");
  await box(page, "Dog").focus();
  await expect(box(page, "Dog")).toHaveAccessibleDescription("Pets: Tick exactly 1 of these boxes.");
  await box(page, "Cat").check();
  await box(page, "Dog").check();
  await expect(page.getByRole("button", { name: /^Cat/ }).filter({ hasText: en.mustChange })).toBeVisible();
  await box(page, "Dog").uncheck();
  await expect(page.getByRole("button", { name: /^Cat/ }).filter({ hasText: en.filledIn })).toBeVisible();
  await expect(page.getByLabel(/^Signed on/)).toHaveCount(0);
}

/** Requests the code by e-mail, enters a wrong one, and then the right one. */
async function enterMailedCode(page: Page, to: string): Promise<void> {
  await expect(title(page, en.questionsTitle)).toBeVisible();
  await expect(page.getByRole("region", { name: /^Page \d/ })).toHaveCount(0);
  await button(page, en.codeSend).click();
  const input = page.getByRole("textbox", { name: en.codeLabel });
  await expect(input).toBeFocused();
  await expectAccessible(page, "a code by e-mail");
  const wanted = () => inbox.messages.find((mail) => mail.to.includes(to) && /^Your code: /.test(headerOf(mail, "subject") ?? ""));
  await until(`a code to ${to}`, async () => wanted() !== undefined);
  const code = /^Code: (\d{6})$/m.exec(wanted()?.text ?? "")?.[1] ?? fail("no code in the mail");
  await button(page, en.codeSendAgain).click();
  await expect(page.getByText(en.codeWait)).toBeFocused();
  await input.fill(code === "000000" ? "000001" : "000000");
  await button(page, en.continue).click();
  await expect(page.getByText(en.questionsWrong(4))).toBeFocused();
  await input.fill(code);
  await button(page, en.continue).click();
}

test("two people sign in order with the links in their e-mails, and download the sealed document", async () => {
  const signers = [{ ...tenant, authentication: [{ method: "email_code" }] }, landlord] as const;
  const sent = await signing.send({ document: lease, name: "Lease of the flat", signers, fields: withSettings });

  // Sam opens the link too early. Moving the clock of the page forward triggers its polling.
  const sam = await signing.open(await sent.link(landlord.email), { clock: "moved" });
  await expect(title(sam, en.waitingTitle)).toBeVisible();
  await expect(sam.getByText(en.waitingLead(1, true))).toBeVisible();

  const ann = await signing.open(await linkInMailTo(tenant.email, /Lease of the flat/));
  await enterMailedCode(ann, tenant.email);
  await agree(ann);
  await fillLease(ann);
  await fillWithSettings(ann);
  await placeToSign(ann, "Tenant signature", 2).click();
  await adoptDrawn(ann, "signature");
  await expect(title(ann, en.reviewTitle)).toBeVisible();
  await expect(ann.locator("#task").getByText("1200.50\u00a0EUR"), "as it will be printed").toBeVisible();
  for (const value of ["Ann Example", "1234.50", "second", "yearly", "The cellar is dry."]) {
    await expect(ann.getByRole("definition").filter({ hasText: value })).toBeVisible();
  }
  await sign(ann);
  await expect(ann.getByText(en.doneCount(1, 2))).toBeVisible();
  const early = ann.waitForEvent("download");
  await expect(ann.getByText(en.closePage)).toBeVisible();
  await button(ann, en.downloadSoFar).click();
  expect(await wordsOf(await bytesOf(await early), 1)).toContain("NOT ALL PARTIES HAVE SIGNED");

  await sam.clock.fastForward(31_000);
  await agree(sam);
  await placeToSign(sam, "Landlord signature", 2).click();
  await adoptTyped(sam, "signature", "Sam Sample");
  await sign(sam);
  await expect(sam.getByText(en.doneAll)).toBeVisible();
  await until("the sealed document", async () => (await sent.document()).subarray(0, 5).toString() === "%PDF-");
  await sam.clock.fastForward(4_000);
  const sealed = sam.waitForEvent("download");
  await button(sam, en.download).click();
  const download = await sealed;
  expect(download.suggestedFilename()).toBe("Lease of the flat.pdf");
  const bytes = await bytesOf(download);
  expect(bytes.equals(await sent.document()), "signers and sender have the same bytes").toBe(true);
  const shown = `${await wordsOf(bytes, 1)} ${await wordsOf(bytes, 2)}`;
  for (const value of ["Ann Example", "1234.50", "1 Mar 2027", "second", "yearly", "The cellar is dry."]) expect(shown).toContain(value);
  for (const value of ["KA-12", "1200.50 EUR", "Pets of the house"]) expect(shown.replaceAll("\u00a0", " ")).toContain(value);
  if (installed.pdfsig) {
    const printed = execFileSync("pdfsig", ["-nocert", folder.put("lease.pdf", bytes)], { encoding: "utf8" });
    expect(printed).toMatch(/Signature is Valid/);
    expect(printed).toMatch(/Total document signed/);
  }
  const applied = (await trail(sent)).filter(({ type }) => type === "signature.applied");
  expect(applied.map(({ data }) => `${data.field} ${data.method}`).sort()).toEqual([
    "Initials typed",
    "Initials typed",
    "Landlord signature typed",
    "Tenant signature drawn",
  ]);
});

// Latin, and scripts with other widths, directions, stacked marks and breaks.
/** As on a busy device: what a component does after it was drawn comes after the fonts that its text needs have arrived. */
const LATE_EFFECTS = `{
  const soon = window.setTimeout;
  window.setTimeout = (run, ms, ...args) => soon(() => document.fonts.ready.then(() => run(...args)), ms);
}`;

const written = [
  "The cellar is dry, and the tenant may keep two bicycles there; the key hangs next to the door of flat 3.",
  "Подвал сухой, и арендатор может хранить там два велосипеда, а ключ висит рядом с дверью квартиры 3.",
  "המרתף יבש (2 אופניים) והשוכר רשאי להשאיר שם אופניים; המפתח תלוי ליד דלת דירה 3, בקומה השנייה.",
  "القبو جاف ويجوز للمستأجر أن يحتفظ هناك بدراجتين والمفتاح معلق بجوار باب الشقة رقم 3 في الطابق الثاني.",
  "地下室は乾燥しており、借主はそこに自転車を二台置くことができます。鍵は三号室の扉の横に掛かっています。",
  "지하실은 건조하며 임차인은 자전거 두 대를 보관할 수 있습니다. 열쇠는 3호실 문 옆에 걸려 있습니다.",
  "ห้องใต้ดินแห้งและผู้เช่าสามารถเก็บจักรยานสองคันไว้ที่นั่นได้ กุญแจแขวนอยู่ข้างประตูห้อง 3",
  "तहखाना सूखा है और किरायेदार वहाँ दो साइकिलें रख सकता है; चाबी फ्लैट 3 के दरवाज़े के पास टँगी है।",
];

testInAll("a filled field shows the lines that are stamped, a cross, and what cannot be written", async () => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  await sent.agreed(tenant.email);
  const page = await signing.open(await sent.embedUrl(tenant.email));
  await page.evaluate(LATE_EFFECTS);
  const drawn = page.locator('[data-name="Remarks"] .drawn text');
  const fonts = openFonts();
  for (const value of written) {
    await field(page, "Remarks").fill(value);
    await field(page, "Remarks").blur();
    const stamped = fitText(value, { w_pt: 300, h_pt: 60 }, fonts);
    const shown = async () => ({ lines: await drawn.allTextContents(), size_pt: Number(await drawn.first().getAttribute("font-size")) });
    await expect.poll(shown).toEqual({ lines: stamped?.lines, size_pt: stamped?.size_pt });
  }
  await field(page, "Start").fill("2027-03-01");
  await field(page, "Start").blur();
  await expect(page.locator('[data-name="Start"] .drawn text')).toHaveText("1 Mar 2027");
  await field(page, "Pet").check();
  await expect(page.locator('[data-name="Pet"] .drawn path')).toHaveAttribute("stroke-width", /^1\.(6|59999)/);
  await field(page, "Full name").fill("Ann 😀");
  await field(page, "Full name").blur();
  await expect(field(page, "Full name")).toHaveAccessibleDescription(en.undrawable("😀 (U+1F600)"));
});

const methods = { drawn: adoptDrawn, typed: (where, what: What) => adoptTyped(where, what, "Ann Example"), uploaded: adoptUploaded } as {
  readonly [method: string]: typeof adoptDrawn;
};

testInAll.each(Object.keys(methods))("a signature that was %s is in the document", async (method) => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.embedUrl(buyer.email));
  await field(page, "Full name").fill("Ann Example");
  await placeToSign(page, "Buyer signature").click();
  await methods[method]?.(page, "signature");
  await sign(page);
  const [applied] = (await trail(sent)).filter(({ type }) => type === "signature.applied");
  expect(applied?.data.method).toBe(method);
  await until("the sealed document", async () => (await sent.status()) === "completed" && (await sent.document()).length > 0);
});

testInAll("signing requires page 1, the ticked consent and valid fields; each error is shown at its field", async () => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  const page = await signing.open(await sent.link(tenant.email));
  const tick = page.getByRole("checkbox", { name: en.consentBox });
  await expect(tick).not.toBeChecked();
  await button(page, en.continue).click();
  await expect(page.getByText(en.consentTick)).toBeVisible();
  await agree(page);
  await field(page, "Rent").fill("much");
  await field(page, "Rent").blur();
  await expect(field(page, "Rent")).toHaveAccessibleDescription(en.errors.invalid_value.number);
  await field(page, "Rent").fill("1200");
  await expect(saved(page)).toBeVisible();
  await expect(field(page, "Rent")).toHaveAccessibleDescription("");
  await field(page, "Full name").fill("An extremely long name ".repeat(40));
  await field(page, "Full name").blur();
  await expect(field(page, "Full name")).toHaveAccessibleDescription(en.errors.does_not_fit);
  expect(await sent.status()).toBe("viewed");
});

testInAll("if every signature is optional, one is still required", async () => {
  const sent = await signing.send({ document: optional });
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.embedUrl(buyer.email));
  await button(page, en.next).click();
  await expect(placeToSign(page, "First signature")).toBeFocused();
  await expect(button(page, en.review)).toHaveCount(0);
  await placeToSign(page, "First signature").click();
  await adoptTyped(page, "signature", "Ann Example");
  await button(page, en.review).click();
  await sign(page);
});

testInAll("a printed page shows the document without fields, and says that it is not signed", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.embedUrl(buyer.email));
  await firstPageThere(page);
  const note = page.getByText(en.printNote);
  await expect(note).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(note).toBeVisible();
  await expect(page.getByRole("region", { name: en.page(1, 1) }).locator("img")).toBeVisible();
  for (const hidden of [field(page, "Full name"), placeToSign(page, "Buyer signature"), title(page, en.fieldsTitle), button(page, en.menu)])
    await expect(hidden).toBeHidden();
  await page.emulateMedia({ media: null });
});

testInAll("the token is removed from the address before the first request, and no request has a referrer", async () => {
  const sent = await signing.send();
  const address = await sent.embedUrl(buyer.email);
  const context = await signing.newContext();
  await context.addInitScript({
    content: "window.askedFrom = []; fetch = new Proxy(fetch, { apply: (f, t, a) => (askedFrom.push(location.href), f(...a)) })",
  });
  const page = await context.newPage();
  await page.goto(address);
  await expect(title(page, en.consentTitle)).toBeVisible();
  const [bare] = address.split("#");
  const askedFrom = await page.evaluate<string[]>("askedFrom");
  expect(askedFrom.length).toBeGreaterThan(1);
  expect(new Set(askedFrom)).toEqual(new Set([bare]));
  const { requests } = watchOf(context);
  expect(requests.filter(({ url }) => url.includes("eyJ"))).toEqual([]);
  expect(requests.filter(({ headers }) => (headers.referer ?? "") !== "").map(({ url }) => url)).toEqual([]);
});
