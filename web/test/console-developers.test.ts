import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe } from "vitest";
import { removeData } from "../../server/src/sandbox/remove-data.ts";
import { startDelivering } from "../../server/src/webhooks/delivery-loop.ts";
import { client } from "../../server/test/client.ts";
import { newEndpoint, quiet, SHORT, voidEvent } from "../../server/test/deliveries.ts";
import { form } from "../../server/test/form.ts";
import { type Receiver, startReceiver } from "../../server/test/receiver.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { until } from "../../server/test/until.ts";
import { samplePdf } from "../console/home/sample-pdf.ts";
import { expectAccessible } from "./axe.ts";
import { devices, expect, OFTEN, type Page, test, testInAll } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look, lookAtDialog, tourDevices } from "./screens.ts";

/** The developer screens of the console: API keys, webhooks, sample requests, and the outbox of an installation without a mail server. */

const console = await testConsole();
const { service } = console;

let org: TestOrg;
let receiver: Receiver;
let delivering: ReturnType<typeof startDelivering>;
beforeAll(async () => {
  receiver = await startReceiver();
  delivering = startDelivering({ ...service.features.webhooks, limits: SHORT }, quiet);
  org = await service.newOrg("Example Company");
});
afterAll(() => Promise.all([delivering.stop(), receiver.close()]));

const title = (page: Page, name: string | RegExp) => page.locator("main").getByRole("heading", { level: 1, name });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const press = (page: Page, name: string | RegExp) => button(page, name).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const secretOf = async (page: Page): Promise<string> => (await page.locator(".secret code").textContent()) ?? "";
const store = async (page: Page) => {
  await page.getByLabel("I have stored it").check();
  await press(page, "Done");
  await expect(page.locator("dialog")).toHaveCount(0);
};
const keyed = (api_key: string) => client(service.url, { "x-api-key": api_key });

