import { afterAll } from "vitest";
import { PASSWORD } from "../../server/test/service.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look } from "./screens.ts";

/** The links in e-mails about logging in. */

const inbox = await startSmtpPeer();
afterAll(() => inbox.stop());
const console = await testConsole({ SMTP_URL: inbox.url });
const { service } = console;

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

async function signIn(page: Page, email: string): Promise<void> {
  await type(page, "E-mail address", email);
  await type(page, "Password", PASSWORD);
  await press(page, "Log in");
}

/** The link in the newest e-mail with this subject. */
async function linkMailed(to: string, subject: string): Promise<string> {
  const mails = () => inbox.messages.filter((mail) => mail.to.includes(to) && headerOf(mail, "subject") === subject);
  await until(`mail "${subject}"`, async () => mails().length > 0);
  return /http:\/\/\S+#token=[\w-]+/.exec(mails().at(-1)?.text ?? "")?.[0] ?? "";
}

test("after many failed attempts a new browser needs a link by e-mail, which the button uses up and a visit does not", async () => {
  const { email } = await service.newOrg();
  const guess = () => service.send("POST", "/auth/login", { body: { email, password: "not the password" } });
  for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(401);
  const page = await console.visit("/login");
  await signIn(page, email);
  await page.getByRole("alert").waitFor();
  await look(page, "desktop", "console-05-new-browser");
  await press(page, "Send link");
  await page.getByText(`If ${email} has an account`).waitFor();
  await look(page, "desktop", "console-06-new-browser-asked");
  const link = await linkMailed(email, "Log in to Countersign with a new browser");
  await page.goto(link);
  await title(page, "Confirm this browser?").waitFor();
  await look(page, "desktop", "console-07-known-browser");
  await page.goto(`${console.url}/console/login`);
  await page.goto(link);
  await press(page, "Confirm browser");
  await title(page, "Browser confirmed").waitFor();
  await page.getByRole("link", { name: "Log in" }).click();
  await signIn(page, email);
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  const used = await console.visit(link.slice(`${console.url}/console`.length));
  await press(used, "Confirm browser");
  await title(used, "This link does not work").waitFor();
});

test("an unauthorized session is ended with the link in the e-mail, and a password reset link is sent", async () => {
  const { email } = await service.newOrg();
  const { json } = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
  const link = await linkMailed(email, "New log-in to your Countersign account");
  const page = await console.visit(link.slice(`${console.url}/console`.length));
  await title(page, "Was this not you?").waitFor();
  await look(page, "desktop", "console-08-not-me");
  await press(page, "End session");
  await title(page, "Session ended").waitFor();
  await look(page, "desktop", "console-09-not-me-done");
  const headers = { authorization: `Bearer ${json.data.token}` };
  expect((await service.send("GET", "/auth/me", { headers })).status).toBe(401);
  await page.goto(await linkMailed(email, "Reset your Countersign password"));
  await title(page, "Choose a new password").waitFor();
});
