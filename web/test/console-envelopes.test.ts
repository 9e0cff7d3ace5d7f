import { buffer, text } from "node:stream/consumers";
import { beforeAll, describe } from "vitest";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import type { Slug } from "../../server/src/shared/slugs.ts";
import { signAll, signingSession } from "../../server/test/ceremony.ts";
import { setSigner } from "../../server/test/envelopes.ts";
import { form } from "../../server/test/form.ts";
import { readStreamedZip } from "../../server/test/read-streamed-zip.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { completedEnvelope } from "../../server/test/vaulted.ts";
import { expectAccessible } from "./axe.ts";
import { expect, type Page, test, testInAll, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { lease, note } from "./documents.ts";
import { loseAnswer } from "./lose-answer.ts";
import { look, lookAtDialog, tourDevices } from "./screens.ts";

/** Envelopes in the console: the list, and the screen of each envelope. */

const console = await testConsole();
const { service } = console;

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const choose = async (page: Page, item: string) => {
  await press(page, "More");
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();
// Screenshots on two devices in two colour schemes are slow while other tests share two cores.
const TOUR_MS = 240_000;
/** The names in the list. */
const rows = (page: Page) => page.getByRole("rowheader").getByRole("link");

const ann = { email: "ann@example.com", name: "Ann Example", role: "Tenant" };
const sam = { email: "sam@example.com", name: "Sam Sample", role: "Landlord" };

/** The page must not scroll sideways at 320 px, the narrowest width in WCAG 2.2. */
async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  await page.setViewportSize(before);
}

let org: TestOrg;
let templates: { lease: string; order: string };

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
async function call(method: string, path: string, body?: object): Promise<any> {
  const { status, json } = await org.admin(method, path, body === undefined ? {} : { body });
  expect([status < 300, json.error, json.details]).toEqual([true, undefined, undefined]);
  return json.data;
}

const templateOf = async (name: string, bytes: Uint8Array): Promise<string> => {
  const { json } = await org.admin("POST", "/partner/templates", form({ name }, { bytes }));
  return json.data.template_id;
};

async function draft(envelope_name: string, more: object = {}): Promise<EnvelopeId> {
  const body = { envelope_name, customer_name: ann.name, customer_email: ann.email, template_id: templates.lease, ...more };
  return (await call("POST", "/partner/envelopes", body)).envelope_id;
}

async function sent(envelope_name: string, more: object = {}, sending: object = {}): Promise<EnvelopeId> {
  const envelope_id = await draft(envelope_name, { signers: [ann, sam], ...more });
  await call("POST", `/partner/envelopes/${envelope_id}/send`, sending);
  return envelope_id;
}

const signersOf = async (id: EnvelopeId): Promise<{ name: string; email: string; slug: Slug; status: string }[]> =>
  (await call("GET", `/partner/envelopes/${id}/signers`)).signers;
const statusOf = async (id: EnvelopeId): Promise<string> => (await call("GET", `/partner/envelopes/${id}/status`)).status;
const typesOf = async (id: EnvelopeId): Promise<string[]> => {
  const { json } = await org.admin("GET", `/partner/envelopes/${id}/audit-trail`);
  return json.data.map((item: { type: string }) => item.type);
};

beforeAll(async () => {
  org = await service.newOrg("Example Company");
  templates = { lease: await templateOf("Lease", lease), order: await templateOf("Order", note) };
});

describe("the list of envelopes", () => {
  testInAll("explains envelopes while there are none", async () => {
    const other = await service.newOrg("New Company");
    const page = await console.open(other, "/envelopes");
    await expect(page.getByRole("heading", { name: "No envelopes yet" })).toBeVisible();
    await look(page, "desktop", "console-20-no-envelopes");
    await page.getByRole("link", { name: "New envelope" }).first().click();
    await title(page, "New envelope").waitFor();
  });

  testInAll("is filtered by status, text and customer, shows counts, and updates itself", { timeout: TOUR_MS }, async () => {
    const ended = await sent("Lease of the ground floor");
    await call("POST", `/partner/envelopes/${ended}/void`, { reason: "wrong price" });
    await sent("Lease of the first floor");
    await draft("Order of a desk", {
      template_id: templates.order,
      customer_name: "Second Customer",
      customer_email: "second@example.com",
      external_id: "PO-17",
    });
    for (const device of tourDevices) {
      const page = await console.open(org, "/account", { device, clock: "moved" });
      await page.getByLabel("Show API calls").check();
      await page.goto(`${console.url}/console/envelopes`);
      await expect(rows(page)).toHaveText(["Order of a desk", "Lease of the first floor", "Lease of the ground floor"]);
      await expect(page.getByRole("row", { name: /first floor/ })).toContainText("0 of 2");
      const badges = page.getByRole("row", { name: /first floor/ }).getByRole("img");
      expect(await badges.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual([
        "Ann Example, Their turn",
        "Sam Sample, Not their turn yet",
      ]);
      await expect(page.getByRole("link", { name: "All 3" })).toHaveAttribute("aria-current", "page");
      for (const view of ["Waiting for me 0", "In progress 1", "Drafts 1", "Completed 0", "Mine 3", "Discarded 0"])
        await expect(page.getByRole("link", { name: view, exact: true })).toBeVisible();
      await look(page, device, "console-21-envelopes");
      await expectNarrow(page);
      if (device === "desktop") await sortByHeads(page);
      await page.getByLabel("Status", { exact: true }).selectOption("Voided (1)");
      await expect(rows(page)).toHaveText(["Lease of the ground floor"]);
      expect(page.url()).toContain("?status=voided");
      await page.goBack();
      await expect(rows(page), "Back undoes the choice").toHaveCount(3);
      await type(page, "Search", "po-17");
      await expect(rows(page)).toHaveText(["Order of a desk"]);
      expect(page.url()).toContain("?q=po-17");
      await page.getByText("Show as API call").click();
      await expect(page.locator("pre")).toContainText(
        "/api/v2/partner/envelopes?q=po-17&discarded=exclude&expand=recipients%2Ccustomer%2Ctags&page=1&limit=20",
      );
      await type(page, "Search", "nothing of the kind");
      await expect(page.getByRole("heading", { name: "No matching envelopes" })).toBeVisible();
      await page.getByRole("link", { name: "Show all envelopes" }).click();
      await expect(rows(page)).toHaveCount(3);
    }
    async function sortByHeads(page: Page): Promise<void> {
      const sorted = () =>
        page.locator("th[aria-sort]").evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute("aria-sort")]));
      expect(await sorted(), "the newest first, for which there is no column").toEqual([]);
      const head = page.getByRole("columnheader", { name: "Document" }).getByRole("button");
      await head.focus();
      await page.keyboard.press("Enter");
      await expect(rows(page)).toHaveText(["Lease of the first floor", "Lease of the ground floor", "Order of a desk"]);
      expect(await sorted()).toEqual([["Document", "ascending"]]);
      await expect(head).toBeFocused();
      await expect(page).toHaveURL(/\?sort=envelope_name$/);
      await expect(page.getByLabel("Sort by", { exact: true })).toHaveValue("envelope_name");
      await page.getByRole("button", { name: "Last change" }).click();
      await expect(page.getByLabel("Sort by", { exact: true })).toHaveValue("-updated_at");
      await expect(rows(page)).toHaveText(["Order of a desk", "Lease of the first floor", "Lease of the ground floor"]);
      expect(await sorted()).toEqual([["Last change", "descending"]]);
      await expectAccessible(page, "sorted list");
      await page.getByRole("button", { name: "Last change" }).click();
      await expect(page).toHaveURL(/\/envelopes$/);
      expect(await sorted()).toEqual([]);
    }
    // The last Sunday of October has 25 hours in Berlin, where the browser is.
    const autumn = await console.open(org, "/envelopes");
    const listed = autumn.waitForRequest(/created_from/);
    await autumn.goto(`${console.url}/console/envelopes?from=2026-10-25&to=2026-10-25`);
    const asked = new URL((await listed).url()).searchParams;
    expect([asked.get("created_from"), asked.get("created_to")]).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
    const { customer_id } = await call("GET", `/partner/envelopes/${ended}`);
    const page = await console.open(org, `/envelopes?customer_id=${customer_id}`, { clock: "moved" });
    await expect(rows(page)).toHaveCount(2);
    // In the browser's time zone, the next day may have started.
    const today = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" });
    await page.getByText("Any date").click();
    await type(page, "Created from", "2020-01-01");
    await type(page, "Created until", "2020-12-31");
    await expect(page.getByRole("heading", { name: "No matching envelopes" })).toBeVisible();
    await type(page, "Created until", today);
    await page.getByRole("button", { name: "Remove customer filter: Ann Example" }).click();
    await expect(rows(page)).toHaveCount(3);
    await sent("Lease of the attic");
    await page.clock.fastForward(10_000);
    await expect(rows(page)).toHaveCount(4);
    await expect(page.getByRole("link", { name: "All 4" })).toBeVisible();
    await page.goto(`${console.url}/console/account`);
    await page.getByLabel("Show API calls").check();
    await page.goto(`${console.url}/console/envelopes?from=2999-01-01`);
    await expect(page.getByRole("heading", { name: "No matching envelopes" })).toBeVisible();
    await expect(page.getByText("Since Dec 31, 2100")).toBeVisible();
    await page.goto(`${console.url}/console/envelopes?from=2026-99-99&to=2026-2-1`);
    await expect(rows(page)).toHaveCount(4);
    await expect(page.locator("summary", { hasText: "Any date" })).toBeVisible();
    await page.getByText("Show as API call").click();
    await expect(page.locator("pre")).not.toContainText("created_");
  });
});