describe("API keys", () => {
  test("are created with chosen scopes, shown once, edited, rotated with a grace period, and deactivated by typing their name", async () => {
    const page = await console.open(org, "/keys");
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
    await page.locator(".screen-line").getByRole("button", { name: "Create key" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await expect(button(page, "Send documents")).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByLabel(/^esign:write/)).toBeChecked();
    const creating = dialog(page, "Create key");
    const create = () => creating.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Requests per minute (optional)").focus();
    await create();
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await type(page, "Name", "Billing");
    await press(page, "Read only");
    await page.getByLabel(/^envelopes:write/).check();
    await type(page, "Requests per minute (optional)", "250");
    await create();
    await dialog(page, "Your new key").waitFor();
    const first = await secretOf(page);
    expect(first).toMatch(/^lk_[0-9a-f]{40}$/);
    await page.keyboard.press("Escape");
    await expect(page.getByText("It is not shown again.", { exact: false })).toBeVisible();
    await store(page);
    expect(await page.content()).not.toContain(first);
    const { data } = (await org.admin("GET", "/partners/keys")).json;
    expect(data).toMatchObject([{ partner_name: "Billing", rate_limit_rpm: 250 }]);
    expect([...data[0].scopes].sort()).toEqual([
      "compliance:read",
      "customers:read",
      "envelopes:read",
      "envelopes:write",
      "vault:read",
      "webhooks:read",
    ]);

    await page.getByRole("link", { name: "Billing" }).click();
    await title(page, "Billing").waitFor();
    await press(page, "Edit");
    await type(page, "Name", "Billing of Sam");
    const addresses = page.getByLabel("Allowed addresses (optional)");
    await addresses.fill("203.0.113.0/24\n\noffice");
    await press(page, "Save");
    await expect(page.getByText("Allowed addresses “office” must be an address or a range", { exact: false })).toBeVisible();
    await expect(addresses).toBeFocused();
    await addresses.fill("");
    const nextYear = new Date().getFullYear() + 1;
    await type(page, "Last day (optional)", `${nextYear}-06-30`);
    await press(page, "Save");
    await title(page, "Billing of Sam").waitFor();
    const ends = (await org.admin("GET", "/partners/keys")).json.data[0].expires_at;
    expect(await page.evaluate((at) => new Date(at).toString(), ends)).toContain(`Jul 01 ${nextYear} 00:00:00`);
    await press(page, "Edit");
    await expect(page.getByLabel("Last day (optional)")).toHaveValue(`${nextYear}-06-30`);
    await press(page, "Cancel");
    const ignored = page.getByLabel("Ignore unknown fields");
    await expect(ignored).not.toBeChecked();
    // The checkbox changes only after the service has saved the setting.
    await ignored.click();
    await expect(ignored).toBeChecked();
    await expect(page.getByText("Unknown fields are now ignored.", { exact: true })).toBeVisible();
    const send = keyed(first);
    const lease = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
    const lenient = await send("POST", "/partner/envelopes", { body: { ...lease, nmae: "x" } });
    expect([lenient.status, lenient.headers["x-ignored-fields"]]).toEqual([201, "nmae"]);
    await ignored.click();
    await expect(ignored).not.toBeChecked();
    await expect(page.getByText("Unknown fields are now rejected.", { exact: true })).toBeVisible();
    expect((await send("POST", "/partner/envelopes", { body: { ...lease, nmae: "x" } })).status).toBe(422);
    await press(page, "Test webhook");
    await expect(page.getByText("No endpoint is enabled", { exact: false })).toBeVisible();

    await press(page, "Rotate");
    await page.getByLabel("Grace period for the current key").selectOption("1 hour");
    await press(page, "Rotate key");
    await dialog(page, "Your new key").waitFor();
    const second = await secretOf(page);
    await store(page);
    expect(await page.content()).not.toContain(second);
    await expect(page.getByText(/^in (1 h|59 min)/)).toBeVisible();
    await expect(page.getByText("Previous key expires")).toBeVisible();
    const statuses = await Promise.all([first, second].map(async (key) => (await keyed(key)("GET", "/partner/envelopes")).status));
    expect(statuses).toEqual([200, 200]);

    await press(page, "Deactivate");
    await press(page, "Deactivate key");
    await expect(page.getByText("The name does not match", { exact: true })).toBeVisible();
    await type(page, "Type “Billing of Sam” to confirm", "Billing of Sam");
    await press(page, "Deactivate key");
    await expect(page.getByText("Deactivated", { exact: true }).first()).toBeVisible();
    await expect(button(page, "Rotate")).toHaveCount(0);
    await expect(page.getByText("Previous key expires")).toHaveCount(0);
    expect((await keyed(second)("GET", "/partner/envelopes")).status).toBe(401);
  });
});

describe("webhooks", () => {
  test("an endpoint is added, and its deliveries are shown live, inspected and replayed", async () => {
    const page = await console.open(org, "/webhooks");
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor();
    await page.locator(".screen-line").getByRole("button", { name: "Add endpoint" }).click();
    const adding = dialog(page, "Add endpoint");
    await type(page, "URL", "ftp://example.com");
    await adding.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByText("URL must start with https://")).toBeVisible();
    await type(page, "URL", receiver.url);
    await type(page, "Description (optional)", "Receiver");
    await press(page, "Selected events");
    await page.getByLabel("All vault events").uncheck();
    await page.getByLabel("All custody events").uncheck();
    await page.getByLabel("vault.stored").check();
    await expect(page.getByText("reserved, not sent yet").first()).toBeVisible();
    await adding.getByRole("button", { name: "Add endpoint" }).click();
    await dialog(page, "Endpoint secret").waitFor();
    const secret = await secretOf(page);
    await expect(page.getByText("verifyWebhook", { exact: false }).first()).toBeVisible();
    await lookAtDialog(page, "desktop", "console-developers-06-secret");
    await store(page);
    await title(page, "Receiver").waitFor();
    expect(await page.content()).not.toContain(secret);
    const [endpoint] = (await org.admin("GET", "/webhooks/endpoints")).json.data;
    expect(endpoint).toMatchObject({ url: receiver.url, description: "Receiver", event_types: ["envelope.*", "vault.stored"] });

    // After this response the next attempt is made a minute later.
    receiver.next({ status: 504, body: "not today" });
    await voidEvent(service, org);
    await receiver.received(1);
    const rows = page.getByRole("table", { name: "Delivery attempts, newest first" }).getByRole("row");
    const failed = rows.filter({ hasText: "Failed" });
    await expect(failed).toContainText("504");
    await failed.getByRole("button", { name: "envelope.voided" }).click();
    const drawer = dialog(page, "envelope.voided");
    await expect(drawer.getByText("not today")).toBeVisible();
    await expect(drawer.getByText("Failed once, will be tried again")).toBeVisible();
    await expect(drawer.getByText("a status other than 200 to 299", { exact: false })).toBeVisible();
    await expect(drawer.getByText(/Next retry in \d+/)).toBeVisible();
    await expect(drawer.getByText('"reason": "wrong price"', { exact: false })).toBeVisible();
    await drawer.getByRole("button", { name: /^As sent/ }).click();
    await expect(drawer.getByText('"reason":"wrong price"', { exact: false })).toBeVisible();
    expect(await drawer.locator("pre").filter({ hasText: "wrong price" }).textContent()).toBe(receiver.requests[0]?.body.toString());
    await drawer.getByRole("button", { name: "Replay" }).click();
    await receiver.received(2);
    await expect(page.getByText("The event is being sent again", { exact: false })).toBeVisible();
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(rows.filter({ hasText: "Delivered" }).first()).toBeVisible();
    // The chart counts what the list shows, also after a replay.
    const today = page
      .getByRole("table", { name: /^Delivery attempts per day/ })
      .getByRole("row")
      .last();
    await expect(today.getByRole("cell")).toHaveText(["1", "1"]);
    await expect(page.getByRole("heading", { name: "Last 14 days: 50% of attempts delivered" })).toBeVisible();
    expect(receiver.requests[1]?.headers["webhook-id"]).toBe(receiver.requests[0]?.headers["webhook-id"]);

    await page.getByLabel("Result").selectOption("Delivered");
    await expect(page).toHaveURL(/status=succeeded/);
    await expect(failed).toHaveCount(0);
  });

  testInAll("an endpoint is disabled with an undo, reveals its secret with an audit entry, and is deleted", async () => {
    const own = await service.newOrg("Second Company");
    const { endpoint_id, secret } = await newEndpoint(own, receiver, { description: "Archive" });
    const page = await console.open(own, `/webhooks/${endpoint_id}`, { clock: "moved" });
    const enabled = async () => (await own.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data.enabled;
    await press(page, "Disable");
    await expect(page.getByRole("status").getByText("Endpoint disabled.")).toBeVisible();
    // The message stays while it has the focus, and goes away without it.
    await button(page, "Undo").focus();
    await page.clock.fastForward(60_000);
    expect(await enabled()).toBe(false);
    const before = receiver.requests.length;
    for (const reason of ["one", "two", "three"]) await voidEvent(service, own, undefined, reason);
    await until("three deliveries that were not sent", async () => {
      const { json } = await own.admin("GET", `/webhooks/endpoints/${endpoint_id}/deliveries?status=cancelled`);
      return json.meta.total === 3;
    });
    await button(page, "Undo").press("Enter");
    await expect(button(page, "Disable")).toBeVisible();
    await expect.poll(enabled, OFTEN).toBe(true);
    await expect(page.getByRole("status").getByText("Endpoint enabled.")).toBeVisible();
    await page.clock.fastForward(7_000);
    await expect(page.getByText("Endpoint enabled.")).toHaveCount(0);

    await press(page, "Replay deliveries");
    await press(page, "Count deliveries");
    await expect(page.getByText(/^3 deliveries will be sent again/)).toBeVisible();
    expect(receiver.requests).toHaveLength(before);
    await press(page, "Replay 3 deliveries");
    await expect(page.getByText("3 deliveries queued for replay, oldest first.")).toBeVisible();
    await receiver.received(before + 3);
    await press(page, "Send test");
    await receiver.received(before + 4);

    await page.getByRole("tab", { name: "Details and secret" }).click();
    await press(page, "Reveal");
    await dialog(page, "Reveal secret").getByRole("button", { name: "Reveal" }).click();
    await dialog(page, "Endpoint secret").waitFor();
    expect(await secretOf(page)).toBe(secret);
    await press(page, "Close");
    await expect(page.locator("dialog")).toHaveCount(0);
    expect(await page.content()).not.toContain(secret);
    const trail = (await own.admin("GET", "/org/audit-trail")).json.data;
    expect(trail.map((entry: { type: string }) => entry.type)).toContain("endpoint.secret_shown");
    await press(page, "Rotate");
    await press(page, "Rotate secret");
    await dialog(page, "New secret").waitFor();
    const next = await secretOf(page);
    expect(next).not.toBe(secret);
    await store(page);
    await expect(page.getByText(/^in (24 h|1 d|23 h)/)).toBeVisible();
    expect((await own.admin("GET", `/webhooks/endpoints/${endpoint_id}/secret`)).json.data.secret).toBe(next);

    await press(page, "Delete");
    await press(page, "Delete endpoint");
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor();
    expect((await own.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).status).toBe(404);
  });
});

testInAll("the commands on the Try it page contain a created key and can be run as they are", async () => {
  const page = await console.open(org, "/try");
  const lines = page.locator(".try-step code");
  await expect(lines.first()).toContainText("$API_KEY");
  await press(page, "Create key");
  await expect(lines.first()).toContainText(/X-API-Key: lk_[0-9a-f]{40}/);
  const [list = "", create = ""] = await lines.allTextContents();
  const [, api_key = ""] = /X-API-Key: (lk_[0-9a-f]{40})/.exec(list) ?? [];
  const answers = await Promise.all([list, create].map(async (line) => JSON.parse((await promisify(execFile)("sh", ["-c", line])).stdout)));
  expect(answers).toMatchObject([{ meta: { page: 1, limit: 20 } }, { data: { envelope_name: "Sample agreement", status: "pending" } }]);
  const { data } = (await org.admin("GET", "/partners/keys")).json;
  expect(data[0]).toMatchObject({ scopes: ["envelopes:read", "envelopes:write", "webhooks:read"] });
  expect(data[0].partner_name).toMatch(/^Try it: Admin/);
  await press(page, "Hide key");
  expect(await page.content()).not.toContain(api_key);
});

/** Sends a sample envelope to Ann with this message. */
async function sendSample(message: string): Promise<string> {
  const signers = [{ email: "ann@example.com", name: "Ann", role: "Signer" }];
  const body = { envelope_name: "Sample agreement", customer_name: "Ann", customer_email: "ann@example.com", signers };
  const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body })).json.data;
  const upload = form({}, { bytes: samplePdf(), name: "sample.pdf", type: "application/pdf" });
  expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/upload`, upload)).status).toBe(200);
  expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: { message } })).status).toBe(200);
  return envelope_id;
}

testInAll(
  "the outbox shows messages as text, only links to this installation are clickable, and withdrawn messages are not failures",
  async () => {
    const ended = await sendSample("Please sign.");
    await org.admin("POST", `/partner/envelopes/${ended}/void`, { body: { reason: "wrong price" } });
    await sendSample("See https://evil.example/contract before you sign.");
    const page = await console.open(org, "/outbox");
    const withdrawn = page.getByRole("row").filter({ hasText: "Withdrawn" });
    await expect(withdrawn).toContainText("The link is no longer needed");
    await expect(page.getByRole("main").getByText("Failed")).toHaveCount(0);
    await button(page, /asks you to sign: Sample agreement/).click();
    const mail = page.locator(".mail-text");
    await expect(mail).toContainText("https://evil.example/contract");
    const links = mail.getByRole("link");
    await expect(links).toHaveCount(1);
    expect(await links.getAttribute("href")).toMatch(new RegExp(`^${console.embedUrl}/s/`));
  },
);

testInAll("members who are not admins read which actions need an admin", async () => {
  const member = await console.join(org, "member", "Sam Sample");
  const { endpoint_id } = await newEndpoint(org, receiver, { description: "Read by all", enabled: false });
  const page = await console.open(org, "/keys", { as: member });
  await expect(page.getByText("you cannot see and manage API keys.", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByText("you cannot add and change endpoints.", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "Read by all" }).click();
  await expect(page.getByText("you cannot change, test and replay.", { exact: false })).toBeVisible();
  await page.getByRole("tab", { name: "Details and secret" }).click();
  await expect(page.getByText("you cannot see and rotate the secret.", { exact: false })).toBeVisible();
  await page.goto(`${console.url}/console/outbox`);
  await expect(page.getByText("you cannot read the outbox.", { exact: false })).toBeVisible();
  await page.goto(`${console.url}/console/try`);
  await expect(page.getByText("you cannot create keys.", { exact: false })).toBeVisible();
  await org.admin("DELETE", `/webhooks/endpoints/${endpoint_id}`);
});

testInAll("every screen is accessible and fits 320 px", { timeout: 120_000 }, async () => {
  const [{ key_id }] = (await org.admin("GET", "/partners/keys")).json.data;
  const [{ endpoint_id }] = (await org.admin("GET", "/webhooks/endpoints")).json.data;
  await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { webhook: { url: "https://example.com/hooks", team: "billing" } } });
  await org.admin("POST", `/partners/keys/${key_id}/rotate`, { body: { grace_period_seconds: 604_800 } });
  const deliveries = (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}/deliveries?status=failed`)).json.data;
  const [{ message_id }] = (await org.admin("GET", "/org/outbox")).json.data;
  const screens = [
    ["01-keys", "/keys", "tbody tr"],
    ["02-create-key", "/keys?new=1", "dialog[open] form"],
    ["03-key", `/keys/${key_id}`, "dt"],
    ["04-webhooks", "/webhooks", "tbody tr"],
    ["05-add-endpoint", "/webhooks?new=1", "dialog[open] form"],
    ["07-endpoint", `/webhooks/${endpoint_id}`, "tbody tr"],
    ["08-attempt", `/webhooks/${endpoint_id}?delivery=${deliveries[0].delivery_id}`, "dt"],
    ["09-endpoint-details", `/webhooks/${endpoint_id}?tab=details`, "dt"],
    ["10-try", "/try", "li pre"],
    ["11-outbox", "/outbox", "tbody tr"],
    ["12-message", `/outbox?message=${message_id}`, "dt"],
  ] as const;
  for (const device of tourDevices) {
    const page = await console.open(org, screens[0][1], { device });
    for (const [name, path, sign] of screens) {
      if (name !== screens[0][0]) await page.goto(`${console.url}/console${path}`);
      await page.locator(`main ${sign}`).first().waitFor();
      await look(page, device, `console-developers-${name}`);
      await page.setViewportSize({ width: 320, height: 640 });
      expect([name, await page.evaluate<number>("document.documentElement.scrollWidth")]).toEqual([name, 320]);
      await page.setViewportSize(devices[device].viewport);
    }
  }
});

