import { beforeAll } from "vitest";
import { tellSender } from "../../server/src/envelopes/notify.ts";
import { declinedForSender } from "../../server/src/mail/messages/to-sender.ts";
import { newId } from "../../server/src/shared/ids.ts";
import { signAll } from "../../server/test/ceremony.ts";
import { failedDelivery, newEndpoint } from "../../server/test/deliveries.ts";
import { sentEnvelope } from "../../server/test/envelopes.ts";
import { jobsDone } from "../../server/test/jobs.ts";
import { leasePdf, newEnvelope, newTemplate, tenant } from "../../server/test/lease.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { vaultedCopy } from "../../server/test/vaulted.ts";
import { expect, type Page, test, testInAll, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look, tourDevices } from "./screens.ts";

/** The home screen: first steps for a new organization, statistics later. */

const console = await testConsole();
const { service } = console;

let org: TestOrg;
beforeAll(async () => {
  org = await service.newOrg("Example Company");
});

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
/** Names of months and days that are not English, and 18.11.2026. */
const GERMAN =
  /\b(Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Okt|Dez|(Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch)\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b/;
const card = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

test("a new organization sends its own document first, or a sample that it signs and that passes all eight checks", async () => {
  const page = await console.open(org, "/");
  const first = card(page, "Send your own document");
  await expect(first.getByLabel("Your document")).toBeVisible();
  for (const device of tourDevices) {
    const welcomed = await console.open(org, "/welcome", { device });
    await title(welcomed, /^Welcome, Admin/).waitFor();
    await expect(welcomed.getByText("0 of 3 done")).toBeVisible();
    await look(welcomed, device, "console-home-01-welcome");
  }
  await first.getByLabel("Your document").setInputFiles({ name: "Lease.pdf", mimeType: "application/pdf", buffer: Buffer.from(leasePdf) });
  await expect(page).toHaveURL(/\/console\/envelopes\/new$/);
  await expect(page.getByLabel("Envelope name")).toHaveValue("Lease");
  await expect(page.getByText(/^Lease\.pdf, /)).toBeVisible();
  await org.newKey();
  await newEndpoint(org, { url: "http://localhost:4000/" }, { enabled: false });
  await page.goto(`${console.url}/console/welcome`);
  await expect(card(page, "For developers").getByText("Done", { exact: true })).toHaveCount(2);
  await page.getByRole("button", { name: "Try it with a sample first" }).click();
  await expect(page).toHaveURL(/\/console\/envelopes\/env_[0-9a-z]{26}\/prepare\?step=review$/);
  await title(page, "Prepare Sample agreement").waitFor();
  await expect(page.getByText(/of 100|not shown/i), "no wall of checks in a draft").toHaveCount(0);
  const [, envelope_id] = /(env_[0-9a-z]{26})/.exec(page.url()) ?? [];
  const at = `/partner/envelopes/${envelope_id}`;
  const { fields } = (await org.admin("GET", `${at}/fields`)).json.data;
  expect(fields).toMatchObject([
    { name: "Name", type: "text", role: "Signer" },
    { name: "Date", type: "date", role: "Signer" },
    { name: "Signature", type: "signature", role: "Signer" },
  ]);
  // Sent by the sender who signs: their own page opens.
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.waitForURL((url) => url.origin === console.embedUrl);
  await signAll(service, org, envelope_id ?? "", [[org.email, { Name: "Admin", Date: "2026-11-18" }]]);
  await jobsDone(service);
  const certification = { accepted: true, terms_version: "2026-01" };
  expect((await org.admin("POST", `${at}/vault-in-signed`, { body: { certification } })).status).toBeLessThan(300);
  await jobsDone(service);
  expect((await org.admin("GET", `${at}/compliance`)).json.data).toMatchObject({ score: 100 });
  await page.goto(`${console.url}/console/`);
  await expect(page.getByRole("link", { name: /^0 ?Waiting for you/ })).toHaveText(/Nothing$/);
  await expect(card(page, "Webhooks"), "no empty chart").toContainText("Nothing in this time.");
  await expect(card(page, "Webhooks").locator("svg")).toHaveCount(0);
  // The document that was just completed, with its file, and the vault that holds it.
  const { user: person } = (await org.admin("GET", "/auth/me")).json.data;
  const completed = card(page, "Just completed");
  await expect(completed.getByRole("link", { name: "Sample agreement" })).toHaveAttribute("href", `/console/envelopes/${envelope_id}`);
  await expect(completed.getByRole("listitem")).toContainText(`${person.name}, `);
  const saving = page.waitForEvent("download");
  await completed.getByRole("button", { name: "Download Sample agreement" }).click();
  expect((await saving).suggestedFilename()).toBe("Sample agreement – copy.pdf");
  const vault = card(page, "Vault");
  await expect(vault.getByRole("link", { name: "1 document" })).toHaveAttribute("href", "/console/vault");
  await expect(vault.getByRole("link", { name: "Attested 1" })).toHaveAttribute("href", "/console/vault?standing=attested");
  await expect(vault.getByRole("link")).toHaveCount(2);
  // Damaged data is said first, and what has left is not shown as held.
  const set = (change: string) => service.database.owner(`update authoritative_copies set ${change} where envelope_id = $1`, [envelope_id]);
  await set("state = 'tampered', state_before_tamper = 'active'");
  await page.reload();
  await expect(vault.getByRole("link", { name: "1 document has changed since it was sealed" })).toHaveAttribute(
    "href",
    "/console/vault?state=tampered",
  );
  await completed.getByRole("button", { name: "Download Sample agreement" }).click();
  await expect(completed.getByRole("alert")).toBeVisible();
  await set("state = 'exported', state_before_tamper = null, standing = 'left'");
  await page.reload();
  await expect(vault.getByText("The vault holds no originals now.")).toBeVisible();
  await expect(vault.getByRole("link", { name: "Left the vault 1" })).toBeVisible();
});

test("the last cards of Home wait for what needs attention; one that fails says so and is loaded again", async () => {
  const page = await console.open(org, "/customers");
  await title(page, "Customers").waitFor();
  watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked: string[] = [];
  await page.route(/\/org\/(attention|latest-completed|vault-statistics)$/, async (route) => {
    const [name = ""] = new URL(route.request().url()).pathname.split("/").slice(-1);
    asked.push(name);
    if (name === "attention") await released;
    // The first answer of one card is lost.
    if (name === "latest-completed" && asked.filter((one) => one === name).length === 1) return route.abort("connectionreset");
    return route.fallback();
  });
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Home" }).click();
  await card(page, "All envelopes by status").waitFor();
  expect(asked).toEqual(["attention"]);
  release();
  const completed = card(page, "Just completed");
  await expect(completed.getByRole("alert")).toContainText("Countersign is not responding.");
  await expect(card(page, "Vault").getByRole("link").first()).toBeVisible();
  await completed.getByRole("button", { name: "Try again" }).click();
  await expect(completed.getByRole("link", { name: "Sample agreement" })).toBeVisible();
  await expect(completed.getByRole("alert")).toHaveCount(0);
});

testInAll("home shows envelopes by status, what needs attention, time to sign and webhooks for the period in the address", async () => {
  const [{ endpoint_id }] = (await org.admin("GET", "/webhooks/endpoints")).json.data;
  await fillOrg(endpoint_id);
  const statistics = async (days: number) => (await org.admin("GET", `/org/statistics?days=${days}`)).json.data;
  const page = await console.open(org, "/");
  const byDay = page.getByRole("table", { name: /^Envelopes created, completed/ });
  await expect(byDay.getByRole("row")).toHaveCount(31);
  const { by_status, days, time_to_sign } = await statistics(30);
  expect(days.at(-1).created).toBeGreaterThan(0);
  await expect(byDay.getByRole("row").last().getByRole("cell").first()).toHaveText(String(days.at(-1).created));
  await expect(page.getByRole("link", { name: `Declined ${by_status.declined}` })).toHaveAttribute(
    "href",
    "/console/envelopes?status=declined",
  );
  expect(time_to_sign.count).toBeGreaterThan(0);
  await expect(card(page, "Last 30 days")).toContainText("Median time to sign");
  const drafts = by_status.pending + by_status.uploaded + by_status.preparing;
  expect(drafts).toBeGreaterThan(0);
  await expect(card(page, "All envelopes by status").getByRole("link", { name: `Draft ${drafts}` })).toBeVisible();
  await expect(page.getByRole("link", { name: new RegExp(`^${drafts} ?Drafts`) })).toHaveAttribute(
    "href",
    "/console/envelopes?stage=draft",
  );
  await expect(page.getByRole("link", { name: new RegExp(`^${by_status.sent + by_status.viewed} ?Waiting for others`) })).toBeVisible();
  const latest = (await org.admin("GET", "/org/latest-completed")).json.data.items;
  expect(latest).toHaveLength(5);
  await expect(card(page, "Just completed").getByRole("link").nth(1)).toHaveAttribute(
    "href",
    `/console/envelopes/${latest[0].envelope_id}`,
  );
  await expect(card(page, "Just completed").getByRole("listitem")).toHaveCount(5);
  const declined = days.reduce((sum: number, day: { declined: number }) => sum + day.declined, 0);
  await expect(card(page, "Needs attention")).toContainText(`${declined} envelopes declined in the last 30 days`);
  await expect(page.getByRole("link", { name: /^0 ?Need a fix/ })).toBeVisible();
  // An endpoint that fails needs someone too, whatever becomes of its deliveries.
  await service.database.owner(
    "update webhook_endpoints set disabled_reason = 'failing', failing_since = now() - interval '5 days' where endpoint_id = $1",
    [endpoint_id],
  );
  // More people than a line shows.
  const people = Array.from({ length: 7 }, (_, n) => ({ kind: "cc", name: `Reader ${n}`, email: `reader${n}@example.com` }));
  const body = { envelope_name: "Minutes", customer_email: "ann@example.com", customer_name: "Ann", recipients: people };
  expect((await org.admin("POST", "/partner/envelopes", { body })).status).toBe(201);
  await page.reload();
  await expect(card(page, "Needs attention").getByRole("listitem").filter({ hasText: "Minutes" })).toContainText("Draft, 7 recipients.");
  await expect(page.getByRole("link", { name: /^1 ?Need a fix ?1 failing endpoint$/ })).toBeVisible();
  await expect(card(page, "Needs attention").getByRole("link", { name: "Open: 1 webhook endpoint is failing" })).toHaveAttribute(
    "href",
    "/console/webhooks",
  );
  await page.getByRole("button", { name: "7 days" }).click();
  await expect(page).toHaveURL(/\?days=7$/);
  await expect(byDay.getByRole("row")).toHaveCount(8);
  await page.reload();
  await expect(page.getByRole("button", { name: "7 days" })).toHaveAttribute("aria-pressed", "true");
  // The limit of requests stops all parts of the screen. It is said once, and one button loads them all.
  await service.database.owner("update quotas set counts = array(select n * 1000 from unnest(counts) n) where subject = $1", [
    `user:${org.user_id}`,
  ]);
  await page.reload();
  await expect(page.getByText("Rate limit exceeded")).toHaveCount(1);
  await service.database.owner("delete from quotas where subject = $1", [`user:${org.user_id}`]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(byDay.getByRole("row")).toHaveCount(8);
  await expect(card(page, "Needs attention")).toBeVisible();
  // Dates are in the language of the sentences around them, whatever the browser's language is.
  const german = await console.open(org, "/", { locale: "de-DE" });
  await expect(german.getByText(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [A-Z][a-z]+ \d{1,2}\. /)).toBeVisible();
  const [{ envelope_id }] = (await org.admin("GET", "/partner/envelopes?status=sent&limit=1")).json.data;
  for (const path of ["/", `/envelopes/${envelope_id}`, "/vault", "/account", "/activity", "/webhooks"]) {
    await german.goto(`${console.url}/console${path}`);
    await german.getByRole("heading", { level: 1 }).waitFor();
    await expect(german.locator(".skeleton, [aria-busy='true']")).toHaveCount(0);
    expect(await german.locator("body").innerText(), path).not.toMatch(GERMAN);
  }
  await card(page, "All envelopes by status").getByRole("link", { name: /^Sent/ }).click();
  await expect(page).toHaveURL(/\/console\/envelopes\?status=sent$/);
});

testInAll(
  "mail that did not arrive, an envelope that expires soon and a failed delivery each have a row that leads to what helps",
  async () => {
    const office = await service.newOrg("Quiet Office");
    const key = await office.newKey();
    const template_id = await newTemplate(key);
    const sent = async (more: object) => {
      const envelope_id = await newEnvelope(key, template_id, { signing_order: "parallel", ...more });
      expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
      return envelope_id;
    };
    const lost = await sent({ envelope_name: "Lease of the shop", expires_in_days: 9 });
    const late = await sent({ envelope_name: "Lease of the flat", expires_in_days: 2 });
    await service.database.owner("update mail_messages set attempts = 1, bounced_at = now() where envelope_id = $1 and to_address = $2", [
      lost,
      tenant.email,
    ]);
    await service.database.owner("update signers set reminded_at = null where envelope_id = $1", [late]);
    const { endpoint_id } = await newEndpoint(office, { url: "http://localhost:4000/" }, { enabled: false });
    await failedDelivery(service, office, endpoint_id);

    const page = await console.open(office, "/");
    const row = (name: string) => card(page, "Needs attention").getByRole("listitem").filter({ hasText: name });
    await expect(page.getByRole("link", { name: /^2 ?Need a fix ?1 undelivered e-mail, 1 failed webhook delivery$/ })).toBeVisible();
    await expect(page.getByRole("link", { name: /^2 ?Waiting for others ?1 expires within 3 days$/ })).toBeVisible();
    await expect(row("Lease of the shop")).toContainText(`The e-mail to ${tenant.email} did not arrive.`);
    await expect(row("Lease of the flat")).toContainText(/Waiting for Ann and Sam\. Expires in 2 days\./);
    await expect(row("1 webhook delivery failed")).toContainText("They were given up after the last attempt. You can replay them.");
    await page.getByRole("button", { name: "Problems" }).click();
    await expect(row("Lease of the flat")).toHaveCount(0);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await look(page, "desktop", "console-home-03-attention");

    await page.getByRole("button", { name: "Remind the people of Lease of the flat" }).click();
    await expect(page.locator(".toast")).toContainText("Reminder sent to 2 people of “Lease of the flat”.");
    await row("1 webhook delivery failed").getByRole("link").first().click();
    await title(page, "Webhooks").waitFor();
    await expect(page.getByRole("row").filter({ hasText: "localhost:4000" })).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "Fix address in Lease of the shop" }).click();
    await page.getByRole("button", { name: "Change Ann", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail address", { exact: true }).fill("ann.right@example.com");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Home" }).click();
    await expect(row("Lease of the flat")).toBeVisible();
    await expect(row("Lease of the shop")).toHaveCount(0);
  },
);

