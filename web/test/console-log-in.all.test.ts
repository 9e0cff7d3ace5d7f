import { afterAll } from "vitest";
import { makeResolveTexts } from "../../server/src/outbound/name-resolver.ts";
import { client } from "../../server/test/client.ts";
import { codeOf, newApp } from "../../server/test/factors.ts";
import { startIdentityProvider } from "../../server/test/identity-provider.ts";
import { accept } from "../../server/test/invitations.ts";
import { startNameServer } from "../../server/test/name-server.ts";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { connect, proveDomain, setMode, testConnection } from "../../server/test/sso.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test, testInAll, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { loseAnswer } from "./lose-answer.ts";
import { NO_ANSWER } from "./lost-acts.ts";
import { look } from "./screens.ts";

/** The links in e-mails about logging in, and the second step of a log-in. */

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

test("an authenticator app is added on the account page; then logging in needs a code, and so does removing the app later", async () => {
  const org = await service.newOrg();
  const elsewhere = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
  const page = await console.open(org, "/account");
  await press(page, "Add authenticator app");
  await press(page, "Continue");
  await page.getByRole("img", { name: "QR code with the secret of the app" }).waitFor();
  await look(page, "desktop", "console-10-add-app");
  const secret = (await page.locator(".secret code").textContent()) ?? "";
  await type(page, "Code that the app shows", codeOf(secret));
  await press(page, "Turn on");
  await title(page, "Your recovery codes").waitFor();
  await look(page, "desktop", "console-11-recovery-codes");
  const codes = (await page.locator(".secret code").textContent())?.split("\n") ?? [];
  expect(codes).toHaveLength(10);
  await page.getByLabel("I have stored it").check();
  await press(page, "Done");
  await page.getByText("10 recovery codes are unused.").waitFor();

  // The page offers to end the sessions from before. The answer to the first attempt is lost.
  await page.getByText(/^Sessions that were open before the change go on/).waitFor();
  watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
  const isLost = await loseAnswer(page, /\/auth\/sessions\/end-others$/, "POST");
  await page.locator(".notice").getByRole("button", { name: "End others" }).click();
  await look(page, "desktop", "console-11-end-others");
  const dialog = page.getByRole("dialog", { name: "End other sessions?" });
  const end = () => dialog.getByRole("button", { name: "End others" }).click();
  await end();
  await isLost();
  await dialog.getByText(NO_ANSWER).waitFor();
  await end();
  await expect(page.getByRole("status").filter({ hasText: "You have no other sessions." })).toBeVisible();
  await expect(page.getByText(/^Sessions that were open before the change go on/)).toHaveCount(0);
  const headers = { authorization: `Bearer ${elsewhere.json.data.token}` };
  expect((await service.send("GET", "/auth/me", { headers })).status).toBe(401);

  // A code works once, and tests are faster than the codes of an app change.
  const forgetUse = () => service.database.owner("update factors set last_step = 0");
  const other = await console.visit("/login?next=/account");
  await signIn(other, org.email);
  await title(other, "Enter your code").waitFor();
  await look(other, "desktop", "console-12-second-factor");
  await type(other, "Code", "12");
  await press(other, "Log in");
  await expect(other.getByText(/^Code must/)).toBeVisible();
  await press(other, "Use a recovery code");
  await other.getByText(/^Enter one of your recovery codes\. If you no longer have your phone/).waitFor();
  await type(other, "Recovery code", codes[0] ?? "");
  await press(other, "Log in");
  await other.getByText("9 recovery codes are unused.").waitFor();

  await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [org.org_id]);
  await press(other, "Remove Authenticator app");
  await press(other, "Remove");
  await title(other, "Confirm that it is you").waitFor();
  await expect(other.getByLabel(`Password for ${org.email}`)).toBeFocused();
  await other.getByLabel("Code", { exact: true }).waitFor();
  await look(other, "desktop", "console-13-confirm-identity");
  await forgetUse();
  await type(other, `Password for ${org.email}`, PASSWORD);
  await type(other, "Code", codeOf(secret));
  await press(other, "Confirm");
  await expect(other.getByRole("status").filter({ hasText: "Authenticator app is removed." })).toBeVisible();
  await other.getByText("Your password is enough to log in.").waitFor();
});

