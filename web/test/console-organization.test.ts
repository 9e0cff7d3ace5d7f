import { deflateSync } from "node:zlib";
import { readVkey } from "@countersign/evidence";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { auditTypes } from "../../server/src/audit/catalogue.ts";
import { push } from "../../server/src/audit-sinks/push.ts";
import type { JobName, Jobs } from "../../server/src/jobs/catalogue.ts";
import { noteFailedJobs } from "../../server/src/jobs/heartbeat.ts";
import { jobHandlers } from "../../server/src/main.ts";
import { rotateKey } from "../../server/src/seals/rotate-key.ts";
import type { OrgId } from "../../server/src/shared/ids.ts";
import { advanceLog } from "../../server/src/transparency/advance-log.ts";
import { askWitnesses } from "../../server/src/transparency/ask-witnesses.ts";
import { sentEnvelope } from "../../server/test/envelopes.ts";
import { newApp } from "../../server/test/factors.ts";
import { jobsDone } from "../../server/test/jobs.ts";
import { startReceiver } from "../../server/test/receiver.ts";
import { PASSWORD } from "../../server/test/service.ts";
import { vaultedCopies } from "../../server/test/vaulted.ts";
import { auditWords } from "../console/settings/audit-words.ts";
import { en as problemWords } from "../console/words/problems/en.ts";
import { type Device, devices, expect, type Locator, OFTEN, type Page, test, testInAll } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look as lookAt, lookAtDialog, tourDevices } from "./screens.ts";
import { testWitnesses } from "./witnesses.ts";

/** Members, settings, activity, the evidence log and the user's own account. */

const witnesses = await testWitnesses();
const console = await testConsole({ WITNESSES: witnesses.setting });
const { service } = console;

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const title2 = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
/** In the menu of a member. */
const choose = async (page: Page, name: string, item: string) => {
  await press(page, `Actions for ${name}`);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
/** Checks accessibility, and that the screen fits 320 px without horizontal scrolling. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  if (device !== "desktop") return;
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(320);
  await page.setViewportSize(devices.desktop.viewport);
}
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const save = async (page: Page, name: string) => {
  await card(page, name).getByRole("button", { name: "Save", exact: true }).click();
  await expect(card(page, name).getByText(/^Saved\./)).toBeVisible();
};

/** In a window that is high enough for the whole card. */
async function shootCard(page: Page, name: string, picture: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ ...size, height: 1_600 });
  await card(page, name).scrollIntoViewIfNeeded();
  await lookAt(page, "desktop", picture);
  await page.setViewportSize(size);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await title(page, "Log in").waitFor();
  await type(page, "E-mail address", email);
  await type(page, "Password", password);
  await press(page, "Log in");
}

