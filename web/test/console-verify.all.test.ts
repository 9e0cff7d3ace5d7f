import { afterAll } from "vitest";
import { form } from "../../server/test/form.ts";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { note } from "./documents.ts";
import { button, signOrder, title } from "./person.ts";
import { look } from "./screens.ts";
import { en } from "./words.ts";

/** What needs a mail server: the codes that prove a mailbox, of members and of signers. */

const peer = await startSmtpPeer();
const console = await testConsole({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const { service } = console;
afterAll(() => peer.stop());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

async function unverified(name: string): Promise<TestOrg> {
  const org = await service.newOrg(name);
  await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
  return org;
}

async function mailed(email: string, pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await until(`a mail to ${email}`, async () => {
    const texts = peer.messages.filter(({ to }) => to.includes(email)).map(({ text }) => pattern.exec(text ?? "")?.[1]);
    found = texts.findLast((text) => text !== undefined);
    return found !== undefined;
  });
  return found ?? "";
}

const CODE = /^(\d{6})$/m;

test("the account page shows that the address is not verified, and verifies it with the code from the e-mail", async () => {
  const org = await unverified("Verifying Company");
  const page = await console.open(org, "/account", { clock: "moved" });
  await page.getByText("Not verified").waitFor();
  await look(page, "desktop", "console-05-account-unverified");
  // The mail server does not say yet whether it takes the e-mail.
  const arrived = peer.hold();
  await press(page, "Send code");
  await arrived;
  const code = await mailed(org.email, CODE);
  await page.clock.fastForward(31_000);
  await expect(
    page.getByText(
      `Not sent yet. We keep trying, so you can wait. You can also ask the operator of this service to run: npx countersign users verify ${org.email}`,
    ),
  ).toBeVisible();
  await look(page, "desktop", "console-05-account-code-not-sent");
  peer.release();
  await type(page, "Code", code === "000000" ? "000001" : "000000");
  await press(page, "Verify");
  await expect(page.getByText("Code does not match the code in the e-mail")).toBeVisible();
  await look(page, "desktop", "console-05-account-code");
  await type(page, "Code", code);
  await press(page, "Verify");
  await expect(page.getByRole("status").filter({ hasText: "Your e-mail address is verified." })).toBeVisible();
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
});

test("an invitation is sent by e-mail, the admin sees no link, and an unverified user verifies their address to join", async () => {
  const [org, other] = [await service.newOrg("Mailing Company"), await unverified("Old Company")];
  const admin = await console.open(org, "/members");
  await press(admin, "Invite member");
  await type(admin, "E-mail address", other.email);
  await press(admin, "Invite");
  await expect(admin.getByRole("dialog")).toContainText(`We have sent the link to ${other.email}.`);
  expect(await admin.content()).not.toContain("#token=");
  await look(admin, "desktop", "console-76-invited-by-mail");

  const link = await mailed(other.email, /(\/invite#token=[\w-]{43})/);
  const page = await console.visit(link);
  await press(page, "I already have an account");
  await type(page, `Password for ${other.email}`, PASSWORD);
  await press(page, "Log in");
  await page.getByText(/^Before you join another organization, verify/).waitFor();
  await look(page, "desktop", "console-03-invitation-unverified");
  await press(page, "Send code");
  await type(page, "Code", await mailed(other.email, CODE));
  await press(page, "Verify");
  await page.getByText("Mailing Company").first().waitFor();
  await expect(page).toHaveURL(`${console.url}/console/`);
});

test("a sender asks for a code by e-mail, the signer enters a wrong one and the right one, and the record says what was proven", async () => {
  const org = await service.newOrg("Sending Company");
  const values = { envelope_name: "Order", customer_name: "Ann Example", customer_email: "ann@buyer.example", auto_vault_enabled: true };
  const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body: values })).json.data;
  await org.admin("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: note }));
  const page = await console.open(org, `/envelopes/${envelope_id}/prepare?step=people`);
  const signer = page.getByRole("group", { name: "Recipient 1", exact: true });
  const check = signer.getByLabel("Identity check");
  await press(page, "More for Ann Example");
  await check.selectOption("Code by e-mail");
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .first(),
  ).toBeVisible();
  await page.reload();
  await expect(check, "the draft keeps it").toHaveValue("email_code");
  await look(page, "desktop", "console-32-code-by-mail");
  await press(page, "Save and continue");
  await page.getByRole("link", { name: "Options" }).click();
  await page.getByLabel(/I accept the certification terms/).check();
  await press(page, "Save and continue");
  await expect(page.getByText("Before the document is shown: code by e-mail")).toBeVisible();
  await press(page, "Send");
  await expect(page.getByRole("status").getByText("Sent.")).toBeVisible();

  const link = await mailed("ann@buyer.example", /(http\S+\/s\/[0-9a-f]{32}#k=[0-9a-f]{32})/);
  const ann = await console.visit("/login", { clock: "moved" });
  await ann.goto(link);
  await title(ann, en.questionsTitle).waitFor();
  // The mail server does not say yet whether it takes the e-mail.
  const arrived = peer.hold();
  await button(ann, en.codeSend).click();
  const input = ann.getByRole("textbox", { name: en.codeLabel });
  await arrived;
  const code = await mailed("ann@buyer.example", /^Code: (\d{6})$/m);
  const [notSent, late] = [ann.getByText(en.codeNotSent("Sending Company")), ann.getByText(en.codeLate("Sending Company"))];
  await expect(notSent).toHaveCount(0);
  await ann.clock.fastForward(31_000);
  await expect(notSent).toBeVisible();
  await look(ann, "desktop", "sign-33-code-not-sent");
  peer.release();
  await until("the e-mail to be sent", async () => {
    const [row] = await service.database.owner(
      "select state from mail_messages where to_address = 'ann@buyer.example' order by mail_id desc",
    );
    return row?.state === "sent";
  });
  await ann.clock.fastForward(31_000);
  await expect(late).toBeVisible();
  await expect(notSent).toHaveCount(0);
  await input.fill(code === "000000" ? "000001" : "000000");
  await button(ann, en.continue).click();
  await expect(ann.getByText(en.questionsWrong(4))).toBeFocused();
  await expect(ann.getByRole("region", { name: /^Page \d/ }), "nothing of the document").toHaveCount(0);
  await input.fill(code);
  await button(ann, en.continue).click();
  await signOrder(ann);

  await expect(page.getByText("Everyone has signed. The vault keeps the authoritative copy.")).toBeVisible({ timeout: 30_000 });
  await page.getByRole("link", { name: "Vaulted documents", exact: true }).click();
  await page.getByRole("link", { name: "Order" }).click();
  const proven = /Passed before signing: ann@buyer\.example: code sent by e-mail\.\s+Requirement\s+Proven/;
  await expect(page.locator("main")).toHaveText(/Passed before signing/);
  expect(await page.locator("main").innerText()).toMatch(proven);
  await look(page, "desktop", "console-45-code-proven");
  const { bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/completion-certificate`);
  const certificate = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");
  expect(certificate).toContain("Code sent by e-mail to a***@buyer.example");
  expect(certificate).toContain("Identity level 1 of 3");
});
