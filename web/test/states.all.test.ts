import { signAll } from "../../server/test/ceremony.ts";
import { linkInOutbox, voidEnvelope } from "../../server/test/envelopes.ts";
import { expect, type Page, test, watchOf } from "./browser.ts";
import { sale } from "./documents.ts";
import { agree, button, dialog, field, fillOrder, menu, placeToSign, sign, signOrder, title } from "./person.ts";
import { buyer, type Sent, testSigning } from "./signing.ts";
import { de, en, fr } from "./words.ts";

/** All states other than ready to sign, and the ways out of them. */

const signing = await testSigning();
const ann = "ann@example.com";
const questions = [
  { text: "What is the name of your first school?", answer: "Northside" },
  { text: "Which street did you grow up in?", answer: "Mill Lane" },
];

async function reasonIn({ key, envelope_id }: Sent): Promise<unknown> {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=100`);
  return json.data.find(({ type }: { type: string }) => type === "envelope.declined")?.data.reason;
}

/** No page of the document, no field, and no way to sign. */
async function expectNoDocument(page: Page): Promise<void> {
  await expect(page.getByRole("region", { name: /^Page \d/ })).toHaveCount(0);
  await expect(page.getByRole("img")).toHaveCount(0);
  await expect(button(page, en.sign)).toHaveCount(0);
}

test("a signer can decline with a reason, which the sender sees; then no one can sign", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(ann));
  await expect(title(page, en.consentTitle)).toBeVisible();
  await menu(page, en.decline);
  const asked = dialog(page, en.declineTitle);
  await button(asked, en.cancel).click();
  await expect(asked).toBeHidden();
  await menu(page, en.decline);
  await asked.getByRole("textbox", { name: en.declineReason }).fill("The price is not what we agreed");
  await button(asked, en.declineDo).click();
  await expect(title(page, en.declinedTitle)).toBeVisible();
  await expectNoDocument(page);
  expect([await sent.status(), await reasonIn(sent)]).toEqual(["declined", "The price is not what we agreed"]);
  await page.reload();
  await expect(title(page, en.declinedByOtherTitle)).toBeVisible();
});

test("consent can be withdrawn and given again: entries stay, signatures are removed", async () => {
  const sent = await signing.send();
  await sent.filled(ann);
  const page = await signing.open(await sent.link(ann));
  await menu(page, en.withdraw);
  await button(dialog(page, en.withdrawTitle), en.withdrawDo).click();
  await expect(title(page, en.consentTitle)).toBeVisible();
  await expect(page.getByText(en.withdrawn)).toBeVisible();
  await agree(page);
  await expect(field(page, "Full name")).toHaveValue("Ann Example");
  await placeToSign(page, "Buyer signature").click();
  await sign(page);
});

test("a signer who prefers paper gets it, the sender is told, and the document can still be signed here", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(ann));
  await agree(page);
  const paper = page.waitForEvent("download");
  await menu(page, en.paper);
  await button(dialog(page, en.paperTitle), en.paperDo).click();
  expect((await paper).suggestedFilename()).toBe("Order.pdf");
  await expect(page.getByText(en.paperDone("Example Company"))).toBeVisible();
  const { json } = await sent.key.send("GET", `/partner/envelopes/${sent.envelope_id}/audit-trail?limit=100`);
  expect(json.data.map(({ type }: { type: string }) => type)).toContain("signer.paper_requested");
  await fillOrder(page);
  await sign(page);
});

test("a signer can read the papers first and finish later with the link that is sent again", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(ann));
  for (const [entry, name] of [
    [en.downloadFirst, "Order.pdf"],
    [en.downloadConsent, `Order - ${en.consentText}.pdf`],
  ] as const) {
    const kept = page.waitForEvent("download");
    await menu(page, entry);
    expect((await kept).suggestedFilename()).toBe(name);
  }
  await menu(page, en.later);
  await expect(page.getByText(en.laterDone(ann))).toBeVisible();
  await button(page, en.close).click();
  await expect(page.getByText(en.laterDone(ann))).toBeHidden();
});

test("an access code and identity questions come before the document; after a wrong answer the correct ones open it", async () => {
  const authentication = [{ method: "access_code", code: "Blue Harbour" }] as const;
  const sent = await signing.send({ signers: [{ ...buyer, authentication, kba: { questions } }], kba_required: true });
  const page = await signing.open(await sent.link(ann));
  const field = page.getByRole("textbox", { name: en.accessCodeLabel });
  await expect(page.getByText(en.accessCodeLead("Example Company"))).toBeVisible();
  await expectNoDocument(page);
  await button(page, en.continue).click();
  await expect(page.getByText(en.codeMissing)).toBeFocused();
  await field.fill("blue harbour");
  await button(page, en.continue).click();
  await expect(page.getByText(en.questionsWrong(4))).toBeFocused();
  await expectNoDocument(page);
  await field.fill("Blue Harbour ");
  await button(page, en.continue).click();
  await expect(title(page, en.questionsTitle)).toBeVisible();
  await expect(page.getByText(en.questionsAttempts(2))).toBeVisible();
  await expectNoDocument(page);
  await button(page, en.continue).click();
  await expect(page.getByText(en.questionsAnswerAll)).toBeVisible();
  await answer(page, "Northside", "Elm Street");
  await expect(page.getByText(en.questionsWrong(1))).toBeFocused();
  await expectNoDocument(page);
  const { answers } = watchOf(page.context());
  expect(answers.filter(({ path, status }) => /\/(pages|document)\b/.test(path) && status !== 409)).toEqual([]);
  await answer(page, "northside", " mill  lane ");
  await expect(title(page, en.consentTitle)).toBeVisible();
  await signOrder(page);
});

test("after two wrong attempts the page is locked until the sender resets it", async () => {
  const sent = await signing.send({ signers: [{ ...buyer, kba: { questions } }], kba_required: true });
  const page = await signing.open(await sent.link(ann));
  await answer(page, "Southside", "Elm Street");
  await expect(page.getByText(en.questionsWrong(1))).toBeVisible();
  await answer(page, "Southside", "Elm Street");
  await expect(title(page, en.lockedTitle)).toBeVisible();
  await expectNoDocument(page);
  await menu(page, en.decline);
  await button(dialog(page, en.declineTitle), en.cancel).click();
  await sent.key.send("POST", `/partner/envelopes/${sent.envelope_id}/signers/${await sent.slug(ann)}/kba/reset`);
  await page.reload();
  await expect(title(page, en.questionsTitle)).toBeVisible();
});

async function answer(page: Page, ...answers: readonly string[]): Promise<void> {
  for (const [index, value] of answers.entries()) {
    await page.getByRole("textbox", { name: questions[index]?.text ?? "" }).fill(value);
  }
  await button(page, en.continue).click();
}

test("a signer whose questions are not set waits for the sender", async () => {
  const page = await signing.open(await (await signing.standing({ kba_required: true })).link(ann));
  await expect(title(page, en.identityUnavailableTitle)).toBeVisible();
  await expectNoDocument(page);
});

test("a later signer waits, and sees nothing of the document until their turn", async () => {
  const sent = await signing.standing({ signers: [ann, "sam@example.com"] });
  const page = await signing.open(await sent.link("sam@example.com"));
  await expect(title(page, en.waitingTitle)).toBeVisible();
  await expectNoDocument(page);
});

test("a screen that is loaded on demand is in the language of the page, and follows it", async () => {
  const sent = await signing.standing({ signers: [ann, "sam@example.com"] });
  const page = await signing.newPage();
  await page.goto(await sent.link("sam@example.com", "de"));
  await expect(title(page, de.waitingTitle)).toBeVisible();
  for (const [from, code, to] of [[de, "fr", fr] as const, [fr, "en", en] as const, [en, "de", de] as const]) {
    await button(page, from.menu).click();
    await page.getByLabel(from.language).selectOption(code);
    await expect(title(page, to.waitingTitle)).toBeVisible();
    await button(page, to.menu).click();
  }
});

test("a signer who has signed sees that, and nothing to sign", async () => {
  const sent = await signing.standing({ signers: [ann, "sam@example.com"] });
  await signAll(signing.service, sent.org, sent.envelope_id, [[ann]]);
  const page = await signing.open(await sent.link(ann));
  await expect(title(page, en.doneTitle)).toBeVisible();
  await expect(page.getByText(en.doneCount(1, 2))).toBeVisible();
  await expect(button(page, en.sign)).toHaveCount(0);
});

test.each([
  ["voided", en.voidedTitle],
  ["expired", en.expiredTitle],
  ["declined", en.declinedByOtherTitle],
] as const)("an envelope that is %s says so, with a signing link and with an embed_url", async (status, told) => {
  const sent = await signing.standing({ status });
  const page = await signing.open(await sent.link(ann));
  await expect(title(page, told)).toBeVisible();
  await expectNoDocument(page);
  await page.goto(await sent.shortEmbedUrl(ann, 600));
  await expect(title(page, told)).toBeVisible();
  await expectNoDocument(page);
});

test("an unknown link, an unknown id and a token of another document get the same screen: not valid", async () => {
  const [sent, other] = [await signing.standing({}), await signing.standing({})];
  const stray = (await other.shortEmbedUrl(ann, 600)).split("#")[1];
  const addresses = [
    `${signing.embedUrl}/s/nonsense`,
    `${signing.embedUrl}/sign/env_00000000000000000000000000#${stray}`,
    `${signing.embedUrl}/sign/${sent.envelope_id}#${stray}`,
  ];
  const page = await signing.open("about:blank");
  for (const address of addresses) {
    await page.goto(address);
    await expect(title(page, en.notFoundTitle), address).toBeVisible();
    await expectNoDocument(page);
  }
});