/** A grey PNG, 24 pixels high. */
function png(width: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crcOf(body));
    return Buffer.concat([size, body, crc]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(24, 4);
  head.set([8, 2], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x40)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 24 }, () => line)));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe("members", () => {
  test("are invited with a link that is shown once, given another role, and removed; the last admin stays", async () => {
    const org = await service.newOrg("Example Company");
    const sam = await console.join(org, "member", "Sam Sample");
    const page = await console.open(org, "/members");
    await expect(row(page, "Sam Sample")).toContainText("Member");
    await expect(page.getByText("No pending invitations.")).toBeVisible();
    // An admin's menu has all entries, and fits into the window of a laptop.
    const side = page.locator(".side");
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(side.getByRole("navigation").getByRole("link")).toHaveCount(22);
    expect(await side.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    // On a phone, the sentence belongs to the title, and the buttons come after both.
    await page.setViewportSize(devices.phone.viewport);
    const top = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
    const head = [
      title(page, "Members"),
      page.getByText(/^The members of your organization/),
      page.getByRole("button", { name: "Invite member" }),
    ];
    const tops = await Promise.all(head.map(top));
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    await page.setViewportSize(devices.desktop.viewport);
    await press(page, "Invite member");
    await type(page, "E-mail address", sam.email);
    await press(page, "Invite");
    await expect(page.getByText("This person is already a member")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText("You have unsaved changes. Close again to discard them.")).toBeVisible();
    await type(page, "E-mail address", "new@example.com");
    await page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await press(page, "Invite");
    await title(page, "new@example.com is invited").waitFor();
    await expect(page.getByText("No mail server is set up, so send this link yourself.")).toBeVisible();
    const link = (await page.locator(".secret code").textContent()) ?? "";
    const preview = await service.send("POST", "/auth/invitations/preview", { body: { token: link.split("#token=")[1] } });
    expect(preview.json.data).toMatchObject({ email: "new@example.com", role: "viewer", org_name: "Example Company" });
    await press(page, "Done");
    await expect(page.getByText(link)).toHaveCount(0);
    await expect(row(page, "new@example.com")).toContainText("Pending");
    await press(page, "Withdraw invitation of new@example.com");
    await press(page, "Withdraw");
    await expect(row(page, "new@example.com")).toContainText("Withdrawn");
    expect((await org.admin("GET", "/org/invitations")).json.data[0].revoked_at).not.toBeNull();

    await choose(page, "Sam Sample", "Change role");
    await page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await press(page, "Change role");
    await expect(page.getByText("Sam Sample now has the role viewer.")).toBeVisible();
    const roleOf = async () =>
      (await org.admin("GET", "/org/members")).json.data.find((one: { user_id: string }) => one.user_id === sam.user_id)?.role;
    expect(await roleOf()).toBe("viewer");
    const looking = await console.open(org, "/members", { as: sam });
    await expect(looking.getByText("you cannot invite members, change roles or remove members.")).toBeVisible();
    await expect(row(looking, "Sam Sample")).toContainText("You");
    await expect(looking.getByRole("button", { name: /^(Actions|Remove|Change role)/ })).toHaveCount(0);
    await looking.goto(`${console.url}/console/settings`);
    await expect(looking.getByLabel("Name", { exact: true })).toBeDisabled();
    await expect(looking.getByRole("button", { name: "Save" })).toHaveCount(0);
    await looking.goto(`${console.url}/console/activity`);
    await expect(looking.getByText("you cannot see the organization's activity.")).toBeVisible();

    await choose(page, "Sam Sample", "Remove");
    await press(page, "Remove");
    await expect(page.getByText("Sam Sample was removed.")).toBeVisible();
    expect(await roleOf()).toBeUndefined();
    await row(page, "You")
      .getByRole("button", { name: /^Actions for / })
      .click();
    await page.getByRole("menuitem", { name: "Leave", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await expect(page.getByText("The last admin cannot be removed or demoted. Make another member an admin first")).toBeVisible();
  });

  testInAll("who are custodians are removed after a transfer of custody was requested, or with a warning", async () => {
    const org = await service.newOrg("Example Company");
    const sam = await console.join(org, "member", "Sam Sample");
    const copies = await vaultedCopies(service, org, 2);
    await service.database.owner("update custodian_permissions set user_id = $2 where org_id = $1", [org.org_id, sam.user_id]);
    const page = await console.open(org, "/members");
    await choose(page, "Sam Sample", "Remove");
    await press(page, "Remove");
    await title(page, "Sam Sample is still a custodian").waitFor();
    await expect(page.getByText("2 copies need another custodian")).toBeVisible();
    await press(page, "Request transfers");
    await expect(page.getByText("Choose a member.", { exact: true })).toBeVisible();
    await page.getByLabel("New custodian").selectOption(org.user_id);
    await press(page, "Request transfers");
    await expect(page.getByText("Remove Sam Sample once the transfers are accepted.")).toBeVisible();
    const { json } = await org.admin("GET", `/partner/custody-transfers?from_user_id=${sam.user_id}&status=pending`);
    expect(json.data.map((one: { envelope_id: string }) => one.envelope_id).sort()).toEqual(copies.map((one) => one.envelope_id).sort());
    await choose(page, "Sam Sample", "Remove");
    await press(page, "Remove");
    await expect(page.getByText("Check 3 then fails for these copies")).toBeVisible();
    await press(page, "Remove anyway");
    await expect(page.getByText("Sam Sample was removed.")).toBeVisible();
    await expect(row(page, "Sam Sample")).toHaveCount(0);
  });
});

describe("settings", () => {
  test("are saved card by card, with only the changed values; errors are shown at their line", async () => {
    const org = await service.newOrg("Example Company");
    const ann = await console.join(org, "member", "Ann Example");
    const page = await console.open(org, "/settings");
    const settings = async () => (await org.admin("GET", "/org/settings")).json.data;
    await card(page, "Organization").getByLabel("Name", { exact: true }).fill("Harbour Lending");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await save(page, "Organization");
    expect((await sent).postDataJSON()).toEqual({ name: "Harbour Lending" });
    await expect(page.locator(".who-org")).toHaveText("Harbour Lending");

    const origins = card(page, "Embedding");
    await press(page, "Add origin");
    await expect(page.getByLabel("Origin 1", { exact: true })).toBeFocused();
    await type(page, "Origin 1", "https://app.example.com");
    await press(page, "Add origin");
    await press(page, "Add origin");
    await type(page, "Origin 3", "https://app.example.com/path");
    await origins.getByRole("button", { name: "Save", exact: true }).click();
    await expect(
      page.getByText("Origin 3 must be an exact origin such as https://app.example.com, without path or wildcard"),
    ).toBeVisible();
    await expect(page.getByLabel("Origin 3", { exact: true })).toBeFocused();
    await page.getByRole("link", { name: "Members" }).click();
    await expect(page.getByRole("alert").getByText("You have unsaved changes.")).toBeVisible();
    await press(page, "Stay here");
    await press(page, "Remove origin 3");
    await save(page, "Embedding");
    expect((await settings()).embed_origins).toEqual(["https://app.example.com"]);

    await page.getByLabel("Allowed addresses of members").fill("203.0.113.0/24");
    await card(page, "Security").getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(/^Allowed addresses of members cannot be checked: your address arrives as .* private/)).toBeVisible();
    await page.getByLabel("Allowed addresses of members").fill("");
    await page.getByLabel("Minimum identity of recipients").selectOption({ label: "Level 1: a code by e-mail" });
    await page.getByLabel("People whom your own application brings").selectOption({ label: "Ask them for the minimum too" });
    const limits = {
      "Days of grace": "14",
      "Remember browsers, in days": "30",
      "Sign out after minutes without use": "4",
      "Sign out after hours": "12",
      "Minimum length of new passwords": "15",
      "Maximum life of API keys, in days": "365",
    };
    for (const [label, value] of Object.entries(limits)) await card(page, "Security").getByLabel(label).fill(value);
    await card(page, "Security").getByLabel("Second factor", { exact: true }).selectOption("required");
    await card(page, "Security").getByRole("button", { name: "Save", exact: true }).click();
    await expect(card(page, "Security").getByText(/^Sign out after minutes without use must be/)).toBeVisible();
    await card(page, "Security").getByLabel("Sign out after minutes without use").fill("60");
    await card(page, "Security").getByRole("button", { name: "Save", exact: true }).click();
    await expect(card(page, "Security").getByRole("alert"), "the admin has none").toHaveText("You have no second factor. Add one first");
    await shootCard(page, "Security", "console-22-security-refused");
    await newApp(service, org.admin);
    await save(page, "Security");
    await shootCard(page, "Security", "console-22-security");
    expect((await org.admin("GET", "/org/security")).json.data).toMatchObject({
      second_factor: "required",
      grace_days: 14,
      remember_device_days: 30,
      idle_minutes: 60,
      max_hours: 12,
      min_password: 15,
      max_key_days: 365,
      min_identity_level: 1,
      embed_identity: "same",
      allowed_cidrs: [],
    });

    await type(page, "Minimum retention in days", "0");
    await card(page, "Vault").getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(/^Minimum retention in days must be/)).toBeVisible();
    await type(page, "Minimum retention in days", "3650");
    await page.getByLabel("Default custodian", { exact: true }).selectOption(ann.user_id);
    await page.getByLabel("Require an external time-stamp").check();
    await page.getByLabel("Show names on status pages").check();
    await save(page, "Vault");
    expect(await settings()).toMatchObject({
      name: "Harbour Lending",
      min_retention_days: 3650,
      default_custodian_user_id: ann.user_id,
      require_external_time: true,
      status_shows_parties: true,
    });
  });

  test("add, test and remove a system that audit entries are sent to; its secret is shown once, and its errors in words", async () => {
    const receiver = await startReceiver();
    const org = await service.newOrg("Example Company");
    const page = await console.open(org, "/settings");
    const exports = card(page, "Audit export");
    await expect(
      exports.getByText("Syslog has no receipts: if the connection breaks, up to one batch (500 entries) can be lost"),
    ).toBeVisible();
    await press(page, "Add system");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address", { exact: true }).fill("nowhere");
    await dialog.getByRole("button", { name: "Add system" }).click();
    await expect(dialog.getByText(/^Address must be/)).toBeVisible();
    await dialog.getByLabel("Address", { exact: true }).fill(receiver.url);
    await dialog.getByRole("button", { name: "Add system" }).click();
    const secret = (await page.locator(".secret code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("checkbox", { name: /stored/ }).check();
    await press(page, "Done");
    await expect(page.getByText(secret)).toHaveCount(0);
    await expect(exports.getByText("Nothing sent yet")).toBeVisible();
    await press(page, `Test ${receiver.url}`);
    await expect(exports.getByText("The system accepted a test line.")).toBeVisible();
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).type)).toEqual(["audit_sink.test"]);
    receiver.always(500);
    await press(page, `Test ${receiver.url}`);
    await expect(exports.getByText("The test line was not accepted. The system answered with status 500.")).toBeVisible();
    await advanceLog(service.features.log);
    await push(service.features.auditSinks);
    await page.reload();
    await expect(exports.getByText("Latest error: The system answered with status 500.")).toBeVisible();
    await expect(exports.getByText("Failing", { exact: true })).toBeVisible();
    await look(page, "desktop", "console-73-audit-export");
    await press(page, `Remove ${receiver.url}`);
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(exports.getByText("No systems. Audit entries stay in Countersign.")).toBeVisible();
    expect((await org.admin("GET", "/org/audit-sinks")).json.data).toEqual([]);
    await receiver.close();
  });

  testInAll(
    "of e-mails: a wrong time zone and an unknown placeholder are shown at their line; words are previewed, saved and restored",
    async () => {
      const org = await service.newOrg("Example Company");
      const page = await console.open(org, "/settings/mail");
      await title(page, "E-mails to signers").waitFor();
      await type(page, "Time zone", "Europe/Atlantis");
      await card(page, "Times, replies and files").getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByText("Time zone must be a time zone, such as Europe/Berlin")).toBeVisible();
      await type(page, "Time zone", "Europe/Berlin");
      await save(page, "Times, replies and files");
      const words = card(page, "Words of e-mails");
      await words.getByLabel("Subject").fill("Pay {{amount}}");
      await words.getByRole("button", { name: "Save", exact: true }).click();
      await expect(words.getByText(/^Subject \{\{amount\}\} is not a placeholder/)).toBeVisible();
      await words.getByLabel("Subject").fill("{{organization}} needs you: {{envelope_name}}");
      await words.getByRole("button", { name: "Preview", exact: true }).click();
      await expect(words.getByText("Example Company needs you: Service agreement")).toBeVisible();
      await words.getByRole("button", { name: "Save", exact: true }).click();
      await expect(words.getByLabel("E-mail", { exact: true })).toContainText("Invitation to sign (changed)");
      const texts = async () => (await org.admin("GET", "/org/mail-texts")).json.data.texts;
      expect(await texts()).toMatchObject([{ kind: "invitation", locale: "en", subject: "{{organization}} needs you: {{envelope_name}}" }]);
      await look(page, "desktop", "console-71-mail");
      await words.getByLabel("Subject").fill("");
      await words.getByRole("button", { name: "Save", exact: true }).click();
      await expect.poll(texts).toEqual([]);
      await expect(card(page, "Legal texts").getByText("Not read by a lawyer").first()).toBeVisible();
    },
  );

  testInAll("of the branding are previewed before they are saved, and unreadable colours are reported", async () => {
    const org = await service.newOrg("Example Company");
    for (const device of tourDevices) {
      const page = await console.open(org, "/settings", { device });
      const light = page.getByRole("figure").filter({ hasText: "Preview, light" });
      const dark = page.getByRole("figure").filter({ hasText: "Preview, dark" });
      await expect(light).toContainText("All text is readable");
      await look(page, device, "console-70-settings");
      await type(page, "Accent", "#0a5c36");
      await expect(light).toContainText("All text is readable");
      await expect(dark).toContainText(
        /Not used: Accent\. With the default “Text on accent” it has a contrast of [1-3]\.\d:1\. Readable text needs at least 4\.5:1\./,
      );
      await type(page, "Text", "#ffff0080");
      await expect(light).toContainText("Not used: Text. It must be an opaque colour");
      await type(page, "Text", "#cccccc");
      await expect(light).toContainText(/Not used: Text\. With the default “Background” it has a contrast of 1\.\d:1/);
      await page.getByLabel("Light or dark", { exact: true }).selectOption("light");
      await expect(dark).toHaveCount(0);
      await card(page, "Branding").getByRole("button", { name: "Save", exact: true }).click();
      await expect(
        page.getByText(/^Text has a contrast of 1\.\d:1 with the default “Background”\. Readable text needs at least 4\.5:1\.$/),
      ).toBeVisible();
      await expect(page.getByLabel("Text", { exact: true })).toBeFocused();
      await expect(card(page, "Branding").getByText(/^Saved\./)).toHaveCount(0);
      expect((await org.admin("GET", "/org/settings")).json.data.branding).toEqual({});
      await page
        .getByLabel("Logo", { exact: true })
        .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("GIF89a") });
      await expect(page.getByText("Logo must be a PNG")).toBeVisible();
      await page.getByLabel("Logo", { exact: true }).setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: png(80) });
      await expect(page.getByAltText("Current logo")).toBeVisible();
      await light.locator(".look-link").scrollIntoViewIfNeeded();
      await look(page, device, "console-71-branding");
      await type(page, "Text", "");
      await page.getByLabel("Corners", { exact: true }).selectOption("4px");
      await expect(light.locator(".look-button")).toHaveCSS("background-color", "rgb(10, 92, 54)");
      await expect(light.locator(".look-button")).toHaveCSS("border-radius", "4px");
      await save(page, "Branding");
      const { logo, ...saved } = (await org.admin("GET", "/org/settings")).json.data.branding;
      expect(saved).toEqual({ accent: "#0a5c36", radius: "4px", scheme: "light" });
      expect(Buffer.from(logo, "base64").readUInt32BE(16)).toBe(80);
      await press(page, "Remove logo");
      await page.getByLabel("Light or dark", { exact: true }).selectOption("auto");
      await save(page, "Branding");
      await expect(card(page, "Branding").getByText(/^Saved\. Pages in dark colours use the default for: .*Accent/)).toBeVisible();
      await type(page, "Accent", "");
      await page.getByLabel("Corners", { exact: true }).selectOption("10px");
      await save(page, "Branding");
      expect((await org.admin("GET", "/org/settings")).json.data.branding).toEqual({});
    }
  });
});

