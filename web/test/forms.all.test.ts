import { afterAll, beforeAll, describe } from "vitest";
import { newForm } from "../../server/test/forms.ts";
import { jobsDone } from "../../server/test/jobs.ts";
import { leasePdf, landlord as sam } from "../../server/test/lease.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { startSmtpPeer } from "../../server/test/smtp.ts";
import { addAxe } from "./axe.ts";
import { type Device, expect, fail, newContext, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { adoptTyped, button, firstPageThere, title } from "./person.ts";
import { look as lookAt } from "./screens.ts";
import { de, en } from "./words.ts";

/** The page of a public form, from the address on a poster to the signed document. */

const inbox = await startSmtpPeer();
afterAll(() => inbox.stop());
const console = await testConsole({ SMTP_URL: inbox.url, FORM_STARTS_PER_IP_HOUR: "100" });
const { service } = console;
const landlord = { kind: "signer", ...sam };
let org: TestOrg;

beforeAll(async () => {
  org = await service.newOrg("Northside School");
});

async function open(address: string, device: Device, locale?: string): Promise<Page> {
  const context = await newContext(console.origins, { device, ...(locale !== undefined && { locale }) });
  await addAxe(context);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Accessibility in light and dark, and no horizontal scrolling at 320 px. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth"), `${name} at 320 px`).toBe(320);
  await page.setViewportSize(size);
}

async function mailedLink(email: string): Promise<string> {
  await jobsDone(service);
  const mail = inbox.messages.filter(({ to, text }) => to.includes(email) && text?.includes("/f/")).at(-1);
  return /http:\/\/\S+\/f\/\S+#c=[0-9a-f]{32}/.exec(mail?.text ?? "")?.[0] ?? fail(`no link was mailed to ${email}`);
}

describe("a visitor", () => {
  test("on a phone enters an address, opens the mailed link and signs", async () => {
    const { url } = await newForm(org, { success_text: "Thank you.\nThe trip begins on Friday at 8." });
    const page = await open(url, "phone");
    await expect(title(page, "Photo consent")).toBeVisible();
    await look(page, "phone", "form-start");
    await button(page, "Send link").tap();
    await expect(page.getByText("Enter your name.")).toBeVisible();
    await expect(page.getByLabel("Your name")).toBeFocused();
    await page.getByLabel("Your name").fill("Ann Lee");
    await page.getByLabel("Your e-mail address").fill("ann");
    await button(page, "Send link").tap();
    await expect(page.getByText("Enter an e-mail address such as")).toBeVisible();
    await look(page, "phone", "form-mistake");
    await page.getByLabel("Your e-mail address").fill("ann@example.com");
    await button(page, "Send link").tap();
    await expect(title(page, "Check your e-mail")).toBeFocused();
    await look(page, "phone", "form-sent");

    const link = await mailedLink("ann@example.com");
    await page.goto(link);
    await page.reload();
    await expect(title(page, "Open your document")).toBeVisible();
    expect(page.url()).not.toContain("#");
    await look(page, "phone", "form-confirm");
    await button(page, "Open document").tap();

    await firstPageThere(page);
    await page.getByRole("checkbox", { name: en.consentBox }).tap();
    await button(page, en.continue).tap();
    await button(page, en.editField("Child", 1)).tap();
    await page.getByRole("textbox", { name: "Child" }).fill("Tim");
    await button(page, en.signField("Signature", 1)).tap();
    await adoptTyped(page, "signature", "Ann Lee");
    await expect(title(page, en.reviewTitle)).toBeVisible();
    await button(page, en.sign).tap();
    await expect(page.getByText("The trip begins on Friday at 8.")).toBeVisible();
    await look(page, "phone", "form-signed");
  });

  test("reads German by the browser's language and by keyboard opens a form without verification", async () => {
    const { url } = await newForm(org, { verify_email: false });
    const page = await open(url, "desktop", "de-CH");
    await look(page, "desktop", "form-start-de");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Ann Lee");
    await page.keyboard.press("Tab");
    await page.keyboard.type("ann@example.com");
    await page.keyboard.press("Enter");
    await expect(title(page, de.consentTitle)).toBeVisible();
  });

  test("of a form that is not open, or with an old link, reads so", async () => {
    const { url, form_id, slug } = await newForm(org);
    const old = await open(`${url}#c=${slug}`, "phone");
    await button(old, "Open document").tap();
    await expect(title(old, "This link is no longer valid")).toBeFocused();
    await look(old, "phone", "form-expired");
    await button(old, "Start again").tap();
    await expect(title(old, "Photo consent")).toBeVisible();
    await org.admin("POST", `/partner/forms/${form_id}/pause`);
    await old.getByLabel("Your name").fill("Ann Lee");
    await old.getByLabel("Your e-mail address").fill("ann@example.com");
    await button(old, "Send link").tap();
    await expect(title(old, "This form is not open.")).toBeFocused();
    const page = await open(url, "phone");
    await expect(title(page, "This form is not open.")).toBeVisible();
    await look(page, "phone", "form-closed");
  });
});

test("pages of paused and unknown forms are the same bytes, with the policy of the signing page and no frames", async () => {
  const { url, form_id, slug } = await newForm(org);
  await org.admin("POST", `/partner/forms/${form_id}/pause`);
  const [paused, unknown, wrong] = await Promise.all(
    [url, url.replace(slug, "0".repeat(32)), url.replace(slug, "x")].map((one) => fetch(one)),
  );
  if (paused === undefined || unknown === undefined || wrong === undefined) fail("no answers");
  expect([paused.status, unknown.status, wrong.status]).toEqual([404, 404, 404]);
  const texts = await Promise.all([paused.text(), unknown.text(), wrong.text()]);
  expect(new Set(texts).size).toBe(1);
  const policy = paused.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
});

describe("in the console", () => {
  test.each(["desktop", "phone"] as const)("a member makes a form of a template, changes and pauses it, on %s", async (device) => {
    const { template_id } = await newForm(org, { recipients: [landlord] }, leasePdf);
    const page = await console.open(org, "/forms", { device });
    const making = page.getByRole("dialog", { name: "New public form" });
    await button(page, "New form").click();
    await making.getByLabel("Template").selectOption(template_id);
    await expect(making.getByLabel("Visitors sign as")).toHaveValue("Tenant");
    await button(making, "Cancel").click();
    await expect(making).toHaveCount(0);
    await page.goto(`${console.url}/console/templates/${template_id}`);
    await page.getByRole("link", { name: "Public link" }).click();
    await expect(making.getByLabel("Visitors sign as")).toHaveValue("Tenant");
    await look(page, device, "console-form-new");
    await button(making, "Create form").click();
    await expect(making.getByText("E-mail address must be an e-mail address")).toBeVisible();
    await making.getByLabel("Name").last().fill("Sam Sample");
    await making.getByRole("textbox", { name: "E-mail address" }).fill("sam@example.com");
    await button(making, "Create form").click();

    await expect(page.getByText("Form created. Copy its address and publish it.")).toBeVisible();
    const url = (await page.locator(".form-address").textContent()) ?? "";
    expect(url).toMatch(new RegExp(`^${console.embedUrl}/f/[0-9a-f]{32}$`));
    await look(page, device, "console-form");
    await page.getByLabel("Envelopes in 24 hours").fill("7");
    await page.getByLabel("Closes at").fill("2030-01-31T18:00");
    await page.getByLabel("Text after signing").fill("Thank you.");
    await button(page, "Add person").click();
    await page.getByRole("group", { name: "Person 2" }).getByLabel("Name").fill("Office");
    await page.getByRole("group", { name: "Office" }).getByLabel("E-mail address").fill("office@example.com");
    await button(page, "Save settings").click();
    await expect(page.getByText("Settings saved.")).toBeVisible();
    const { data } = (await org.admin("GET", `/partner/forms/${page.url().split("/").at(-1)}`)).json;
    expect(data.settings).toMatchObject({ max_per_day: 7, success_text: "Thank you.", visitor_role: "Tenant" });
    expect(data.settings.recipients.map(({ kind, email }: { kind: string; email: string }) => [kind, email])).toEqual([
      ["signer", "sam@example.com"],
      ["cc", "office@example.com"],
    ]);
    await button(page, "Pause").click();
    await expect(page.getByText("Form paused.")).toBeVisible();
    expect((await fetch(url)).status).toBe(404);
    await button(page, "Resume").click();
    await expect(page.getByText("Form resumed.")).toBeVisible();
    const form_id = page.url().split("/").at(-1);
    await org.admin("PATCH", `/partner/forms/${form_id}`, { body: { settings: { closes_at: "2026-01-01T00:00:00Z" } } });
    await page.reload();
    await expect(page.getByText("its last day is over. Choose a later one below to open it again.", { exact: false })).toBeVisible();
    await org.admin("PATCH", `/partner/forms/${form_id}`, { body: { settings: { closes_at: null } } });
    const field = {
      name: "Ben",
      type: "signature",
      role: "Other",
      placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }] },
    };
    expect((await org.admin("POST", `/partner/templates/${template_id}/fields`, { body: { fields: [field] } })).status).toBe(200);
    await page.reload();
    await expect(
      page.getByText("its template is archived, or has changed so that no envelope could be sent.", { exact: false }),
    ).toBeVisible();
    await button(page, "Save settings").click();
    await expect(
      page
        .getByText(/\bOther\b/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Public forms" }).click();
    await expect(title(page, "Public forms")).toBeVisible();
    await look(page, device, "console-forms");
  });

  test("a viewer sees forms and changes nothing", async () => {
    const { form_id } = await newForm(org);
    const viewer = await console.join(org, "viewer");
    const page = await console.open(org, `/forms/${form_id}`, { as: viewer });
    await expect(page.getByText("you cannot create or change public forms.")).toBeVisible();
    await expect(page.getByLabel("Envelopes in 24 hours")).toBeDisabled();
    await expect(button(page, "Pause")).toHaveCount(0);
    await look(page, "desktop", "console-form-viewer");
  });
});