test("a link without its secret shows nothing, and can send a new link to the signer's address", async () => {
  const sent = await signing.send();
  const [bare] = (await sent.link(ann)).split("#");
  const page = await signing.open(bare ?? "");
  await expect(title(page, en.mailedLinkTitle)).toBeVisible();
  await expectNoDocument(page);
  await button(page, en.newLink).click();
  await expect(page.getByText(en.newLinkAsked)).toBeVisible();
  const { slug, secret } = await linkInOutbox(sent.org, ann);
  await page.goto(`${signing.embedUrl}/s/${slug}#k=${secret}`);
  await expect(title(page, en.consentTitle)).toBeVisible();
  await page.reload();
  await expect(title(page, en.consentTitle)).toBeVisible();
});

test("if only the link in the e-mail may be used to sign, an embed_url says so", async () => {
  const sent = await signing.send({ settings: { require_mailed_link: true } });
  const page = await signing.open(await sent.embedUrl(ann));
  await expect(title(page, en.mailedLinkTitle)).toBeVisible();
  await expect(page.getByText(en.mailedLinkLead("Example Company"))).toBeVisible();
  await expect(button(page, en.newLink)).toHaveCount(0);
});

test("a viewer can read, but neither fill in nor sign", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.embedUrl("viewer@example.com"));
  await expect(page.getByText(en.viewing("viewer@example.com"))).toBeVisible();
  await expect(page.getByRole("region", { name: en.page(1, 1) }).locator("img")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(button(page, en.sign)).toHaveCount(0);
  expect(await sent.status()).toBe("sent");
});

