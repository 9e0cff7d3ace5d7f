import { afterAll } from "vitest";
import { PASSWORD } from "../../server/test/service.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look } from "./screens.ts";

/** What the mails about log-ins lead to. */

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
  await press(page, "Sign in");
}

/** The link in the newest mail with this subject. */
async function linkMailed(to: string, subject: string): Promise<string> {
  const mails = () => inbox.messages.filter((mail) => mail.to.includes(to) && headerOf(mail, "subject") === subject);
  await until(`mail "${subject}"`, async () => mails().length > 0);
  return /http:\/\/\S+#token=[\w-]+/.exec(mails().at(-1)?.text ?? "")?.[0] ?? "";
}

test("a guessed account asks a new browser for a mailed link, which a press spends and a look does not", async () => {
  const { email } = await service.newOrg();
  const guess = () => service.send("POST", "/auth/login", { body: { email, password: "not the password" } });
  for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(401);
  const page = await console.visit("/login");
  await signIn(page, email);
  await page.getByRole("alert").waitFor();
  await look(page, "desktop", "console-05-new-browser");
  await press(page, "Mail me a link");
  await page.getByText(`If ${email} has an account`).waitFor();
  await look(page, "desktop", "console-06-new-browser-asked");
  const link = await linkMailed(email, "Log in to Countersign with a new browser");
  await page.goto(link);
  await title(page, "Use this browser?").waitFor();
  await look(page, "desktop", "console-07-known-browser");
  await page.goto(`${console.url}/console/login`);
  await page.goto(link);
  await press(page, "Use this browser");
  await title(page, "You can use this browser").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, email);
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  const used = await console.visit(link.slice(`${console.url}/console`.length));
  await press(used, "Use this browser");
  await title(used, "This link does not work").waitFor();
});

test("a log-in that was not the person's is ended with the link of the mail, and a new password is mailed for", async () => {
  const { email } = await service.newOrg();
  const { json } = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
  const link = await linkMailed(email, "New log-in to your Countersign account");
  const page = await console.visit(link.slice(`${console.url}/console`.length));
  await title(page, "Was this not you?").waitFor();
  await look(page, "desktop", "console-08-not-me");
  await press(page, "End the session");
  await title(page, "The session has ended").waitFor();
  await look(page, "desktop", "console-09-not-me-done");
  const headers = { authorization: `Bearer ${json.data.token}` };
  expect((await service.send("GET", "/auth/me", { headers })).status).toBe(401);
  await page.goto(await linkMailed(email, "Reset your Countersign password"));
  await title(page, "Choose a new password").waitFor();
});