/** Buttons and inputs that are not 40 pixels high, or 32 inside rows and heads of cards. A button of two lines is higher. */
const OTHER_HEIGHTS = `[...document.querySelectorAll("main :is(.button:not(.quiet), .input:not(textarea, [type=file]))")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, Math.round(one.getBoundingClientRect().height)])
  .filter(([one, height]) => height > 1 && height !== (one.closest(".table, .card-head, .row-acts, .button.small") ? 32 : 40))
  .filter(([one, height]) => !(one.matches(".button") && height > 48))
  .map(([one, height]) => height + " " + one.outerHTML.slice(0, 120))`;

describe("roles", () => {
  testInAll("every menu entry and every link of the first screen leads somewhere, for each role", { timeout: 240_000 }, async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    await key.send("POST", "/partner/customers", { body: { name: "Ann" } });
    for (const role of ["custodian", "security_admin", "auditor", "viewer", "member", "admin"] as const) {
      const page = await console.open(org, "/", { as: await console.join(org, role) });
      const refused: string[] = [];
      page.on("response", (answer) => {
        if (answer.status() === 403 || answer.status() === 404) refused.push(`${role} ${page.url()}: ${answer.status()} ${answer.url()}`);
      });
      await page.locator("main h1").first().waitFor();
      const links: string[] = await page
        .locator("nav.menu a, main a[href^='/console']")
        .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
      expect(links.length, role).toBeGreaterThan(3);
      const otherHeights: string[] = [];
      for (const href of new Set(links)) {
        // A click loads only what the screen needs.
        const { pathname, search } = new URL(href);
        const inMenu = page.locator(`nav.menu a[href="${pathname}${search}"]`);
        if ((await inMenu.count()) === 1) await inMenu.click();
        else await page.goto(href);
        await page.waitForURL((url) => url.pathname === pathname);
        await page.locator("main h1").first().waitFor();
        await expect(page.locator(".skeleton, [aria-busy='true']")).toHaveCount(0);
        await expect(title(page, "Page not found"), `${role} ${href}`).toHaveCount(0);
        for (const one of await page.evaluate<string[]>(OTHER_HEIGHTS)) otherHeights.push(`${pathname}: ${one}`);
        // A screen that has nothing but the role that it needs is a dead end. Its list may still be on the way.
        const text = async () => (await page.locator("main").innerText()).replace(/\s+/g, " ");
        await expect
          .poll(text, { ...OFTEN, message: `${role} ${href}` })
          .not.toMatch(
            /^\S.{0,300}With the role [\w ]+ you cannot [^.]+\. An admin or a security admin can change your role under Members\.$/,
          );
      }
      await page.waitForLoadState("networkidle");
      expect(refused, role).toEqual([]);
      expect(otherHeights, "one height of controls").toEqual([]);
      const menu = await page.locator("nav.menu a").allInnerTexts();
      expect(menu.includes("Activity"), role).toBe(["security_admin", "auditor", "admin"].includes(role));
      expect(menu.includes("API keys"), role).toBe(role === "admin");
      expect(menu.includes("Envelopes"), role).toBe(role !== "custodian" && role !== "security_admin");
      expect(menu.includes("Settings"), role).toBe(role !== "custodian");
    }
  });

  test("a role that is taken away while a screen is open: the next action says so, and the menu and the buttons follow", async () => {
    const org = await service.newOrg("Example Company");
    const sam = await console.join(org, "admin", "Sam Sample");
    const page = await console.open(org, "/customers", { as: sam });
    const menu = page.getByRole("navigation", { name: "Console" });
    await expect(menu.getByRole("link", { name: "Activity" })).toBeVisible();
    await press(page, "New customer");
    await type(page, "Name", "Ann");
    await org.admin("PATCH", `/org/members/${sam.user_id}`, { body: { role: "viewer" } });
    await press(page, "Add customer");
    await expect(page.getByText(/Your role is viewer\. An admin or a security admin can change it under Members\./).first()).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ann");
    await press(page, "Cancel");
    await expect(menu.getByRole("link", { name: "Activity" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "New customer" })).toHaveCount(0);
    await expect(page.getByText("you cannot add or edit customers.")).toBeVisible();
  });
});