test("a sandbox is made, opened from the list, marked on every screen, and left again in the menu of the user", async () => {
  const owner = await service.newOrg("Example Company");
  const page = await console.open(owner, "/sandboxes");
  await expect(page.getByText("No sandboxes yet")).toBeVisible();
  await page.getByRole("button", { name: "New sandbox" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Example Company – Test");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Sandbox Example Company – Test created" })).toBeVisible();
  await expect(page.locator(".test-data")).toHaveCount(0);
  await look(page, "desktop", "console-developers-13-sandboxes");
  await page.getByRole("button", { name: "Open Example Company – Test" }).click();
  await expect(page.locator("summary", { hasText: "Example Company – Test" })).toBeVisible();
  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await expect(page.locator(".test-data")).toContainText("Test data");
  await page.getByRole("link", { name: "Mail outbox", exact: true }).click();
  await expect(page.getByText("Messages of a sandbox are never sent")).toBeVisible();
  await expectAccessible(page, "the outbox of a sandbox");
  await page.locator("summary", { hasText: "Example Company – Test" }).click();
  await page.getByRole("link", { name: "Sandboxes", exact: true }).click();
  await expect(page.getByText("You are here")).toBeVisible();
  await expect(page.getByRole("button", { name: "New sandbox" })).toHaveCount(0);
  await page.getByRole("button", { name: "Switch to Example Company", exact: true }).click();
  await expect(page.locator(".test-data")).toHaveCount(0);
  await page.locator("summary", { hasText: "Example Company" }).click();
  await expect(page.getByRole("button", { name: "Switch to Example Company – Test (test)" })).toBeVisible();

  // It is reset and deleted by people who type its name. No worker runs here, so the reset goes on until its data are removed.
  await page.keyboard.press("Escape");
  await page.goto(`${console.url}/console/sandboxes`);
  const endBy = async (act: string) => {
    await page.getByRole("button", { name: `${act} Example Company – Test` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: act, exact: true }).click();
    await expect(dialog.getByText("The name does not match")).toBeVisible();
    await dialog.getByLabel("Type “Example Company – Test” to confirm").fill("Example Company – Test");
    await expectAccessible(page, `the dialog ${act}`);
    await dialog.getByRole("button", { name: act, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  await endBy("Reset");
  await expect(page.getByText("Resetting…")).toBeVisible();
  const [{ org_id }] = (await owner.admin("GET", "/org/sandboxes")).json.data.sandboxes;
  await removeData(service.features.sandboxes, org_id);
  await expect(page.getByRole("button", { name: "Open Example Company – Test" })).toBeVisible();
  await endBy("Delete");
  await expect(page.getByText("No sandboxes yet")).toBeVisible();
});