test("a viewer sees nothing of a document with identity questions, and reads why", async () => {
  const sent = await signing.send({ signers: [{ ...buyer, kba: { questions } }], kba_required: true });
  const page = await signing.open(await sent.embedUrl("viewer@example.com"));
  await expect(page.getByText(en.viewingWithheld)).toBeVisible();
  await expectNoDocument(page);
});

test("a document whose record does not match its audit trail says so, and opens again once it is repaired", async () => {
  const sent = await signing.send();
  const rename = (name: string) =>
    signing.service.database.owner("update signers set name = $2 where envelope_id = $1 and turn = 1", [sent.envelope_id, name]);
  await rename("Eve");
  const page = await signing.open(await sent.embedUrl(ann));
  await expect(title(page, en.recordMismatchTitle)).toBeVisible();
  await expectNoDocument(page);
  await rename(buyer.name);
  await page.reload();
  await expect(title(page, en.consentTitle)).toBeVisible();
});

test("an envelope that is voided during the review cannot be signed, and the page says so", async () => {
  const sent = await signing.send();
  await sent.filled(ann);
  const page = await signing.open(await sent.link(ann));
  await button(page, en.review).click();
  await title(page, en.reviewTitle).waitFor();
  expect(await voidEnvelope(signing.service, sent.envelope_id)).toBe(true);
  await button(page, en.sign).click();
  await expect(title(page, en.voidedTitle)).toBeVisible();
  expect(await sent.status()).toBe("voided");
});

test("a page that is only read shows within ten seconds that the sender withdrew the document, and why", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(ann), { clock: "moved" });
  await expect(title(page, en.consentTitle)).toBeVisible();
  await sent.void();
  await page.clock.fastForward(10_000);
  await expect(title(page, en.voidedTitle)).toBeVisible();
  await expect(page.getByText("wrong price")).toBeVisible();
  await expectNoDocument(page);
});

test("the review stays when another signer signs, says who it was, and shows the current pages", async () => {
  const signers = [buyer, { email: "sam@example.com", name: "Sam Sample", role: "Seller" }];
  const sent = await signing.send({ document: sale, name: "Sale", signers, order: "parallel" });
  await sent.filled(ann);
  const page = await signing.open(await sent.link(ann), { clock: "moved" });
  await button(page, en.review).click();
  await title(page, en.reviewTitle).waitFor();
  await signAll(signing.service, sent.org, sent.envelope_id, [["sam@example.com"]]);
  await page.clock.fastForward(10_000);
  await expect(page.getByText(en.signedMeanwhile(["Sam Sample"]))).toBeVisible();
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await sign(page);
  await expect(page.getByText(en.doneAll)).toBeVisible();
});