describe("a refusal that no field of a form shows", () => {
  test("is a sentence that says what is wrong, or a list of them", async () => {
    const org = await service.newOrg("Example Company");
    const page = await console.open(org, "/vault?state=lost");
    const alert = page.getByRole("alert");
    await expect(alert.getByText(/^State must be one of: active, escrowed, .*\.$/)).toBeVisible();
    await expect(page.getByText(/Validation failed|Reference req_/)).toHaveCount(0);
    await page.goto(`${console.url}/console/vault?state=lost&passed=maybe`);
    await expect(alert.getByText("This was not accepted. Check what you entered.")).toBeVisible();
    await expect(alert.getByRole("listitem")).toHaveText([/^State must be one of: /, /^Passed must be one of: true, false\.$/]);
    await expect(page.getByText(/Validation failed|Reference req_/)).toHaveCount(0);
  });

  test("names the role only if it is because of the role", async () => {
    const org = await service.newOrg("Example Company");
    const guard = await console.join(org, "security_admin", "Gail Guard");
    const page = await console.open(org, "/members", { as: guard });
    await expect(page.getByText("Gail Guard, security admin")).toBeVisible();
    await service.database.owner(
      "insert into org_security (org_id, allowed_cidrs) values ($1, '{192.0.2.0/24}') on conflict (org_id) do update set allowed_cidrs = excluded.allowed_cidrs",
      [org.org_id],
    );
    const away = await console.visit("/login");
    await signIn(away, org.email, PASSWORD);
    await expect(away.getByRole("alert")).toContainText("Your organization does not allow log-ins from this address");
    await expect(away.getByText(/Your role is/)).toHaveCount(0);
  });
});

