import { expect as expectValue } from "vitest";
import { act, ann, carl, lee, type SentContract, sam, sentContract, vera } from "../../server/test/recipients.ts";
import { expect, type Page, test } from "./browser.ts";
import { button, field, firstPageThere, title } from "./person.ts";
import { testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** What approvers, viewers and people who get a copy see in a browser. */

const signing = await testSigning();

async function addressOf({ key, envelope_id }: SentContract, user_email: string): Promise<string> {
  const { json } = await key.send("POST", "/embed/token", { body: { envelope_id, user_email, widget_type: "sign" } });
  return json.data.embed_url;
}

const SENDER = "Example Company";

/** The picture of page 1 has the entered values, so that nothing is drawn over it. */
const pageShowsValues = (page: Page): Promise<void> => expect(page.locator("[data-page] .layer")).toHaveCount(0);

test("an approver fills in a field and approves, a viewer confirms, a reader reads, and a rejection needs a reason", async () => {
  const recipients = [
    { ...lee, step: 1, message: "Please check the price." },
    { ...vera, step: 2 },
    { ...carl, step: 2 },
    { ...ann, step: 3 },
    { ...sam, step: 3 },
  ];
  const contract = await sentContract(signing.service, recipients);

  const reader = await signing.newPage();
  await reader.goto(await addressOf(contract, carl.email));
  await expect(title(reader, en.copyWaitingTitle)).toBeVisible();

  const approver = await signing.newPage();
  await approver.goto(await addressOf(contract, lee.email));
  await firstPageThere(approver);
  await field(approver, "Cost centre").fill("4711");
  await button(approver, en.review).click();
  await expect(title(approver, en.approveTitle)).toBeVisible();
  await expect(approver.getByText(en.approveLead(SENDER))).toBeVisible();
  await expect(approver.getByText("Please check the price.")).toBeVisible();
  await pageShowsValues(approver);
  await button(approver, en.textView).click();
  await expect(approver.locator(".page-words").getByText("4711"), "what was entered, in the text view").toBeVisible();
  await button(approver, en.approveDo).click();
  await expect(title(approver, en.approvedTitle)).toBeVisible();
  await expect(approver.getByText(en.othersOpen)).toBeVisible();

  const viewer = await signing.newPage();
  await viewer.goto(await addressOf(contract, vera.email));
  await firstPageThere(viewer);
  await expect(title(viewer, en.confirmTitle)).toBeVisible();
  await expect(viewer.getByText(en.approveDo, { exact: true })).toHaveCount(0);
  await button(viewer, en.confirmDo).click();
  await expect(title(viewer, en.confirmedTitle)).toBeVisible();

  await reader.goto(await addressOf(contract, carl.email));
  await reader.reload();
  await expect(reader.getByText(en.copyLead(SENDER))).toBeVisible();
  await expect(button(reader, en.downloadSoFar)).toBeVisible();
  for (const email of [ann.email, sam.email]) expectValue((await act(contract, email)).status).toBe(200);
  expectValue(await contract.status()).toBe("completed");

  const other = await sentContract(signing.service, [
    { ...lee, step: 1 },
    { ...ann, step: 2 },
    { ...sam, step: 2 },
  ]);
  await approver.goto(await addressOf(other, lee.email));
  await approver.reload();
  await firstPageThere(approver);
  await field(approver, "Cost centre").fill("1");
  await button(approver, en.textView).click();
  await button(approver, en.review).click();
  await expect(approver.locator(".page-words").getByText("1", { exact: true }), "before there is a picture with it").toBeVisible();
  await button(approver, en.rejectDo).click();
  const dialog = approver.getByRole("dialog");
  await expect(dialog.getByText(en.rejectLead(SENDER))).toBeVisible();
  await button(dialog, en.rejectDo).click();
  await expect(dialog, "without a reason nothing is sent").toBeVisible();
  await dialog.getByRole("textbox").fill("Over budget");
  await button(dialog, en.rejectDo).click();
  await expect(title(approver, en.rejectedTitle)).toBeVisible();
  expectValue(await other.status()).toBe("declined");
});

test("a person who was removed is told so, and sees nothing of the document", async () => {
  const contract = await sentContract(signing.service, [
    { ...lee, step: 1 },
    { ...vera, step: 1 },
    { ...ann, step: 2 },
    { ...sam, step: 2 },
  ]);
  const page = await signing.newPage();
  await page.goto(await addressOf(contract, vera.email));
  await expect(title(page, en.confirmTitle)).toBeVisible();
  const { recipient_id } = (await contract.now())[vera.email] ?? { recipient_id: "" };
  await contract.key.send("DELETE", `/partner/envelopes/${contract.envelope_id}/recipients/${recipient_id}`);
  await page.reload();
  await expect(title(page, en.removedTitle)).toBeVisible();
  await expect(page.locator("[data-page]")).toHaveCount(0);
});
