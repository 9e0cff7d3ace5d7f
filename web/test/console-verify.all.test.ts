import { afterAll } from "vitest";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look } from "./screens.ts";

/** E-mail verification with a mail server. */

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
  const page = await console.open(org, "/account");
  await page.getByText("Not verified").waitFor();
  await look(page, "desktop", "console-05-account-unverified");
  await press(page, "Send code");
  const code = await mailed(org.email, CODE);
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