describe("activity", () => {
  test("has a label for every type of entry", () => {
    expect(Object.keys(auditWords).sort()).toEqual([...auditTypes].sort());
  });

  test("shows what was done, by whom and when, with the number and hash of the entry, page by page", async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    await console.join(org, "member", "Sam Sample");
    await org.admin("POST", "/org/invitations", { body: { email: "new@example.com", role: "viewer" } });
    await key.send("POST", "/partner/customers", { body: { name: "Ann", client_id: "C-1" } });
    for (let more = 0; more < 20; more++) await org.admin("PATCH", "/org/settings", { body: { min_retention_days: 100 + more } });
    const { data, meta } = (await org.admin("GET", "/org/audit-trail?limit=100")).json;
    for (const device of tourDevices) {
      const page = await console.open(org, "/activity", { device });
      await expect(row(page, "Settings changed").first()).toContainText("minimum retention");
      await look(page, device, "console-72-activity");
      await press(page, "Next");
      await expect(row(page, "Member invited")).toContainText("new@example.com, as viewer");
      const added = data.find((one: { type: string }) => one.type === "customer.created");
      await expect(row(page, "Customer added")).toContainText(`${added.seq} ${added.hash.slice(0, 16)}`);
      await expect(row(page, "Customer added")).toContainText(`${added.at.slice(0, 19).replace("T", " ")} UTC`);
      await expect(row(page, "Customer added").getByRole("link", { name: /^API key: ./ })).toHaveAttribute(
        "href",
        `/console/keys/${key.key_id}`,
      );
      await row(page, "Customer added").locator("summary").click();
      await expect(row(page, "Customer added").locator("pre")).toContainText(added.hash);
      await expect(row(page, "Organization created")).toContainText("Example Company");
      // Opening the window adds an entry for the sign-in.
      await expect(page.getByText(/^21–\d+ of \d+$/)).toBeVisible();
    }
    expect(meta.total).toBeGreaterThan(20);

    const page = await console.open(org, "/activity?page=2");
    await page.getByLabel("What", { exact: true }).selectOption("Customer added");
    await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
    await page.getByLabel("Person", { exact: true }).selectOption({ label: "Sam Sample" });
    await expect(title2(page, "No matching entries")).toBeVisible();
    await page.goBack();
    await expect(row(page, "Customer added")).toBeVisible();
    expect(page.url()).toMatch(/\/activity\?type=customer\.created$/);
    await press(page, "Clear filters");
    await expect(row(page, "Settings changed").first()).toBeVisible();
    await page.getByLabel("From", { exact: true }).fill("2100-01-01");
    await expect(title2(page, "No matching entries")).toBeVisible();
  });
});

