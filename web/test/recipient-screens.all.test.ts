import { finishDocument } from "../../server/src/envelopes/finish-document.ts";
import { act, ann, type Contract, carl, lee, sam, sentContract, vera } from "../../server/test/recipients.ts";
import { draftOfThree, sendDraft } from "../../server/test/three-documents.ts";
import { addAxe } from "./axe.ts";
import { type Device, expect, keptPage, type Page, test } from "./browser.ts";
import { agree, button, dialog, field, firstPageThere, menu, title } from "./person.ts";
import { look, lookAtDialog } from "./screens.ts";
import { testSigning } from "./signing.ts";
import { shown as en } from "./words.ts";

/** Accessibility of what approvers, viewers and people who get a copy see, and of several documents, on desktop and phone. */

const signing = await testSigning();
const SENDER = "Example Company";
const DEVICES: readonly Device[] = ["desktop", "phone"];
// Each screen is checked twice, which takes most of the time.
const TOUR_MS = 180_000;

async function addressOf({ key, envelope_id }: Pick<Contract, "key" | "envelope_id">, user_email: string): Promise<string> {
  const { json } = await key.send("POST", "/embed/token", { body: { envelope_id, user_email, widget_type: "sign" } });
  return json.data.embed_url;
}

interface Visitor {
  readonly page: Page;
  /** to the address of a person */
  visit(address: string): Promise<void>;
}

async function visitor(device: Device): Promise<Visitor> {
  const page = await keptPage({ origins: signing.origins, visit: { device }, prepare: addAxe });
  const visit = async (address: string): Promise<void> => {
    await page.goto("about:blank");
    await page.goto(address);
  };
  return { page, visit };
}

async function fillIn(page: Page, device: Device, name: string, value: string): Promise<void> {
  if (device === "phone") await button(page, en.editField(name, 1)).tap();
  await field(page, name).fill(value);
}

const inSteps = [
  { ...lee, step: 1, message: "Please check the cost centre. The budget of the year must cover it." },
  { ...vera, step: 2 },
  { ...carl, step: 2 },
  { ...ann, step: 3 },
  { ...sam, step: 3 },
];

test.each(DEVICES)(
  "an approver, a viewer and a person who gets a copy, from the first mail to the end, on %s",
  { timeout: TOUR_MS },
  async (device) => {
    const { page, visit } = await visitor(device);
    const contract = await sentContract(signing.service, inSteps);

    await visit(await addressOf(contract, vera.email));
    await expect(title(page, en.waitingTitle)).toBeVisible();
    await look(page, device, "50-viewer-waiting");
    await visit(await addressOf(contract, carl.email));
    await expect(title(page, en.copyWaitingTitle)).toBeVisible();
    await look(page, device, "51-copy-waiting");

    await visit(await addressOf(contract, lee.email));
    await firstPageThere(page);
    await expect(title(page, en.yourFields), "an approver signs nothing").toBeVisible();
    await look(page, device, "52-approver-fields");
    await fillIn(page, device, "Cost centre", "4711");
    await button(page, en.review).click();
    await expect(title(page, en.approveTitle)).toBeVisible();
    await look(page, device, "53-approver-decision");
    await button(page, en.rejectDo).click();
    await lookAtDialog(page, device, "54-approver-reject");
    await button(dialog(page, en.rejectTitle), en.cancel).click();
    await button(page, en.approveDo).click();
    await expect(title(page, en.approvedTitle)).toBeVisible();
    await look(page, device, "55-approver-approved");

    await visit(await addressOf(contract, vera.email));
    await firstPageThere(page);
    await expect(title(page, en.confirmTitle)).toBeVisible();
    await look(page, device, "56-viewer");
    await button(page, en.confirmDo).click();
    await expect(title(page, en.confirmedTitle)).toBeVisible();
    await look(page, device, "57-viewer-confirmed");

    await visit(await addressOf(contract, carl.email));
    await firstPageThere(page);
    await expect(page.getByText(en.copyLead(SENDER))).toBeVisible();
    await look(page, device, "58-copy");
    const [carls, lees] = [await addressOf(contract, carl.email), await addressOf(contract, lee.email)];
    for (const email of [ann.email, sam.email]) expect((await act(contract, email)).status).toBe(200);
    await finishDocument(signing.service.features.envelopes, { org_id: contract.org.org_id, envelope_id: contract.envelope_id });
    await visit(carls);
    await expect(button(page, en.download)).toBeVisible();
    await look(page, device, "59-copy-completed");
    await visit(lees);
    await expect(button(page, en.download)).toBeVisible();
    await look(page, device, "59-approver-completed");
  },
);

test.each(DEVICES)(
  "a rejection as the approver and the others see it, and a person who was removed, on %s",
  { timeout: TOUR_MS },
  async (device) => {
    const { page, visit } = await visitor(device);
    const { role: _, ...boss } = lee;
    const contract = await sentContract(signing.service, [
      { ...lee, step: 1 },
      { ...vera, step: 1 },
      { ...ann, step: 2 },
      { ...sam, step: 2 },
      { ...boss, email: "boss@example.com", name: "Boss", step: 1 },
    ]);
    const { recipient_id } = (await contract.now())[vera.email] ?? { recipient_id: "" };
    const address = await addressOf(contract, vera.email);
    await contract.key.send("DELETE", `/partner/envelopes/${contract.envelope_id}/recipients/${recipient_id}`);
    await page.goto(address);
    await expect(title(page, en.removedTitle)).toBeVisible();
    await look(page, device, "60-removed");

    const lees = await addressOf(contract, lee.email);
    await visit(await addressOf(contract, "boss@example.com"));
    await firstPageThere(page);
    await expect(title(page, en.approveTitle)).toBeVisible();
    await look(page, device, "61-approver-without-fields");
    await button(page, en.rejectDo).click();
    await dialog(page, en.rejectTitle).getByRole("textbox").fill("Over budget");
    await button(dialog(page, en.rejectTitle), en.rejectDo).click();
    await expect(title(page, en.rejectedTitle)).toBeVisible();
    await look(page, device, "62-approver-rejected");
    await visit(lees);
    await expect(title(page, en.declinedByOtherTitle)).toBeVisible();
    await look(page, device, "63-rejected-by-another");
  },
);

test.each(DEVICES)("three documents, with their names above the pages, on %s", { timeout: TOUR_MS }, async (device) => {
  const one = await draftOfThree(signing.service);
  await sendDraft(one);
  const { page, visit } = await visitor(device);
  await visit(await addressOf(one, ann.email));
  await firstPageThere(page);
  await look(page, device, "64-three-documents-consent");
  await agree(page);
  await expect(page.getByText("Lease", { exact: true }).first()).toBeVisible();
  await look(page, device, "65-three-documents");
  await page.getByRole("region", { name: en.page(4, 4) }).scrollIntoViewIfNeeded();
  await expect(page.getByText("Handover", { exact: true }).first()).toBeVisible();
  await look(page, device, "66-three-documents-last");
  await menu(page, en.decline);
  await expect(dialog(page, en.declineTitle)).toBeVisible();
  await lookAtDialog(page, device, "67-three-documents-decline");
});