describe("several envelopes", () => {
  testInAll("are tagged, voided and exported together, and a view keeps how they were found", { timeout: TOUR_MS }, async () => {
    const office = await service.newOrg("Office Company");
    const template = await office.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: lease }));
    const { template_id } = template.json.data;
    const make = async (envelope_name: string, isSent: boolean): Promise<EnvelopeId> => {
      const body = { envelope_name, customer_name: ann.name, customer_email: ann.email, template_id, signers: [ann, sam] };
      const { envelope_id } = (await office.admin("POST", "/partner/envelopes", { body })).json.data;
      if (isSent) expect((await office.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
      return envelope_id;
    };
    const ids = [await make("Lease of the shop", true), await make("Lease of the bakery", true), await make("Draft of a lease", false)];
    const page = await console.open(office, "/envelopes");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    const toolbar = page.getByRole("toolbar", { name: "Actions for the selection" });
    await expect(toolbar).toContainText("3 selected");
    await page.getByRole("checkbox", { name: "Select Lease of the bakery" }).uncheck();
    await toolbar.getByRole("button", { name: "Tag" }).click();
    await expect(page.getByRole("dialog").getByLabel("Tags")).toBeFocused();
    await lookAtDialog(page, "desktop", "console-22-tag");
    await type(page, "Tags", "Urgent, Harbour");
    await press(page, "Add tags");
    await expect(page.getByText("2 envelopes tagged.")).toBeVisible();
    await expect(page.getByRole("rowheader").first()).toHaveText("Draft of a leaseAnn Example, tag Harbour, tag Urgent");
    await page.getByLabel("Tag", { exact: true }).selectOption("Urgent");
    await page.getByLabel("Sort by").selectOption("envelope_name");
    await expect(rows(page)).toHaveText([/^Draft of a lease/, /^Lease of the shop/]);
    await press(page, "Save view");
    await type(page, "Name", "Urgent ones");
    await page.getByRole("checkbox", { name: "Show it to every member" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
    await expect(page.getByRole("link", { name: "Urgent ones" })).toHaveAttribute("aria-current", "page");
    const colleague = await console.open(office, "/envelopes", { as: await console.join(office, "viewer") });
    await colleague.getByRole("link", { name: "Urgent ones" }).click();
    await expect(rows(colleague)).toHaveText([/^Draft of a lease/, /^Lease of the shop/]);
    await colleague.getByRole("checkbox", { name: "Select all on this page" }).check();
    await expect(colleague.getByRole("toolbar").getByRole("button"), "viewers only download").toHaveText(["Download", "CSV", ""]);
    await colleague.keyboard.press("t");
    await expect(colleague.getByRole("dialog")).toHaveCount(0);
    const zip = colleague.waitForEvent("download");
    await press(colleague, "Download as ZIP");
    const zipped = await zip;
    expect(zipped.suggestedFilename()).toMatch(/^Documents \d{4}-\d\d-\d\d\.zip$/);
    const names = readStreamedZip(await buffer(await zipped.createReadStream())).map(({ name }) => name);
    expect(names).toEqual(["Contents.txt", "Draft of a lease – draft.pdf", "Lease of the shop – as sent.pdf"]);
    await expect(colleague.getByRole("status").getByText(/^The documents of 2 envelopes were downloaded/)).toBeVisible();
    await colleague.getByRole("checkbox", { name: "Select Draft of a lease" }).uncheck();
    const chosen = colleague.waitForEvent("download");
    await press(colleague, "Export as CSV");
    const [, ...only] = (await text(await (await chosen).createReadStream())).trim().split("\r\n");
    expect(
      only.map((line) => line.split(",")[1]),
      "the selected ones",
    ).toEqual(["Lease of the shop"]);
    await expect(colleague.getByRole("status").getByText("1 envelope exported.")).toBeVisible();
    const download = page.waitForEvent("download");
    await press(page, "Export CSV");
    const lines = (await text(await (await download).createReadStream())).trim().split("\r\n");
    expect(lines.map((line) => line.split(",")[1])).toEqual(["envelope_name", "Draft of a lease", "Lease of the shop"]);
    // There is no one to remind of a draft: each envelope succeeds or fails on its own.
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await toolbar.getByRole("button", { name: "Remind" }).click();
    await expect(page.getByText(/^Done for 1 of 2\. Draft of a lease: /)).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "Select Draft of a lease" })).toBeChecked();
    await press(page, "Clear selection");
    await page.getByRole("checkbox", { name: "Select Lease of the shop" }).check();
    await toolbar.getByRole("button", { name: "Void" }).click();
    await type(page, "Reason", "wrong price");
    await press(page, "Void envelopes");
    await expect(page.getByText("1 envelope voided.")).toBeVisible();
    const statuses = ids.map(async (id) => (await office.admin("GET", `/partner/envelopes/${id}/status`)).json.data.status);
    expect(await Promise.all(statuses)).toEqual(["voided", "sent", "preparing"]);
    for (const device of tourDevices) {
      const seen = await console.open(office, "/envelopes?tag=Urgent&sort=envelope_name", { device });
      await seen.getByRole("checkbox", { name: "Select Lease of the shop" }).check();
      await look(seen, device, "console-23-selected");
      await expectNarrow(seen);
    }
    await page.getByRole("button", { name: "Delete view Urgent ones" }).click();
    await expect(page.getByRole("link", { name: "Urgent ones" })).toHaveCount(0);
    await page.getByRole("link", { name: "Waiting for me" }).click();
    await expect(page.getByRole("heading", { name: "No matching envelopes" })).toBeVisible();
    const own = {
      envelope_name: "Own lease",
      customer_name: ann.name,
      customer_email: ann.email,
      template_id,
      signers: [{ ...ann, email: office.email }, sam],
    };
    const { envelope_id } = (await office.admin("POST", "/partner/envelopes", { body: own })).json.data;
    expect((await office.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
    const mine = await console.open(office, `/envelopes/${envelope_id}`);
    await expect(mine.getByText("Your turn", { exact: false })).toHaveText(["Your turn.", "Your turn"]);
    await expect(mine.getByRole("button", { name: "Sign now" }).first()).toHaveClass("button primary");
  });
});