/** Every job whose payload names an organization: one that is missing here does not compile. */
type Task = { [N in JobName]: Jobs[N] extends { readonly org_id: OrgId } ? N : never }[JobName];

describe("work that failed", () => {
  test("has words for every job of an organization", () => {
    const tasks: Readonly<Record<Task, string>> = problemWords.tasks;
    expect(Object.keys(jobHandlers(service.features))).toEqual(expect.arrayContaining(Object.keys(tasks)));
  });

  let queue: pg.Pool;
  beforeAll(() => {
    queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 1 });
  });
  afterAll(() => queue.end());

  test("is counted in the menu, shown on its envelope, and tried again", async () => {
    const org = await service.newOrg("Example Company");
    const { envelope_id } = await sentEnvelope(service, org);
    // Not due, so the worker leaves it alone until it has failed for good.
    const { owner } = service.database;
    const payload = JSON.stringify({ org_id: org.org_id, envelope_id });
    await owner("select graphile_worker.add_job('signing.draw-pages', $1::json, run_at => now() + interval '1 hour')", [payload]);
    await owner(
      "update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'PdfBusy: busy' where payload ->> 'envelope_id' = $1",
      [envelope_id],
    );
    await noteFailedJobs(queue, 6);
    const page = await console.open(org, "/problems");
    await expect(page.getByRole("link", { name: "Failed jobs 1 failed" })).toBeVisible();
    await expect(row(page, "Prepare the pages for the signers")).toContainText("Processing the document took too long.");
    await look(page, "desktop", "console-74-problems");
    await page.getByRole("link", { name: "Lease" }).click();
    const banner = page.getByRole("status").filter({ hasText: "Prepare the pages for the signers." });
    await expect(banner).toContainText("This did not work and is not tried any more. Processing the document took too long.");
    await press(page, "Try again: Prepare the pages for the signers");
    await expect(page.getByText("A worker tries it again within seconds.")).toBeVisible();
    // The worker does the same at its next heartbeat.
    await noteFailedJobs(queue, 6);
    await jobsDone(service);
    await noteFailedJobs(queue, 6);
    await expect(banner).toHaveCount(0);
    expect((await org.admin("GET", "/org/problems?state=resolved")).json.data).toMatchObject([{ envelope_id, task: "signing.draw-pages" }]);
    await expect(page.getByRole("link", { name: "Failed jobs", exact: true })).toBeVisible();
  });
});

