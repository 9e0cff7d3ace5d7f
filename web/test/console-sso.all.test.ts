import { afterAll, beforeAll } from "vitest";
import { makeResolveTexts } from "../../server/src/outbound/name-resolver.ts";
import { newApp } from "../../server/test/factors.ts";
import { type IdentityProvider, startIdentityProvider } from "../../server/test/identity-provider.ts";
import { accept } from "../../server/test/invitations.ts";
import { startNameServer } from "../../server/test/name-server.ts";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { startSmtpPeer } from "../../server/test/smtp.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, test, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look } from "./screens.ts";

/** Single sign-on in the browser, with a real OpenID Connect provider and a DNS server: the settings, the log-in, and what can go wrong. */

const inbox = await startSmtpPeer();
const console = await testConsole({ SMTP_URL: inbox.url, MAIL_FROM: "sign@example.com" });
const { service } = console;
const names = await startNameServer();
let provider: IdentityProvider;
beforeAll(async () => {
  Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
  provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
});
afterAll(() => Promise.all([inbox.stop(), names.close(), provider.close()]));

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const mayVisit = (page: Page) => watchOf(page.context()).expect(new RegExp(`^request: ${provider.issuer}`));

test("an admin proves a domain, connects a provider and tests it; a member logs in with it, and only with it once it is required", async () => {
  const org = await service.newOrg("Example Company");
  const page = await console.open(org, "/settings");
  mayVisit(page);
  const card = page.getByRole("region", { name: "Single sign-on", exact: true });
  await expect(card.getByText(/^No domains\./)).toBeVisible();
  await type(page, "Domain", "company.example");
  await press(page, "Add domain");
  await card.getByText("Publish this TXT record, then verify the domain:").waitFor();
  await press(page, "Mail a link to postmaster");
  await card.getByText("A link was mailed to postmaster@company.example. It works for 24 hours.").waitFor();
  await look(page, "desktop", "console-75-sso-domain");
  const [name = "", value = ""] = await card.locator("code").allTextContents();
  names.setTexts(name, [value]);
  await press(page, "Verify");
  await expect(card.getByText("Verified", { exact: true })).toBeVisible();

  await card.getByText("Connect a provider", { exact: true }).click();
  await card.getByLabel("Name", { exact: true }).fill("Company log-in");
  await card.getByLabel("Issuer", { exact: true }).fill(provider.issuer);
  await card.getByLabel("Client ID", { exact: true }).fill(provider.client.client_id);
  await card.getByLabel("Client secret", { exact: true }).fill(provider.client.client_secret);
  // What was typed is not lost silently.
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Members", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("unsaved");
  await press(page, "Stay here");
  await card.getByLabel("Roles for its values (optional)", { exact: true }).fill("staff=Emperor");
  await press(page, "Connect");
  await expect(card.getByText(/^Roles for its values has “Emperor”, which is not a role\./)).toBeVisible();
  await look(page, "desktop", "console-76-sso-provider");
  await card.getByLabel("Roles for its values (optional)", { exact: true }).fill("");
  await press(page, "Connect");
  await expect(card.getByText("Draft", { exact: true })).toBeVisible();

  // The user closes the other window: the page does not wait forever.
  const atProvider = (url: URL) => url.origin === provider.issuer;
  await page.context().route(atProvider, () => undefined);
  const [abandoned] = await Promise.all([page.waitForEvent("popup"), press(page, "Test")]);
  await card.getByText("Log in in the other window.").waitFor();
  await abandoned.close();
  await press(page, "Cancel test");
  await expect(card.getByText("Log in in the other window.")).toHaveCount(0);
  await page.context().unroute(atProvider);

  provider.person = { sub: "ann", email: "ann@company.example", email_verified: true, name: "Ann Example" };
  await press(page, "Test");
  await expect(card.getByText("The test succeeded for ann@company.example.")).toBeVisible();
  await press(page, "Enable");
  await expect(card.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("combobox", { name: "Single sign-on" }).selectOption("optional");
  await card.getByText("Unsaved changes.").waitFor();
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect(card.getByText("Saved", { exact: true })).toBeVisible();
  await look(page, "desktop", "console-77-sso-active");

  const ann = await console.visit("/login?next=/account");
  mayVisit(ann);
  await title(ann, "Log in").waitFor();
  await press(ann, "Log in with single sign-on");
  await expect(ann.getByText("Enter your e-mail address first.")).toBeVisible();
  await look(ann, "desktop", "console-78-sso-log-in");
  await type(ann, "E-mail address", "ann@company.example");
  await press(ann, "Log in with single sign-on");
  await title(ann, "Your account").waitFor();
  await expect(ann.getByText("ann@company.example").filter({ visible: true }).first()).toBeVisible();

  // Required from now on, except of an admin who can log in if the provider fails.
  const save = () => card.getByRole("button", { name: "Save", exact: true }).click();
  const sam = await memberWithPassword(org, "sam@elsewhere.example");
  await page.getByRole("combobox", { name: "Single sign-on" }).selectOption("required");
  await save();
  await expect(card.getByText("Break-glass admins must name at least one admin with a second factor")).toBeVisible();
  await look(page, "desktop", "console-77-sso-locked-out");
  const app = await newApp(service, org.admin);
  await card.getByRole("checkbox", { name: org.email }).check();
  await save();
  await expect(card.getByText("Saved", { exact: true })).toBeVisible();
  await look(page, "desktop", "console-77-sso-required");
  expect((await org.admin("GET", "/org/security")).json.data).toMatchObject({ sso_mode: "required", break_glass: [org.user_id] });

  const refused = await console.visit("/login");
  await signIn(refused, sam);
  await expect(refused.getByRole("alert").filter({ hasText: "Your organization requires this." })).toBeVisible();
  await look(refused, "desktop", "console-79-sso-required");

  const admin = await console.visit("/login?next=/activity");
  await signIn(admin, org.email);
  await title(admin, "Enter your code").waitFor();
  await type(admin, "Code", await app.newCode());
  await press(admin, "Log in");
  await title(admin, "Activity").waitFor();
  await expect(admin.getByRole("row").filter({ hasText: "Logged in without single sign-on as a break-glass admin" })).toHaveCount(1);
  await look(admin, "desktop", "console-79-break-glass");
  await until("the mail to the admins", async () =>
    inbox.messages.some(({ to, text }) => to.includes(org.email) && /break-glass/.test(text ?? "")),
  );
});

async function signIn(page: Page, email: string): Promise<void> {
  await title(page, "Log in").waitFor();
  await type(page, "E-mail address", email);
  await type(page, "Password", PASSWORD);
  await press(page, "Log in");
}

/** A member who joined by invitation. Returns the address. */
async function memberWithPassword(org: TestOrg, email: string): Promise<string> {
  expect((await org.admin("POST", "/org/invitations", { body: { email, role: "member" } })).status).toBe(201);
  const token = () => /#token=([\w-]+)/.exec(inbox.messages.findLast(({ to }) => to.includes(email))?.text ?? "")?.[1];
  await until("the invitation", async () => token() !== undefined);
  expect((await accept(service, token() ?? "")).status).toBe(201);
  return email;
}

test("a log-in that cannot be finished, and a domain that is confirmed by e-mail", async () => {
  const org = await service.newOrg("Mailing Company");
  const page = await console.visit("/sso#error=expired");
  await title(page, "You are not logged in").waitFor();
  await expect(page.getByText("This log-in has expired, was already used, or began in another browser.")).toBeVisible();
  await look(page, "desktop", "console-79-sso-failed");
  const { domain_id } = (await org.admin("POST", "/org/domains", { body: { domain: "mailing.example" } })).json.data;
  await org.admin("POST", `/org/domains/${domain_id}/verify`, { body: { method: "mail", mailbox: "postmaster" } });
  const link = () =>
    /http:\/\/\S+\/domain#token=[\w-]+/.exec(inbox.messages.findLast(({ to }) => to.includes("postmaster@mailing.example"))?.text ?? "");
  await until("the mailed link", async () => link() !== null);
  await page.goto(link()?.[0] ?? "");
  await title(page, "Confirm a domain").waitFor();
  await look(page, "desktop", "console-79-sso-confirm-domain");
  await press(page, "Confirm domain");
  await title(page, "Domain confirmed").waitFor();
  await expect(page.getByText("mailing.example now counts as a domain of Mailing Company. You can close this page.")).toBeVisible();
  expect((await org.admin("GET", "/org/domains")).json.data.domains).toMatchObject([{ domain: "mailing.example", method: "mail" }]);
});
