import { describe } from "vitest";
import { addEmailChange } from "../../server/src/accounts/email-change-store.ts";
import { makeResetLink } from "../../server/src/accounts/password-reset.ts";
import { setupLink } from "../../server/src/orgs/setup.ts";
import { insertMember } from "../../server/src/orgs/store.ts";
import { newToken, sha256 } from "../../server/src/shared/secrets.ts";
import { mailTo, tokenIn } from "../../server/test/mail.ts";
import { PASSWORD } from "../../server/test/service.ts";
import { expect, type Page, test, testInAll, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look } from "./screens.ts";

/** Logging in, sessions, set-up, invitations and password resets. */

const console = await testConsole();
const { service } = console;

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

describe("logging in", () => {
  test("leads to the requested screen; a wrong password and an unknown address get the same message", async () => {
    const org = await service.newOrg("Example Company");
    const page = await console.visit("/members");
    await title(page, "Log in").waitFor();
    await look(page, "desktop", "console-01-log-in");
    await type(page, "E-mail address", "nobody@example.com");
    await press(page, "Log in");
    await expect(page.getByText("Password is required")).toBeVisible();
    await type(page, "Password", PASSWORD);
    await press(page, "Log in");
    const unknown = await page.getByRole("alert").locator("p").first().textContent();
    await type(page, "E-mail address", org.email);
    await type(page, "Password", "not the password");
    await press(page, "Log in");
    await expect(page.getByRole("alert").locator("p").first()).toHaveText(unknown ?? "");
    await type(page, "Password", PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${console.url}/console/members`);
    await expect(title(page, "Members")).toBeFocused();
  });

  testInAll("lasts after a reload and in every tab, until the user signs out", async () => {
    const org = await service.newOrg();
    const page = await console.visit("/login");
    await type(page, "E-mail address", org.email);
    await type(page, "Password", PASSWORD);
    await press(page, "Log in");
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    const other = await page.context().newPage();
    await Promise.all([page.reload(), other.goto(`${console.url}/console/keys`)]);
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    await other.getByRole("navigation", { name: "Console" }).waitFor();
    // A background tab renders nothing, and clicks wait for rendering.
    await page.bringToFront();
    await page.locator("summary", { hasText: "admin" }).click();
    await press(page, "Sign out");
    await title(page, "Log in").waitFor();
    await other.bringToFront();
    await other.reload();
    await title(other, "Log in").waitFor();
  });

  testInAll("is renewed automatically when the token has expired", async () => {
    const org = await service.newOrg();
    const page = await console.open(org, "/members");
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    let refused = 0;
    await page.route("**/api/v2/org/settings", async (route) => {
      const headers = { ...route.request().headers(), ...(refused++ === 0 && { authorization: "Bearer of.yesterday" }) };
      await route.continue({ headers });
    });
    await page.getByRole("link", { name: "Settings" }).click();
    await title(page, "Settings").waitFor();
    await expect
      .poll(() =>
        watchOf(page.context())
          .answers.filter(({ path }) => path.endsWith("/org/settings"))
          .map(({ status }) => status),
      )
      .toEqual([401, 200]);
  });

  testInAll("never leads out of the console", async () => {
    const org = await service.newOrg();
    const page = await console.visit("/login?next=//evil.example/");
    await type(page, "E-mail address", org.email);
    await type(page, "Password", PASSWORD);
    await press(page, "Log in");
    await expect(page).toHaveURL(`${console.url}/console/`);
  });
});

describe("several tabs", () => {
  testInAll("signing out in one tab signs out the others immediately", async () => {
    const org = await service.newOrg();
    const page = await console.open(org, "/members");
    const other = await page.context().newPage();
    await other.goto(`${console.url}/console/customers`);
    await title(other, "Customers").waitFor();
    await page.bringToFront();
    await page.locator("summary", { hasText: "admin" }).click();
    await press(page, "Sign out");
    await title(other, "Log in").waitFor();
  });

  testInAll("data entered for one organization is never saved in another", async () => {
    const [first, second] = [await service.newOrg("First Company"), await service.newOrg("Second Company")];
    await service.db.system((tx) => tx.forOrg(second.org_id, () => insertMember(tx, second.org_id, first.user_id, "admin")));
    const page = await console.open(first, "/customers");
    const other = await page.context().newPage();
    await other.goto(`${console.url}/console/`);
    await page.bringToFront();
    await page.getByRole("button", { name: "New customer" }).first().click();
    await type(page, "Name", "Ann Example");
    await other.bringToFront();
    await other.locator("summary", { hasText: "admin" }).click();
    await press(other, "Switch to Second Company");
    await other.locator("summary", { hasText: "Second Company" }).waitFor();
    await page.bringToFront();
    await press(page, "Add customer");
    await title(page, "You switched to Second Company").waitFor();
    for (const org of [first, second]) expect((await org.admin("GET", "/customers")).json.meta.total).toBe(0);
    await press(page, "Stay in First Company");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ann Example");
    await press(page, "Add customer");
    await expect(page.getByRole("status").filter({ hasText: "Ann Example" })).toBeVisible();
  });

  testInAll("after a session ends, the user logs in again and keeps what they had entered", async () => {
    const org = await service.newOrg();
    const page = await console.open(org, "/customers");
    await page.getByRole("button", { name: "New customer" }).first().click();
    await type(page, "Name", "Sam Sample");
    await service.database.owner("update sessions set ended_at = now() where org_id = $1", [org.org_id]);
    await press(page, "Add customer");
    await title(page, "Your session has ended").waitFor();
    await type(page, `Password for ${org.email}`, "not the password");
    await press(page, "Log in");
    await expect(page.getByRole("alert").filter({ hasText: "Wrong password" })).toHaveText("Wrong password");
    await type(page, `Password for ${org.email}`, PASSWORD);
    await press(page, "Log in");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Sam Sample");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await press(page, "Add customer");
    await expect(page.getByRole("status").filter({ hasText: "Sam Sample" })).toBeVisible();
    // A screen that was refused is loaded again, without a click.
    await service.database.owner("update sessions set ended_at = now() where org_id = $1", [org.org_id]);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await title(page, "Your session has ended").waitFor();
    await expect(page.locator("main").getByRole("alert")).not.toHaveCount(0);
    await type(page, `Password for ${org.email}`, PASSWORD);
    await press(page, "Log in");
    await expect(page.getByRole("region", { name: "Branding", exact: true })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});

testInAll("a screen that fails to load is requested once, and the user is told", async () => {
  const org = await service.newOrg();
  const page = await console.open(org, "/members");
  await title(page, "Members").waitFor();
  let asked = 0;
  await page.route("**/assets/settings-*.js", (route) => {
    asked += 1;
    return route.abort();
  });
  watchOf(page.context()).expect(/Failed to load|net::ERR_FAILED/);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await title(page, "This page could not be loaded").waitFor();
  expect(asked).toBe(1);
});

describe("links", () => {
  testInAll("the set-up link of the first start creates the organization, once", async () => {
    const link = (await setupLink(service.features.orgs)) ?? "";
    const page = await console.visit(link.slice(`${console.url}/console`.length));
    await title(page, "Set up your organization").waitFor();
    expect(page.url()).toBe(`${console.url}/console/setup`);
    await look(page, "desktop", "console-02-set-up");
    await press(page, "Create organization");
    for (const label of ["Organization", "Your name", "E-mail address", "Password"])
      await expect(page.getByText(`${label} is required`)).toBeVisible();
    await expect(page.getByLabel("Organization", { exact: true })).toBeFocused();
    await type(page, "Organization", "First Company");
    await type(page, "Your name", "Ann Example");
    await type(page, "E-mail address", "ann@first.example");
    await press(page, "Create organization");
    await expect(page.getByText(/is required$/)).toHaveText(["Password is required"]);
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    await type(page, "Password", "short");
    await press(page, "Create organization");
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    await expect(page.getByText(/^Password must/)).toBeVisible();
    await type(page, "Password", "seven green kettles hum");
    await press(page, "Create organization");
    await expect(page).toHaveURL(`${console.url}/console/welcome`);
    await expect(page.getByText("First Company").first()).toBeVisible();
    const again = await console.visit(link.slice(`${console.url}/console`.length));
    await type(again, "Organization", "Second Company");
    await type(again, "Your name", "Ann Example");
    await type(again, "E-mail address", "ann@second.example");
    await type(again, "Password", "seven green kettles hum");
    await press(again, "Create organization");
    await title(again, "This link does not work").waitFor();
    await expect(again.getByText("This installation is already set up")).toBeVisible();
    const wrong = await console.visit("/setup#token=nonsense");
    await type(wrong, "Organization", "Third Company");
    await type(wrong, "Your name", "Ann Example");
    await type(wrong, "E-mail address", "ann@third.example");
    await type(wrong, "Password", "seven green kettles hum");
    await press(wrong, "Create organization");
    await expect(wrong.getByText("npx countersign setup-link")).toBeVisible();
  });

  testInAll("an invitation makes a new user or an existing user a member", async () => {
    const org = await service.newOrg("Inviting Company");
    const invite = async (email: string) =>
      (await org.admin("POST", "/org/invitations", { body: { email, role: "member" } })).json.data.accept_url.slice(
        `${console.url}/console`.length,
      );
    const page = await console.visit(await invite("new@example.com"));
    await title(page, "Join Inviting Company").waitFor();
    await look(page, "desktop", "console-03-invitation");
    await type(page, "Your name", "Sam Sample");
    await type(page, "Password", PASSWORD);
    await press(page, "Create account");
    await page.getByText("Sam Sample, member").waitFor();
    const { email } = await service.newOrg("Another Company");
    const known = await console.visit(await invite(email));
    await type(known, "Your name", "Somebody Else");
    await type(known, "Password", PASSWORD);
    await press(known, "Create account");
    await known.getByText("This address already has an account. Log in to join.").waitFor();
    await look(known, "desktop", "console-03-invitation-sign-in");
    await type(known, `Password for ${email}`, "not the password");
    await press(known, "Log in");
    await expect(known.getByRole("alert")).toContainText("Wrong e-mail or password");
    await type(known, `Password for ${email}`, PASSWORD);
    await press(known, "Log in");
    await known.getByText("Inviting Company").first().waitFor();
    const used = await console.visit("/invite#token=nonsense");
    await title(used, "This link does not work").waitFor();
  });

  testInAll("a person who is logged in joins with one click", async () => {
    const [org, other] = [await service.newOrg("Second Home"), await service.newOrg("First Home")];
    const { json } = await org.admin("POST", "/org/invitations", { body: { email: other.email, role: "viewer" } });
    const page = await console.open(other, json.data.accept_url.slice(`${console.url}/console`.length));
    await page.getByText(/^You are logged in as Admin/).waitFor();
    await look(page, "desktop", "console-03-invitation-session");
    await press(page, "Join");
    await page.locator("summary", { hasText: "Second Home" }).waitFor();
    expect((await other.admin("GET", "/auth/me")).json.data.orgs).toHaveLength(2);
  });

  testInAll("a new e-mail address is confirmed with its link, and the old one taken back with the other link", async () => {
    const org = await service.newOrg();
    const [token, new_email] = [newToken(), `moved.${org.email}`];
    const change = { user_id: org.user_id, new_email, life_seconds: 3600 };
    await service.db.system((tx) => addEmailChange(tx, sha256(token), change));
    const page = await console.visit(`/email#token=${token}`);
    await title(page, "Use this e-mail address?").waitFor();
    await press(page, "Confirm e-mail address");
    await expect(page.getByText(`Your account now has the address ${new_email}.`)).toBeVisible();
    const [mail] = await mailTo(service, org.email, "email_changed");
    const undone = await console.visit(`/email?undo=1#token=${tokenIn(mail ?? { text: "" })}`);
    await title(undone, "Undo the change?").waitFor();
    await press(undone, "Undo change");
    await expect(undone.getByText(`Your account has the address ${org.email} again`)).toBeVisible();
    const used = await console.visit(`/email#token=${token}`);
    await press(used, "Confirm e-mail address");
    await title(used, "This link does not work").waitFor();
  });

  testInAll("a password reset is requested by e-mail and completed with the link", async () => {
    const page = await console.visit("/reset");
    await look(page, "desktop", "console-04-reset");
    await type(page, "E-mail address", "nobody@example.com");
    await press(page, "Send link");
    await title(page, "Check your e-mail").waitFor();
    const { email } = await service.newOrg();
    const { url = "" } = (await service.db.system((tx) => makeResetLink(service.features.orgs, tx, email))) ?? {};
    const chosen = await console.visit(url.slice(`${console.url}/console`.length));
    await type(chosen, "Password", "seven green kettles hum");
    await press(chosen, "Save password");
    await title(chosen, "Password changed").waitFor();
    await chosen.getByRole("link", { name: "Log in" }).click();
    await type(chosen, "E-mail address", email);
    await type(chosen, "Password", "seven green kettles hum");
    await press(chosen, "Log in");
    await chosen.getByRole("navigation", { name: "Console" }).waitFor();
  });
});