describe("the evidence log", () => {
  test("shows every member its checkpoint, its witnesses and the installation's keys, and raises the alarm after a conflict", async () => {
    const org = await service.newOrg("Example Company");
    const viewer = await console.join(org, "viewer", "Vera Viewer");
    const { log, seals } = service.features;
    const read = async () => (await org.admin("GET", "/org/transparency")).json.data;
    await advanceLog(log);
    const key = readVkey((await read()).vkeys[0]);
    if (key !== null) witnesses.logs.push(key);
    witnesses.answer(null);
    await askWitnesses(log);
    await rotateKey(seals, { purpose: "records", record: async () => undefined });
    await rotateKey(seals, { purpose: "log", record: async () => undefined });
    const { origin, root_sha256 } = await read();
    for (const device of tourDevices) {
      const page = await console.open(org, "/evidence-log", { as: viewer, device });
      await expect(card(page, "Log")).toContainText(origin);
      // The worker may have signed a later checkpoint meanwhile.
      await expect(card(page, "Log")).toContainText(/[1-9][\d,]* entries, signed (just now|\d+ minutes? ago)/);
      await expect(card(page, "Log").getByRole("link", { name: `${console.url}/log/checkpoint` })).toBeVisible();
      await expect(row(page, witnesses.names.real)).toContainText("Cosigned");
      await expect(row(page, witnesses.names.scripted)).toContainText("It could not be reached");
      await expect(card(page, "Keys of this installation")).toContainText(root_sha256);
      await expect(row(page, "Issues seal certificates")).toContainText(/In use.*certificate expires/);
      await expect(row(page, "Signs checkpoints").first()).toContainText(/2In use/);
      await expect(row(page, "Signs checkpoints").last()).toContainText(/1Replaced/);
      await expect(row(page, "Signs the notes").last()).toContainText(/1Being replaced/);
      await expect(page.getByRole("alert")).toHaveCount(0);
      await look(page, device, "console-77-evidence-log");
    }
    witnesses.answer(422);
    await askWitnesses(log);
    for (const device of tourDevices) {
      const page = await console.open(org, "/evidence-log", { as: viewer, device });
      const alarm = page.getByRole("alert");
      await expect(alarm).toContainText("Fork alarm: a witness has seen another history");
      await expect(alarm).toContainText("Our proof does not fit what the witness has seen");
      await expect(alarm).toContainText("countersign log show");
      await expect(row(page, witnesses.names.scripted)).toContainText("Conflict");
      await look(page, device, "console-78-fork-alarm");
      for (const path of ["/", "/vault"]) {
        await page.goto(`${console.url}/console${path}`);
        await expect(page.getByRole("alert")).toContainText(`Fork alarm. The witness ${witnesses.names.scripted} refused`);
        await look(page, device, path === "/" ? "console-79-home-alarm" : "console-79-vault-alarm");
      }
      await page.getByRole("link", { name: "See what to do" }).click();
      await title(page, "Evidence log").waitFor();
    }
  });
});