testInAll("a custody transfer needs the attention of its recipient only", async () => {
  const [{ envelope_id }, sam] = [await vaultedCopy(service, org), await console.join(org, "member", "Sam Sample")];
  const { status } = await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id: sam.user_id } });
  expect(status).toBe(201);
  const [hers, his] = await Promise.all([console.open(org, "/"), console.open(org, "/", { as: sam })]);
  await expect(his.getByRole("link", { name: "1 custody transfer needs your answer", exact: true })).toBeVisible();
  await expect(card(hers, "Needs attention").getByRole("link").first()).toBeVisible();
  await expect(hers.getByText("needs your answer", { exact: false })).toHaveCount(0);
});

testInAll("the menu counts what is new; notifications open their envelope, are marked as read, and can be turned off", async () => {
  const office = await service.newOrg("Busy Office");
  const { envelope_id } = await sentEnvelope(service, office);
  const envelope = { envelope_id, sent_by: office.user_id, owner_user_id: null };
  const tell = (person: string) =>
    service.db.tx(office.org_id, (tx) => {
      const facts = {
        envelope_name: "Lease of the flat",
        org_name: "Busy Office",
        url: "http://localhost/",
        signer_name: person,
        reason: null,
      };
      const news = { kind: "declined", envelope_name: "Lease of the flat", person } as const;
      return tellSender(tx, office.org_id, envelope, news, declinedForSender(facts));
    });
  for (const person of ["Ann Example", "Ben Example", "Cleo Example"]) await tell(person);
  for (const device of tourDevices) {
    const seen = await console.open(office, "/notifications", { device });
    await expect(seen.getByRole("link", { name: "Cleo Example declined to sign Lease of the flat" })).toBeVisible();
    await seen.getByRole("checkbox", { name: "Everyone has signed: by e-mail" }).waitFor();
    await look(seen, device, "console-notifications-01");
  }
  const page = await console.open(office, "/");
  await page.getByRole("link", { name: "Notifications 3 unread" }).click();
  await page.getByRole("link", { name: "Ann Example declined to sign Lease of the flat" }).click();
  await expect(page).toHaveURL(new RegExp(`/console/envelopes/${envelope_id}$`));
  await page.getByRole("link", { name: "Notifications 2 unread" }).click();
  await page.getByRole("button", { name: "Only new" }).click();
  await expect(page.getByRole("table", { name: "Notifications, newest first" }).getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Mark as read" }).click();
  await expect(page.getByText("Nothing new.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();
  const box = page.getByRole("checkbox", { name: "A person declined: here" });
  await box.uncheck();
  await expect(box).toBeEnabled();
  const { kinds } = (await office.admin("GET", "/notifications/settings")).json.data;
  expect(kinds.declined).toEqual({ console: false, mail: true });
});

testInAll("a viewer is told which actions need another role", async () => {
  const empty = await service.newOrg("Empty Company");
  const viewer = await console.join(empty, "viewer");
  const page = await console.open(empty, "/", { as: viewer });
  await expect(page.getByText("you cannot send documents.", { exact: false })).toBeVisible();
  await expect(page.getByText("you cannot create keys.", { exact: false })).toBeVisible();
});

testInAll("home is accessible and fits narrow windows", async () => {
  for (const device of tourDevices) {
    const page = await console.open(org, "/?days=30", { device });
    await card(page, "Last 30 days").waitFor();
    await card(page, "Just completed").getByRole("listitem").first().waitFor();
    await look(page, device, "console-home-02-home");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
  }
});

testInAll("the picture beside the log-in is loaded only where there is room for it", async () => {
  for (const device of ["desktop", "phone"] as const) {
    const page = await console.visit("/login", { device });
    await title(page, "Log in").waitFor();
    await page.waitForLoadState("networkidle");
    const pictures = watchOf(page.context()).requests.filter(({ url }) => /\/signed-page-[\w-]+\.svg$/.test(url));
    expect([device, pictures.length]).toEqual([device, device === "desktop" ? 1 : 0]);
  }
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Fills an organization with two months of envelopes and deliveries. */
async function fillOrg(endpoint_id: string): Promise<void> {
  const ends = ["completed", "completed", "declined", "completed", "sent", "viewed", "voided", "completed", "uploaded", "expired"] as const;
  const envelopes = Array.from({ length: 80 }, (_, n) => {
    const status = ends[(n * 7) % ends.length] ?? "sent";
    const created = Date.now() - ((n * 13) % 60) * DAY_MS - 30_000;
    const over = Math.min(created + (1 + ((n * 11) % 40)) * HOUR_MS, Date.now() - 1_000);
    const at = (is: boolean, time: number) => (is ? new Date(time).toISOString() : null);
    return {
      envelope_id: newId("envelope", created),
      status,
      created_at: at(true, created),
      sent_at: at(status !== "uploaded", created + 20_000),
      completed_at: at(status === "completed", over),
      ended_at: at(["declined", "voided", "expired"].includes(status), over),
      expires_at: at(status !== "uploaded", status === "expired" ? over : Date.now() + 9 * DAY_MS),
      updated_at: at(true, over),
    };
  });
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, created_at, sent_at, completed_at, ended_at, expires_at, updated_at)
     select $1, envelope_id, 'Lease', status, created_at, sent_at, completed_at, ended_at, expires_at, updated_at
     from json_to_recordset($2) as of (envelope_id text, status text, created_at timestamptz, sent_at timestamptz,
       completed_at timestamptz, ended_at timestamptz, expires_at timestamptz, updated_at timestamptz)`,
    [org.org_id, JSON.stringify(envelopes)],
  );
  await service.database.owner(
    `insert into webhook_days (org_id, day, endpoint_id, succeeded, failed)
     select $1, current_date - n, $2, 20 + (n * 7) % 23, (n * 5) % 4 from generate_series(0, 40) as n`,
    [org.org_id, endpoint_id],
  );
}