/** A device that keeps passkeys and whose user always agrees. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await session.send("WebAuthn.addVirtualAuthenticator", { options });
}

testInAll("a passkey is added on the account page; it logs in alone, is the second step, and confirms who the user is", async () => {
  const org = await service.newOrg();
  const page = await console.open(org, "/account");
  await addAuthenticator(page);
  await press(page, "Add passkey");
  await type(page, "Name of the device", "Laptop");
  await look(page, "desktop", "console-14-add-passkey");
  await press(page, "Add");
  await title(page, "Your recovery codes").waitFor();
  await page.getByLabel("I have stored it").check();
  await press(page, "Done");
  await page.getByRole("row", { name: /Laptop Passkey/ }).waitFor();
  // The authenticator stays with the page.
  await page.locator("summary", { hasText: "admin" }).click();
  await press(page, "Sign out");
  await title(page, "Log in").waitFor();
  await look(page, "desktop", "console-15-log-in-by-passkey");
  await press(page, "Log in with a passkey");
  await page.getByRole("navigation", { name: "Console" }).waitFor();

  await page.locator("summary", { hasText: "admin" }).click();
  await press(page, "Sign out");
  await title(page, "Log in").waitFor();
  await signIn(page, org.email);
  await title(page, "Use your passkey").waitFor();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeFocused();
  await look(page, "desktop", "console-16-second-step-by-passkey");
  await press(page, "Use a passkey");
  await page.getByRole("navigation", { name: "Console" }).waitFor();

  await page.goto(`${console.url}/console/account`);
  await page.getByRole("row", { name: /Laptop Passkey/ }).waitFor();
  await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [org.org_id]);
  await press(page, "Remove Laptop");
  await press(page, "Remove");
  await title(page, "Confirm that it is you").waitFor();
  await press(page, "Use a passkey");
  await expect(page.getByRole("status").filter({ hasText: "Laptop is removed." })).toBeVisible();
  await page.getByText("Your password is enough to log in.").waitFor();
});

testInAll("a member whose organization requires a second factor adds one over the screen they wanted, which then opens", async () => {
  const org = await service.newOrg();
  const { user_id, email } = await console.join(org, "admin");
  await service.database.owner(
    "update org_security set second_factor = 'required', second_factor_since = now() - interval '8 days' where org_id = $1",
    [org.org_id],
  );
  await service.database.owner("update members set created_at = now() - interval '8 days' where user_id = $1", [user_id]);
  const page = await console.open(org, "/members", { as: { user_id } });
  await title(page, "Add a second factor").waitFor();
  await press(page, "Continue");
  const secret = (await page.locator(".secret code").textContent()) ?? "";
  await look(page, "desktop", "console-17-enrol");
  await until("the mailed code", async () => inbox.messages.some(({ to, text }) => to.includes(email) && /^\d{6}$/m.test(text ?? "")));
  const mail = inbox.messages.findLast(({ to, text }) => to.includes(email) && /^\d{6}$/m.test(text ?? ""));
  await type(page, "Code from the e-mail", /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "");
  await type(page, "Code that the app shows", codeOf(secret));
  await press(page, "Turn on");
  await title(page, "Your recovery codes").waitFor();
  await page.getByLabel("I have stored it").check();
  await press(page, "Done");
  await page.getByRole("row", { name: new RegExp(`${email}.* Yes`) }).waitFor();
});

testInAll(
  "a user who lost every second factor removes them with the link that an admin sent and the password, and logs in again",
  async () => {
    const org = await service.newOrg("Example Bank");
    const email = "lost@bank.example";
    await memberWithPassword(org, email);
    const logged = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
    const member = client(service.url, { authorization: `Bearer ${logged.json.data.token}` });
    await newApp(service, member);
    const page = await console.open(org, "/members");
    await press(page, "Actions for Ben");
    await page.getByRole("menuitem", { name: "Sessions" }).click();
    await page.getByRole("dialog").getByLabel("Reason", { exact: true }).fill("Ben lost the phone and called from the office");
    await look(page, "desktop", "console-17-lost-factors");
    await press(page, "Send link");
    await page.getByText(`We have sent the link to ${email}.`).waitFor();

    const link = await linkMailed(email, "Remove the second factors from your Countersign account");
    const removing = await console.visit(link.slice(`${console.url}/console`.length));
    await title(removing, "Remove your second factors?").waitFor();
    await look(removing, "desktop", "console-17-remove-factors");
    await type(removing, "Password", "not the password");
    await press(removing, "Remove second factors");
    await expect(removing.getByText(/^Password /)).toBeVisible();
    expect((await member("GET", "/auth/factors")).json.data.factors, "a wrong password removes nothing").toHaveLength(1);
    await type(removing, "Password", PASSWORD);
    await press(removing, "Remove second factors");
    await title(removing, "Second factors removed").waitFor();
    await look(removing, "desktop", "console-17-removed-factors");
    expect((await member("GET", "/auth/me")).status, "earlier sessions have ended").toBe(401);
    await removing.getByRole("link", { name: "Log in" }).click();
    await signIn(removing, email);
    await removing.getByRole("navigation", { name: "Console" }).waitFor();

    const again = await console.visit(link.slice(`${console.url}/console`.length));
    await type(again, "Password", PASSWORD);
    await press(again, "Remove second factors");
    await title(again, "This link does not work").waitFor();
  },
);

testInAll(
  "an address leads to its organization's identity provider and into the console; where that is required, a password does too",
  async () => {
    const [names, provider] = await Promise.all([
      startNameServer(),
      startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`),
    ]);
    Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
    console.allow(provider.issuer);
    const org = await service.newOrg("Example Bank");
    await proveDomain(names, org, "bank.example");
    const connection_id = await connect(org, provider, { name: "Bank directory" });
    await setMode(org, "optional");

    // A person whom only the provider knows: the address alone says where they log in.
    provider.person = { sub: "directory-7", email: "ann@bank.example", name: "Ann Example" };
    const page = await console.visit("/login?next=/account");
    await type(page, "E-mail address", "ann@bank.example");
    await look(page, "desktop", "console-18-sso-log-in");
    const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
    await press(page, "Log in with single sign-on");
    expect(new URL((await asked).url()).searchParams.get("code_challenge_method")).toBe("S256");
    await title(page, "Your account").waitFor();
    await look(page, "desktop", "console-19-sso-account");
    expect(provider.exchanges.count).toBe(1);
    const { json } = await org.admin("GET", "/org/members");
    expect(json.data).toContainEqual(expect.objectContaining({ email: "ann@bank.example", name: "Ann Example", role: "member" }));
    // The code of the address worked once, and the page has removed it.
    expect(page.url()).toBe(`${console.url}/console/account`);

    // From now on it is required, except of one admin.
    const email = "sam@bank.example";
    await memberWithPassword(org, email);
    await newApp(service, org.admin);
    provider.person = { sub: "directory-1", email: "admin@bank.example" };
    expect((await testConnection(service, org, provider, connection_id)).status).toBe(200);
    const settings = await console.open(org, "/settings");
    await settings.getByText("Bank directory").scrollIntoViewIfNeeded();
    await look(settings, "desktop", "console-20-sso-settings");
    const required = await org.admin("PATCH", "/org/security", { body: { sso_mode: "required", break_glass: [org.user_id] } });
    expect([required.status, required.json.error]).toEqual([200, undefined]);

    provider.person = { sub: "directory-9", email, name: "Sam Sample" };
    const other = await console.visit("/login");
    await signIn(other, email);
    await expect(other.getByRole("alert")).toContainText("Your organization requires this.");
    await look(other, "desktop", "console-21-sso-required");
    await press(other, "Log in with single sign-on");
    await other.getByRole("navigation", { name: "Console" }).waitFor();
    await Promise.all([names.close(), provider.close()]);
  },
);

/** A member who joined by invitation, with a password of their own. */
async function memberWithPassword(org: TestOrg, email: string): Promise<void> {
  expect((await org.admin("POST", "/org/invitations", { body: { email, role: "member" } })).status).toBe(201);
  const link = await linkMailed(email, "Invitation to join Example Bank on Countersign");
  expect((await accept(service, link.split("#token=")[1] ?? "")).status).toBe(201);
}