describe("the account screen", () => {
  test("changes name and language, lists browsers and sessions and ends one; a new password ends all of them", async () => {
    const org = await service.newOrg("Example Company");
    const other = await console.open(org, "/members");
    const page = await console.visit("/account");
    await signIn(page, org.email, PASSWORD);
    await expect(row(page, "This session")).toContainText(/Chrome on \w+/);
    await expect(row(page, "This session")).toContainText("127.0.0.1");
    const sessions = async () => (await org.admin("GET", "/auth/sessions")).json.data;
    const before = (await sessions()).length;
    await look(page, "desktop", "console-73-account");
    await type(page, "Name", "Ann Other");
    await page.getByLabel("Language of documents to sign", { exact: true }).selectOption("Deutsch");
    await press(page, "Save");
    await expect(page.getByText("Your details are saved.")).toBeVisible();
    expect((await org.admin("GET", "/auth/me")).json.data).toMatchObject({ user: { name: "Ann Other" }, locale: "de" });
    const known = page.getByRole("table", { name: "Browsers that your account knows" });
    await expect(known.getByRole("row").filter({ hasText: "This browser" })).toContainText("127.0.0.1");
    await known.getByRole("row").filter({ hasText: "This browser" }).getByRole("button").click();
    await press(page, "Forget");
    await expect(page.getByText(/^Chrome on \w+ is forgotten\.$/)).toBeVisible();
    // Not a browser, so its user agent is not recognized.
    await press(page, "End session: Other program, 127.0.0.1");
    await press(page, "End session");
    await expect(page.getByText("Session ended: Other program, 127.0.0.1.")).toBeVisible();
    expect(await sessions()).toHaveLength(before - 1);
    await other.reload();
    await title(other, "Log in").waitFor();

    await type(page, "Current password", "not the password");
    await type(page, "New password", "seven green kettles hum");
    await press(page, "Change password");
    await expect(page.getByText("Current password is not your password")).toBeVisible();
    await type(page, "Current password", PASSWORD);
    await press(page, "Change password");
    await expect(page.getByText("You are signed out everywhere, including here.")).toBeVisible();
    expect((await org.admin("GET", "/auth/me")).status).toBe(401);
    await press(page, "Log in again");
    await signIn(page, org.email, "seven green kettles hum");
    await page.getByRole("navigation", { name: "Console" }).waitFor();
  });

  testInAll("and the lists of members and invitations are accessible, also on a phone", async () => {
    const org = await service.newOrg("Example Company");
    const guard = await console.open(org, "/account", { as: await console.join(org, "security_admin", "Kim Guard") });
    await expect(guard.getByRole("definition").filter({ hasText: "security admin" }), "roles in words").toBeVisible();
    await expect(guard.getByText("Kim Guard, security admin")).toBeVisible();
    await expect(guard.getByText("security_admin")).toHaveCount(0);
    await console.join(org, "member", "Sam Sample");
    await console.join(org, "viewer", "Ann Example");
    for (const email of ["new@example.com", "someone.with.a.long.address@example.com"]) {
      await org.admin("POST", "/org/invitations", { body: { email, role: "member" } });
    }
    for (const device of tourDevices) {
      const page = await console.open(org, "/members", { device });
      await expect(row(page, "new@example.com")).toContainText("Pending");
      await look(page, device, "console-74-members");
      await choose(page, "Ann Example", "Change role");
      await lookAtDialog(page, device, "console-75-role");
      await press(page, "Cancel");
      await press(page, "Invite member");
      await type(page, "E-mail address", `${device}@example.com`);
      await press(page, "Invite");
      await title(page, `${device}@example.com is invited`).waitFor();
      await lookAtDialog(page, device, "console-76-invited");
    }
  });

  testInAll("of a member whose session an admin ends asks for a log-in at the next click", async () => {
    const org = await service.newOrg("Example Company");
    const ann = await console.join(org, "member", "Ann Example");
    const page = await console.open(org, "/members");
    const hers = await console.open(org, "/customers", { as: ann });
    await title(hers, "Customers").waitFor();
    await press(page, "Actions for Ann Example");
    await page.getByRole("menuitem", { name: "Sessions" }).click();
    await page.getByRole("button", { name: /^End session in / }).waitFor();
    await lookAtDialog(page, "desktop", "console-80-member-sessions");
    await page.getByRole("button", { name: /^End session in / }).click();
    await expect(page.getByText("No open sessions.")).toBeVisible();
    await lookAtDialog(page, "desktop", "console-81-member-sessions-ended");
    await hers.getByRole("button", { name: "New customer" }).first().click();
    await type(hers, "Name", "Sam Sample");
    await press(hers, "Add customer");
    await title(hers, "Your session has ended").waitFor();
    await look(hers, "desktop", "console-82-session-ended");
  });
});