describe("the menu of an envelope", () => {
  testInAll("repeats and ends it, by mouse and by keys, which can be turned off", { timeout: TOUR_MS }, async () => {
    const office = await service.newOrg("Harbour Company");
    const made = await office.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: lease }));
    const { template_id } = made.json.data;
    const make = async (envelope_name: string, isSent: boolean): Promise<EnvelopeId> => {
      const body = { envelope_name, customer_name: ann.name, customer_email: ann.email, template_id, signers: [ann, sam] };
      const { envelope_id } = (await office.admin("POST", "/partner/envelopes", { body })).json.data;
      if (isSent) expect((await office.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
      return envelope_id;
    };
    await make("Lease of the quay", true);
    const crane = await make("Lease of the crane", true);
    await make("Lease of the shed", false);
    const page = await console.open(office, "/envelopes");
    await expect(rows(page)).toHaveText(["Lease of the shed", "Lease of the crane", "Lease of the quay"]);
    const linkOf = (name: string) => page.getByRole("link", { name, exact: true });
    const menu = page.getByRole("menu");

    // By keys: the second row is selected, the dialog for tags and a menu are opened and closed, and the selection is cleared.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(linkOf("Lease of the crane")).toBeFocused();
    await page.keyboard.press("x");
    await expect(page.getByRole("checkbox", { name: "Select Lease of the crane" })).toBeChecked();
    await page.keyboard.press("t");
    await expect(page.getByRole("dialog", { name: "Tag 1 envelope" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await expect(linkOf("Lease of the shed")).toBeFocused();
    await page.keyboard.press(".");
    await expect(menu.getByRole("menuitem")).toHaveText(["Open", "Download", "Duplicate", "Save as template", "Discard"]);
    await expect(menu.getByRole("menuitem", { name: "Open" })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(menu.getByRole("menuitem", { name: "Discard" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Actions for Lease of the shed" })).toBeFocused();
    await expect(page.getByRole("checkbox", { name: "Select Lease of the crane" })).toBeChecked();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("checkbox", { name: "Select Lease of the crane" })).not.toBeChecked();
    await page.keyboard.press("/");
    await expect(page.getByLabel("Search", { exact: true })).toBeFocused();
    await page.keyboard.type("jx./quay");
    await expect(page.getByLabel("Search", { exact: true }), "keys never act in a text field").toHaveValue("jx./quay");
    await page.goto(`${console.url}/console/envelopes`);
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await title(page, "Lease of the shed").waitFor();

    // The menu of an envelope that was sent.
    await page.goto(`${console.url}/console/envelopes`);
    const actionsOf = (name: string) => page.getByRole("button", { name: `Actions for ${name}` });
    await actionsOf("Lease of the crane").click();
    await expect(menu.getByRole("menuitem")).toHaveText([
      "Open",
      "Remind",
      "Copy link",
      "Download",
      "Duplicate",
      "Save as template",
      "Void",
    ]);
    await menu.getByRole("menuitem", { name: "Remind" }).click();
    await expect(page.getByText("Reminder sent to 1 person of “Lease of the crane”.")).toBeVisible();
    await actionsOf("Lease of the crane").click();
    await menu.getByRole("menuitem", { name: "Copy link" }).click();
    await page.getByLabel("Person").selectOption("Sam Sample");
    await press(page, "Continue");
    await expect(page.getByRole("dialog", { name: "Link for Sam Sample" })).toContainText("/s/");
    await press(page, "Close");
    await actionsOf("Lease of the crane").click();
    await menu.getByRole("menuitem", { name: "Void" }).click();
    await type(page, "Reason", "wrong crane");
    await press(page, "Void envelope");
    await expect(page.getByRole("row", { name: /crane/ })).toContainText("Voided");
    expect((await office.admin("GET", `/partner/envelopes/${crane}/status`)).json.data.status).toBe("voided");

    // Repeat a voided envelope, and discard the copy: it leaves the list.
    await actionsOf("Lease of the crane").click();
    await menu.getByRole("menuitem", { name: "Duplicate" }).click();
    await expect(page).toHaveURL(/\/envelopes\/env_[^/]+\/prepare$/);
    await page.goto(`${console.url}/console/envelopes`);
    await expect(rows(page)).toHaveText(["Lease of the crane", "Lease of the shed", "Lease of the crane", "Lease of the quay"]);
    await actionsOf("Lease of the crane").first().click();
    await menu.getByRole("menuitem", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await expect(rows(page)).toHaveText(["Lease of the shed", "Lease of the crane", "Lease of the quay"]);
    await expect(page.getByRole("link", { name: "All 3" })).toBeVisible();
    await expect(page.getByLabel("Status", { exact: true })).toContainText("Voided (1)");
    await page.getByRole("link", { name: "Discarded" }).click();
    await expect(rows(page)).toHaveText(["Lease of the crane"]);

    for (const device of tourDevices) {
      const seen = await console.open(office, "/envelopes", { device });
      await seen.getByRole("button", { name: "Actions for Lease of the quay" }).click();
      await expect(seen.getByRole("menu")).toBeVisible();
      await look(seen, device, "console-21-row-menu");
      await seen.keyboard.press("Escape");
      await expectNarrow(seen);
      await seen.goto(`${console.url}/console/account`);
      // A button half below the bar would count as too small a target.
      await seen.getByRole("heading", { name: "Keyboard shortcuts" }).evaluate((one) => one.scrollIntoView({ block: "start" }));
      await look(seen, device, "console-21-list-keys");
    }
    // The search over everything, by keys alone.
    const search = page.getByRole("combobox", { name: "Search everything" });
    await page.goto(`${console.url}/console/envelopes`);
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Search everything");
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await expect(page.getByRole("option", { name: "New envelope" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.type("crane");
    const options = page.getByRole("listbox", { name: "Search" }).getByRole("option");
    await expect(options.and(page.locator('[aria-selected="true"]'))).toHaveText("Lease of the craneVoided · Ann Example");
    await page.keyboard.press("Enter");
    await title(page, "Lease of the crane").waitFor();
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("sam");
    await expect(page.getByRole("option", { name: /^Sam Sample sam@example.com/ })).toBeVisible();
    await search.fill("exam");
    await expect(page.getByRole("group", { name: "Customers" }).getByRole("option", { name: /^Ann Example/ })).toBeVisible();
    await search.fill("lease");
    await expect(page.getByRole("group", { name: "Templates" }).getByRole("option")).toHaveText(["Lease"]);
    await search.fill("webh");
    await expect(options).toHaveText(["WebhooksDevelopers"]);
    await search.fill("no such thing");
    await expect(page.getByText("Nothing matches “no such thing”.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    for (const device of tourDevices) {
      const seen = await console.open(office, "/envelopes", { device, as: await console.join(office, "viewer") });
      await seen.getByRole("button", { name: "Search everything" }).filter({ visible: true }).click();
      await expect(seen.getByRole("option", { name: "New envelope" }), "viewers send nothing").toHaveCount(0);
      await seen.getByRole("combobox", { name: "Search everything" }).fill("lea");
      await expect(seen.getByRole("group", { name: "Envelopes" }).getByRole("option")).toHaveCount(3);
      await lookAtDialog(seen, device, "console-21-search");
    }

    await page.goto(`${console.url}/console/account`);
    await page.getByRole("checkbox", { name: /^Use shortcuts of a single character/ }).uncheck();
    await page.goto(`${console.url}/console/envelopes`);
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("j");
    await page.keyboard.press("?");
    await expect(linkOf("Lease of the shed")).not.toBeFocused();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

async function changeTagsAndOwner(page: Page, envelope_id: EnvelopeId): Promise<void> {
  const metadata = async () => (await call("GET", `/partner/envelopes/${envelope_id}`)).metadata;
  await press(page, "Add tags");
  await type(page, "Tags", `Towers, ${"x".repeat(200)}`);
  await press(page, "Save");
  await expect(page.getByText(/^Tags must/)).toBeVisible();
  await type(page, "Tags", "Towers, North, Towers");
  await press(page, "Save");
  await expect(page.getByRole("status").getByText("Tags saved.")).toBeVisible();
  expect((await metadata()).tags.sort()).toEqual(["North", "Towers"]);
  await press(page, "Change tags");
  const chips = page.getByRole("button", { name: /^Remove tag / });
  await expect(page.getByLabel("Tags", { exact: true })).toBeFocused();
  await expect(chips).toHaveCount(2);
  const last = ((await chips.last().getAttribute("aria-label")) ?? "").slice("Remove tag ".length);
  await page.keyboard.press("Backspace");
  await expect(chips).toHaveCount(1);
  await page.keyboard.type(last.slice(0, 3).toLowerCase());
  await expect(page.getByRole("option", { name: last, exact: true })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Remove tag ${last}`, exact: true })).toBeVisible();
  await page.keyboard.type("Third,");
  await expect(chips).toHaveCount(3);
  await lookAtDialog(page, "desktop", "console-26-tags");
  await page.keyboard.press("Escape");
  await expect(page.getByText("You have unsaved changes. Close again to discard them.")).toBeVisible();
  await press(page, "Save");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await metadata()).tags.sort()).toEqual(["North", "Third", "Towers"]);
  const colleague = await console.join(org, "member", "Kim Colleague");
  await press(page, "Change owner");
  await page.getByRole("dialog").getByLabel("Owner").selectOption(colleague.user_id);
  await lookAtDialog(page, "desktop", "console-26-owner");
  await press(page, "Save");
  await expect(page.getByRole("status").getByText("Kim Colleague is the owner now.")).toBeVisible();
  expect((await metadata()).owner_user_id).toBe(colleague.user_id);
  await expect(page.getByText("Kim Colleague", { exact: true })).toBeVisible();
}

describe("an envelope that was sent", () => {
  testInAll("gets another date and reminders, is duplicated and saved as a template", { timeout: TOUR_MS }, async () => {
    const envelope_id = await sent("Lease of the tower");
    const page = await console.open(org, `/envelopes/${envelope_id}`);
    await press(page, "Change expiry");
    const date = page.getByLabel("Expires", { exact: true });
    await date.fill("2020-01-01T09:00");
    await press(page, "Save");
    await expect(page.getByText("Expires must be at least 1 hour from now")).toBeVisible();
    const inDays = new Date(Date.now() + 50 * 24 * 3_600_000).toISOString().slice(0, 10);
    await date.fill(`${inDays}T09:00`);
    await page.getByRole("checkbox", { name: "Send automatic reminders" }).check();
    await type(page, "Every … days", "4");
    await type(page, "First after … days (optional)", "10");
    await type(page, "Last … days before expiry (optional)", "2");
    await lookAtDialog(page, "desktop", "console-26-expiry");
    await press(page, "Save");
    await expect(page.getByRole("status").getByText("Expiry and reminders saved.")).toBeVisible();
    await expect(page.getByText("Every 4 days, first after 10 days, last 2 days before expiry")).toBeVisible();
    const { metadata } = await call("GET", `/partner/envelopes/${envelope_id}`);
    expect(metadata).toMatchObject({ reminders: { every_days: 4, first_after_days: 10, last_days_before: 2 } });
    expect(metadata.expires_at.slice(0, 10)).toBe(inDays);

    await press(page, "More");
    await page.getByRole("menuitem", { name: "Save as template" }).click();
    await type(page, "Name of the template", "Lease of towers");
    await page.getByRole("checkbox", { name: /^Keep names and e-mail addresses/ }).check();
    await lookAtDialog(page, "desktop", "console-26-save-as-template");
    await page.getByRole("dialog").getByRole("button", { name: "Save as template" }).click();
    await title(page, "Lease of towers").waitFor();
    await expect(page.getByText("Ann Example (ann@example.com)")).toBeVisible();

    await page.goto(`${console.url}/console/envelopes/${envelope_id}`);
    await press(page, "More");
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await expect(page).toHaveURL(/\/envelopes\/env_[^/]+\/prepare$/);
    const copy = page.url().split("/").at(-2) ?? "";
    expect(copy).not.toBe(envelope_id);
    expect((await call("GET", `/partner/envelopes/${copy}`)).metadata.signers).toEqual([ann, sam]);

    await page.goto(`${console.url}/console/envelopes/${envelope_id}`);
    await changeTagsAndOwner(page, envelope_id);
    await press(page, "Remove Sam Sample");
    const dialog = page.getByRole("dialog", { name: "Remove Sam Sample?" });
    await expect(dialog.getByText(/^Their field Landlord signature stays on the page and stays empty\.$/)).toBeVisible();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("No recipient fills in the field Landlord signature. It stays empty.")).toBeVisible();
    await look(page, "desktop", "console-26-removed-signer");
  });

  test("shows who it is waiting for, and lets the sender remind and correct signers and copy links", async () => {
    const envelope_id = await sent("Lease of the second floor", { external_id: "L-2", metadata: { floor: 2 } });
    const page = await console.open(org, `/envelopes/${envelope_id}`, { clock: "moved" });
    await title(page, "Lease of the second floor").waitFor();
    // The clock of a window that earlier tests used can be ahead.
    await expect(
      page.getByText(/Waiting for Ann Example\. Message added to the outbox (just now|in a moment|\d minutes? ago)\./),
    ).toBeVisible();
    await expect(page.getByText("Not their turn yet")).toBeVisible();
    await press(page, "Remind Ann Example");
    await expect(page.getByRole("status").getByText("Reminder sent to Ann Example.")).toBeVisible();
    expect(await typesOf(envelope_id)).toContain("envelope.reminded");
    await press(page, "Remind Ann Example");
    await expect(page.getByRole("alert")).toContainText("These signers were reminded a moment ago");

    await press(page, "Change Sam Sample");
    await type(page, "E-mail address", "not an address");
    await press(page, "Save");
    await expect(page.getByText(/^E-mail address must be an e-mail address/)).toBeVisible();
    await type(page, "E-mail address", "samuel@example.com");
    await page.getByLabel("Language").selectOption("Deutsch");
    await press(page, "Save");
    await expect(page.getByText("samuel@example.com · Deutsch")).toBeVisible();
    expect(await signersOf(envelope_id)).toMatchObject([
      { email: "ann@example.com", locale: null },
      { email: "samuel@example.com", locale: "de" },
    ]);

    await page.context().grantPermissions(["clipboard-write"], { origin: console.url });
    // Pages cannot read the clipboard here, so what is written to it is noted on the way.
    await page.evaluate(`{
      const write = navigator.clipboard.writeText.bind(navigator.clipboard);
      navigator.clipboard.writeText = (text) => { window.written = text; return write(text); };
    }`);
    await press(page, "Copy link for Ann Example");
    await expect(page.getByText("Link copied.")).toBeVisible();
    const link = await page.getByRole("link", { name: "Open in a new tab" }).getAttribute("href");
    expect(link).toMatch(new RegExp(`^${console.embedUrl}/s/[0-9a-f]{32}#k=[0-9a-f]{32}$`));
    expect(await page.evaluate("window.written")).toBe(link);
    expect(await typesOf(envelope_id)).toContain("signer.link_handed_over");
    await press(page, "Close");
    await expect(page.getByRole("button", { name: "Copy link for Ann Example" })).toBeFocused();

    const carl = { kind: "cc", email: "carl@example.com", name: "Carl Copy", delivery: "link" };
    await call("POST", `/partner/envelopes/${envelope_id}/recipients`, carl);
    await page.reload();
    await press(page, "Copy link for Carl Copy");
    await expect(page.getByText(/^Anyone with this link can read the document as Carl Copy/)).toBeVisible();
  });

  testInAll("has true times if the computer's clock is wrong, and takes a time in the computer's zone", async () => {
    const envelope_id = await sent("Lease of the lighthouse");
    const page = await console.open(org, `/envelopes/${envelope_id}`, { clock: "moved", timezoneId: "Pacific/Kiritimati" });
    await title(page, "Lease of the lighthouse").waitFor();
    await page.clock.setSystemTime(Date.now() + 3 * 24 * 3_600_000);
    await page.reload();
    const renewals = () => watchOf(page.context()).answers.filter(({ path }) => path.endsWith("/auth/refresh")).length;
    await expect(page.getByText(/^Expires .*, in 30 days$/)).toBeVisible();
    await expect(page.getByText(/Message added to the outbox (just now|in a moment|\d minutes? ago)\./)).toBeVisible();
    const date = new Date(Date.now() + 50 * 24 * 3_600_000).toISOString().slice(0, 10);
    await press(page, "Change expiry");
    await page.getByLabel("Expires", { exact: true }).fill(`${date}T09:00`);
    // The session has most of its 15 minutes, so it is not renewed after each second.
    const before = renewals();
    for (let second = 0; second < 5; second++) await page.clock.fastForward(1_000);
    await press(page, "Save");
    await expect(page.getByRole("status").getByText("Expiry and reminders saved.")).toBeVisible();
    expect(renewals()).toBe(before);
    const { expires_at } = (await call("GET", `/partner/envelopes/${envelope_id}`)).metadata;
    expect(expires_at).toBe(new Date(`${date}T09:00+14:00`).toISOString());
    await press(page, "Change expiry");
    await expect(page.getByLabel("Expires", { exact: true })).toHaveValue(`${date}T09:00`);
    await page.goto(`${console.url}/console/`);
    const today = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "Pacific/Kiritimati" }).format(new Date());
    await expect(page.getByText(new RegExp(`^${today}\\b.+\\. `))).toBeVisible();
  });

  testInAll("updates itself when signers act, and is voided only with a reason", async () => {
    const envelope_id = await sent("Lease of the third floor", {}, { signing_order: "parallel" });
    const page = await console.open(org, `/envelopes/${envelope_id}`, { clock: "moved" });
    await expect(page.getByText(/Waiting for Ann Example and Sam Sample\./)).toBeVisible();
    const one = await signingSession(service, org, envelope_id, ann.email);
    await one.see();
    expect(await statusOf(envelope_id)).toBe("viewed");
    await page.clock.fastForward(5_000);
    await expect(page.getByRole("listitem").getByText("Opened", { exact: true })).toBeVisible();
    await press(page, "Remind all");
    await expect(page.getByRole("status").getByText("Reminder sent to Ann Example and Sam Sample.")).toBeVisible();

    // The pages show what has been signed so far.
    await press(page, "Text view");
    const pages = page.getByRole("region", { name: "Pages of the document" });
    await expect(pages).toContainText("between the landlord and the tenant named below");
    await expect(pages).not.toContainText("Annabel Example");
    const values = { "Full name": "Annabel Example", Rent: "1234.50", Start: "2027-03-01", Floor: "second", Payment: "monthly" };
    await signAll(service, org, envelope_id, [[ann.email, values]]);
    await page.clock.fastForward(5_000);
    await expect(page.getByText("2 pages, with everything signed so far.")).toBeVisible();
    await expect(pages).toContainText("Annabel Example");
    await expect(pages).toContainText("2027");
    await press(page, "Text view");
    await expect(pages.getByText("Full name", { exact: false }), "no longer to be filled in").toHaveCount(0);
    await expect(pages.locator(".envelope-blank").filter({ hasText: "Sam Sample" })).toHaveCount(1);
    await expect(page.getByText(/Waiting for Sam Sample\./)).toBeVisible();

    await choose(page, "Void");
    await press(page, "Void envelope");
    await expect(page.getByText("Reason is required")).toBeVisible();
    await type(page, "Reason", "the flat is let");
    await press(page, "Void envelope");
    await expect(page.getByText("This envelope was voided and can no longer be signed. Reason: the flat is let")).toBeVisible();
    expect(await statusOf(envelope_id)).toBe("voided");
  });

  testInAll("lets a locked-out signer try again with new questions", async () => {
    const envelope_id = await sent("Lease of the fourth floor", { kba_required: true });
    const [first] = await signersOf(envelope_id);
    await setSigner(service, first?.slug as Slug, "locked");
    const page = await console.open(org, `/envelopes/${envelope_id}`);
    await expect(page.getByText(/Ann Example gave too many wrong answers in the identity check/)).toBeVisible();
    await press(page, "Questions for Ann Example");
    await type(page, "Question 1", "Where did we first meet?");
    await type(page, "Answer 1", "Springfield");
    await type(page, "Answer 1 again", "Springfeld");
    await press(page, "Set questions");
    await expect(page.getByText("Answer 1 again does not match the answer")).toBeVisible();
    await type(page, "Answer 1 again", "Springfield");
    await type(page, "Question 2", "What did we drink?");
    await type(page, "Answer 2", "tea");
    await type(page, "Answer 2 again", "tea");
    await press(page, "Set questions");
    await expect(page.getByRole("status").getByText("Questions set for Ann Example.")).toBeVisible();
    await press(page, "Unlock Ann Example");
    await expect(page.getByRole("status").getByText("Ann Example can try again.")).toBeVisible();
    expect((await signersOf(envelope_id))[0]?.status).not.toBe("locked");
    expect(await typesOf(envelope_id)).toEqual(expect.arrayContaining(["kba.set", "identity.reset"]));
  });

  testInAll("tells viewers which actions need another role", async () => {
    const envelope_id = await sent("Lease of the fifth floor");
    const page = await console.open(org, `/envelopes/${envelope_id}`, { as: await console.join(org, "viewer") });
    await expect(page.getByText(/you cannot prepare, send, remind or void envelopes/)).toBeVisible();
    await expect(page.getByRole("button", { name: /Remind|Copy|Void/ })).toHaveCount(0);
    await page.goto(`${console.url}/console/envelopes`);
    await expect(page.getByText(/you cannot send envelopes/)).toBeVisible();
    await expect(page.getByRole("link", { name: "New envelope" })).toHaveCount(0);
    await page.goto(`${console.url}/console/envelopes/new`);
    await expect(page.getByText(/you cannot send envelopes/)).toBeVisible();
  });
});

testInAll("a draft can be edited further or discarded", async () => {
  const envelope_id = await draft("Lease of the cellar");
  const page = await console.open(org, `/envelopes/${envelope_id}`);
  await expect(page.getByRole("link", { name: "Continue editing" })).toHaveAttribute("href", `/console/envelopes/${envelope_id}/prepare`);
  await choose(page, "Discard");
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("status").getByText("Draft discarded.")).toBeVisible();
  expect(await statusOf(envelope_id)).toBe("voided");
  await expect(page.getByText("This draft was discarded. It was never sent.")).toBeVisible();
  await expect(page.getByText(/pages?, a draft that was never sent\.$/)).toBeVisible();
  await expect(page.getByText(/already signed|\bas sent|their turn|Voided/i).filter({ visible: true })).toHaveCount(0);
  const details = page.getByRole("region", { name: "Details" });
  await expect(details.getByRole("definition").filter({ hasText: "Never" })).toBeVisible();
  await expect(details.getByText(/^(Not yet|Expires|Set when sent)$/)).toHaveCount(0);
  await press(page, "Download");
  await expect(page.getByRole("menuitem")).toHaveText(["Document (PDF)", "Audit trail (CSV)"]);
  // An envelope that does not exist: no attempt would find it, and no operator could help.
  watchOf(page.context()).expect(/404/);
  await page.goto(`${console.url}/console/envelopes/env_${"0".repeat(26)}`);
  await expect(page.getByRole("alert")).toHaveText("Envelope not found");
});

testInAll.each(tourDevices)(
  "every tab of an envelope is accessible and fits narrow windows, on %s",
  { timeout: TOUR_MS },
  async (device) => {
    const more = { external_id: "L-6", metadata: { floor: 6 }, secured_party: { name: "First Example Bank, N.A.", role: "Lender" } };
    // One long word without a place for a line break.
    const name = "Landlordsandtenants".repeat(8);
    const long = {
      signers: [
        { ...ann, locale: "fr" },
        { ...sam, name },
      ],
      customer_name: name,
      customer_email: "long@example.com",
    };
    const open = await sent("Lease of the sixth floor", { ...more, ...long }, { signing_order: "parallel" });
    const page = await console.open(org, `/envelopes/${open}`, { device });
    await page.getByRole("region", { name: "Pages of the document" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("img", { name: /Page 1 of 2/ })).toBeVisible();
    const pages = page.getByRole("region", { name: "Pages of the document" });
    const width = async () => (await pages.locator('[data-page="1"]').boundingBox())?.width ?? 0;
    const before = await width();
    await press(page, "Zoom in");
    await expect.poll(width).toBeCloseTo(before * 1.25, 0);
    await expectNarrow(page);
    await press(page, "Zoom out");
    if (device === "desktop") {
      const second = page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: /^Page 2\b.*\d+ fields? to fill in$/ });
      await second.click();
      await expect(second).toHaveAttribute("aria-current", "page");
      await expect(page.getByRole("img", { name: /Page 2 of 2/ })).toBeInViewport();
      await page.getByRole("region", { name: "Details" }).getByText("Secured party").scrollIntoViewIfNeeded();
      await expect(pages, "the document stays beside the longer column").toBeInViewport({ ratio: 0.9 });
    }
    await title(page, "Lease of the sixth floor").scrollIntoViewIfNeeded();
    await look(page, device, "console-22-envelope");
    await expectNarrow(page);
    await press(page, "Text view");
    await expect(page.getByText("between the landlord and the tenant named below")).toBeVisible();
    const activity = page.getByRole("region", { name: "Activity" });
    await expect(activity).toContainText(`sent the envelope to Ann Example and ${name}`);
    await expect(activity).not.toContainText("Document prepared for signing");
    await activity.getByRole("button", { name: /^Show \d+ technical events?$/ }).click();
    await expect(activity).toContainText("Document prepared for signing");
    await press(page, "Hide technical events");
    await activity.getByRole("button", { name: "Changes" }).click();
    await expect(activity.getByRole("listitem")).toHaveText([/ created the envelope/]);
    await activity.locator("summary").click();
    await expect(activity.locator("pre")).toContainText('"type": "envelope.created"');
    await expectNarrow(page);
    await activity.getByRole("link", { name: "Full audit trail" }).click();
    await expect(page.getByRole("tab", { name: "Audit trail" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("row", { name: /Envelope sent/ })).toContainText("UTC");
    await look(page, device, "console-23-timeline");
    await expectNarrow(page);
    await openTab(page, "Compliance");
    await expect(page.getByText("Compliance is checked when everyone has signed.", { exact: false })).toBeVisible();
    await expect(page.getByText(/of 100/)).toHaveCount(0);
    await look(page, device, "console-24-compliance");
    await expectNarrow(page);
    await expect(page.getByRole("tab", { name: "API" }), "only for those who want to see API calls").toHaveCount(0);
    await page.evaluate("localStorage.setItem('countersign.api-calls', 'on')");
    await page.reload();
    await openTab(page, "API");
    await expect(page.getByText(`/partner/envelopes/${open}/signing-links`)).toBeVisible();
    await look(page, device, "console-25-envelope-api");
    await expectNarrow(page);
    await page.evaluate("localStorage.removeItem('countersign.api-calls')");
    await page.reload();
    await openTab(page, "Overview");
    await press(page, "Copy link for Ann Example");
    await lookAtDialog(page, device, "console-26-signing-link");
    await press(page, "Close");
    await press(page, "Change Ann Example");
    await lookAtDialog(page, device, "console-26-correct-signer");
    await press(page, "Cancel");
    await choose(page, "Void");
    await lookAtDialog(page, device, "console-27-void");
    const { customer_id } = await call("GET", `/partner/envelopes/${open}`);
    await page.goto(`${console.url}/console/envelopes?customer_id=${customer_id}`);
    await expect(page.getByText(`Customer: ${name}`)).toBeVisible();
    await expectNarrow(page);
  },
);

testInAll("a completed document is stored in the vault on request, once the terms are accepted", { timeout: TOUR_MS }, async () => {
  const envelope_id = await completedEnvelope(service, org);
  const page = await console.open(org, `/envelopes/${envelope_id}`);
  const nameOf = async (item: string) => {
    await press(page, "Download");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
    return saved.suggestedFilename();
  };
  expect([await nameOf("Completion certificate (PDF)"), await nameOf("Document (PDF)"), await nameOf("Audit trail (CSV)")]).toEqual([
    expect.stringMatching(/^\w.* – completion certificate\.pdf$/),
    expect.stringMatching(/ – signed\.pdf$/),
    expect.stringMatching(/ – audit trail\.csv$/),
  ]);
  await press(page, "Store in vault");
  await expect(page.getByText(/^1\. Authority\./)).toBeVisible();
  await lookAtDialog(page, "desktop", "console-28-store-in-vault");
  await press(page, "Store document");
  await expect(page.getByText("Tick the box to accept the terms.")).toBeVisible();
  expect(await statusOf(envelope_id)).toBe("completed");
  await page.getByLabel(/I accept the certification terms/).check();
  await type(page, "Accepted by", "Ann Example");
  await press(page, "Store document");
  await expect(page.getByRole("link", { name: "Open in vault" })).toBeVisible({ timeout: 30_000 });
  expect(await statusOf(envelope_id)).toBe("vaulted");
  expect(await typesOf(envelope_id)).toContain("certification.accepted");
  await expect(page.getByText("1 page, a marked copy of the signed document", { exact: false })).toBeVisible();
  await press(page, "Text view");
  await expect(page.getByText(/COPY/).first()).toBeVisible();
  await openTab(page, "Compliance");
  await expect(page.getByText(/Certified/)).toBeVisible();
  await expect(page.getByText(/\b(POST|PUT) /), "a remedy is a button, not a call").toHaveCount(0);
  await press(page, "Name the secured party");
  await type(page, "Name of the secured party", "First Example Bank, N.A.");
  watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
  const dialog = page.getByRole("dialog", { name: "Name the secured party" });
  const send = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  const isLost = await loseAnswer(page, /\/secured-party$/, "PUT");
  await send("Name the secured party");
  await isLost();
  await expect(dialog.getByText(/^Countersign is not responding/)).toBeVisible();
  await expect(dialog.getByLabel("Name of the secured party")).toHaveValue("First Example Bank, N.A.");
  // The party is on record from the first attempt. This one does not get as far as the checks, and the dialog says so.
  await page.route(/\/compliance$/, (route) => (route.request().method() === "POST" ? route.abort("connectionreset") : route.fallback()));
  await send("Name the secured party");
  await expect(dialog.getByText("First Example Bank, N.A. is now the secured party. The checks were not run again.")).toBeVisible();
  await expect(dialog.getByText(/^Countersign is not responding/)).toBeVisible();
  await page.unroute(/\/compliance$/);
  await send("Run checks again");
  await expect(dialog).toHaveCount(0);
  expect((await typesOf(envelope_id)).filter((one) => one === "assignment.recorded")).toHaveLength(1);
  await expect(page.getByText(/^100 of 100, attested\./)).toBeVisible();
  await look(page, "desktop", "console-29-certified");

  // The vault shows the same checks with the same remedies, and each check that is not proven has one, or says why there is none.
  const remedies = () =>
    page.locator(".checks-row:not(.proven)").evaluateAll((rows) =>
      rows.map((row) => {
        const texts = (selector: string) => [...row.querySelectorAll(selector)].map(({ textContent }) => textContent);
        return [texts("h3"), texts(".checks-nothing"), texts("button, a.button")];
      }),
    );
  const offered = await remedies();
  expect(offered.length).toBeGreaterThan(4);
  expect(offered.filter(([, reasons = [], buttons = []]) => reasons.length + buttons.length === 0)).toEqual([]);
  expect(offered).toContainEqual([["Audit trail"], [expect.stringMatching(/^Nothing to do for this document\./)], ["Open evidence log"]]);
  await page.goto(`${console.url}/console/vault/${envelope_id}`);
  await expect(page.locator(".checks-row")).toHaveCount(8);
  expect(await remedies()).toEqual(offered);

  await org.admin("PATCH", "/org/settings", { body: { require_external_time: true } });
  const trail = page.locator(".checks-row").filter({ has: page.getByRole("heading", { name: "Audit trail" }) });
  await press(page, "Run checks again");
  await expect(trail).toContainText("Restore or configure the time-stamp authority or the witnesses.");
  await org.admin("PATCH", "/org/settings", { body: { require_external_time: false } });
  await trail.getByRole("button", { name: "Run checks again" }).click();
  await expect(trail.getByRole("button", { name: "Run checks again" })).toHaveCount(0);
  await expect(page.getByText(/^Checks run again: 100 of 100, attested\./)).toBeVisible();

  // Nothing can be added to a signature later.
  await service.database.owner(
    `update certificates set result = jsonb_set(result, '{checks,4}', result #> '{checks,4}' || $2) where envelope_id = $1`,
    [
      envelope_id,
      JSON.stringify({
        satisfied: false,
        grade: "not_shown",
        remedy: "Collect the act in a new envelope; a completed one is never reopened.",
      }),
    ],
  );
  await page.goto(`${console.url}/console/envelopes/${envelope_id}?tab=compliance`);
  await press(page, "Duplicate envelope");
  await expect(page).toHaveURL(/\/envelopes\/env_\w+\/prepare/);
  expect(page.url()).not.toContain(envelope_id);
});
