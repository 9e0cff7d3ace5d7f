import type { Download } from "@playwright/test";
import { describe } from "vitest";
import { type Device, devices, expect, type Page, test, testInAll } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look as lookAt, lookAtDialog, tourDevices } from "./screens.ts";

/** Customers in the console: search, add, edit, and import of ten thousand rows. */

const console = await testConsole();
const { service } = console;

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
/** Checks a screen as usual, and that it does not scroll sideways at 320 px. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  if (device !== "desktop") return;
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(320);
  await page.setViewportSize(devices.desktop.viewport);
}
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const shown = (page: Page) => page.getByRole("table").getByRole("row");

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const choose = (page: Page, text: string, name = "customers.csv") => page.getByLabel("Choose a CSV file").setInputFiles(csv(name, text));

async function textOf(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

describe("customers", () => {
  test("are added, found, edited, and shown with their envelopes", async () => {
    const org = await service.newOrg("Example Company");
    const page = await console.open(org, "/customers");
    await page.getByRole("heading", { name: "No customers yet" }).waitFor();
    await look(page, "desktop", "console-60-customers-none");
    await press(page, "New customer");
    await type(page, "Name", "Ann Example");
    await type(page, "E-mail address", "nowhere");
    await type(page, "Client ID", " C-1007 ");
    await page.getByText("Contact", { exact: true }).click();
    await type(page, "Website", "javascript:alert(1)");
    await page.getByText("Contact", { exact: true }).click();
    await press(page, "Add customer");
    await expect(page.getByText("E-mail address must be an e-mail address, for example ann@example.com")).toBeVisible();
    await expect(page.getByText("Website must be a web address that begins with http:// or https://")).toBeVisible();
    await expect(page.getByLabel("E-mail address", { exact: true })).toBeFocused();
    await expect(page.getByText(/Validation failed|Reference req_/), "the fields say all of it").toHaveCount(0);
    await lookAtDialog(page, "desktop", "console-61-customer-refused");
    await page.keyboard.press("Escape");
    await expect(page.getByText("You have unsaved changes. Close again to discard them.")).toBeVisible();
    await type(page, "E-mail address", "ann@example.com");
    await type(page, "Website", "https://acme.example");
    await type(page, "Company", "Acme");
    await press(page, "Add customer");
    await expect(page.getByText("Ann Example was added.")).toBeVisible();
    const known = (await org.admin("GET", "/partner/customers?client_id=C-1007")).json.data;
    expect(known).toMatchObject({ name: "Ann Example", email: "ann@example.com", company: "Acme", website_url: "https://acme.example" });

    await page.getByRole("link", { name: "Ann Example" }).click();
    await title(page, "Ann Example").waitFor();
    await page.getByRole("heading", { name: "No envelopes yet" }).waitFor();
    await press(page, "Edit");
    await type(page, "Company", "");
    await type(page, "Phone", "+49 30 1234567");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await press(page, "Save");
    expect((await sent).postDataJSON()).toEqual({ company: null, phone: "+49 30 1234567" });
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "+49 30 1234567" })).toBeVisible();
    const changed = (await org.admin("GET", `/partner/customers/${known.customer_id}`)).json.data;
    expect(changed).toMatchObject({ name: "Ann Example", company: null, phone: "+49 30 1234567" });

    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann Example" };
    const signers = [{ email: "ann@example.com", name: "Ann Example", role: "Tenant" }];
    const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body: { ...body, signers } })).json.data;
    await page.reload();
    await expect(row(page, "Lease")).toContainText("Draft");
    await expect(row(page, "Lease")).toContainText("0 of 1");
    await expect(page.getByRole("link", { name: "Lease" })).toHaveAttribute("href", `/console/envelopes/${envelope_id}`);
    const next = page.getByRole("link", { name: "New envelope" });
    await expect(next).toHaveAttribute("href", `/console/envelopes/new?customer=${known.customer_id}`);

    const taken = (await org.admin("POST", "/partner/customers", { body: { client_id: "C-1008" } })).json.data;
    await page.goto(`${console.url}/console/customers/${taken.customer_id}`);
    await title(page, "C-1008").waitFor();
    await press(page, "Edit");
    await type(page, "Client ID", "c-1007");
    await press(page, "Save");
    await expect(page.getByText("Client ID belongs to another customer")).toBeVisible();
    await press(page, "Cancel");

    await press(page, "More");
    await page.getByRole("menuitem", { name: "Merge a duplicate" }).click();
    await page.getByRole("dialog", { name: "Merge a duplicate" }).waitFor();
    await press(page, "Merge");
    await expect(page.getByText("Choose a customer first.")).toBeVisible();
    await type(page, "Duplicate", "ann exam");
    await page.getByRole("radio", { name: /Ann Example/ }).check();
    await expect(page.getByText("Taken over from the duplicate: Name, E-mail address, Phone, Website.")).toBeVisible();
    await expect(page.getByText("Both have a value, and this customer's stays: Client ID.")).toBeVisible();
    await lookAtDialog(page, "desktop", "console-61-customer-merge");
    await press(page, "Merge");
    await expect(page.getByText("Ann Example was merged into this customer. 1 envelope moved.")).toBeVisible();
    await title(page, "Ann Example").waitFor();
    await expect(row(page, "Lease")).toContainText("Draft");
    const merged = page.getByRole("region", { name: "Merged customers" });
    await expect(merged.getByRole("row", { name: /^Ann Example/ })).toContainText(known.customer_id);
    // A draft that was given up was never voided, and leaves the list as it leaves that of all envelopes.
    const givenUp = (await org.admin("POST", "/partner/envelopes", { body: { ...body, envelope_name: "Given up" } })).json.data;
    await org.admin("DELETE", `/partner/envelopes/${givenUp.envelope_id}`);
    await page.goto(`${console.url}/console/customers/${known.customer_id}`);
    await expect(row(page, "Lease")).toContainText("Draft");
    await expect(page.getByRole("link", { name: "Given up" })).toHaveCount(0);
    await expect(page.getByRole("definition").filter({ hasText: taken.customer_id })).toBeVisible();

    await page.getByRole("main").getByRole("link", { name: "Customers" }).click();
    await press(page, "Actions for Ann Example");
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await press(page, "Delete");
    await expect(page.getByText("The customer cannot be deleted: 1 draft (discard first)").first()).toBeVisible();
    await lookAtDialog(page, "desktop", "console-61-customer-kept");
    await org.admin("DELETE", `/partner/envelopes/${envelope_id}`);
    await press(page, "Delete");
    await expect(page.getByText("Ann Example was deleted.")).toBeVisible();
    await page.getByRole("heading", { name: "No customers yet" }).waitFor();
  });

  testInAll("are searched shortly after the last key press and paged; viewers are told which role they need", async () => {
    const org = await service.newOrg("Example Company");
    const many = Array.from({ length: 25 }, (_, n) => `C-${n},Person ${n},person${n}@example.com,${n === 7 ? "Blue Harbour" : "Acme"}`);
    const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="c.csv"\r\n\r\nclient_id,name,email,company\n${many.join("\n")}\r\n--b--\r\n`;
    await org.admin("POST", "/customers/bulk", { raw: form, headers: { "content-type": "multipart/form-data; boundary=b" } });
    for (const device of tourDevices) {
      const page = await console.open(org, "/customers", { device });
      await expect(page.getByText("1–20 of 25")).toBeVisible();
      await look(page, device, "console-62-customers");
      await press(page, "Next");
      await expect(page.getByText("21–25 of 25")).toBeVisible();
      await type(page, "Search", "blue harb");
      await expect(shown(page)).toHaveCount(2);
      await expect(page).toHaveURL(`${console.url}/console/customers?q=blue+harb`);
      await page.reload();
      await expect(page.getByLabel("Search", { exact: true })).toHaveValue("blue harb");
      await row(page, "Person 7").getByRole("link").click();
      await title(page, "Person 7").waitFor();
      await page.getByRole("heading", { name: "No envelopes yet" }).waitFor();
      await look(page, device, "console-63-customer");
      await press(page, "Edit");
      await lookAtDialog(page, device, "console-64-customer-edit");
    }
    const viewer = await console.open(org, "/customers?q=nobody", { as: await console.join(org, "viewer") });
    await expect(viewer.getByText("No customer matches “nobody”")).toBeVisible();
    await expect(viewer.getByText("you cannot add or edit customers.")).toBeVisible();
    await expect(viewer.getByRole("button", { name: "New customer" })).toHaveCount(0);
    await press(viewer, "Show all customers");
    await expect(viewer.getByText("1–20 of 25")).toBeVisible();
  });
});

describe("a file of customers", () => {
  const ROWS = 10_000;
  // Every fiftieth row is invalid: 200 rows.
  const rows = Array.from({ length: ROWS }, (_, n) => `F-${n},"Person, ${n}",${n % 50 === 7 ? "nowhere" : `person${n}@example.com`},x`);
  const file = `\ufeffclient_id,name,email,=shoe size\r\n${rows.join("\r\n")}\r\n`;

  testInAll("with ten thousand rows is previewed and imported, and its invalid rows are reported", async () => {
    const org = await service.newOrg("Example Company");
    for (const device of tourDevices) {
      const page = await console.open(org, "/customers/upload", { device });
      await page.getByText("Drop a file here or").waitFor();
      await look(page, device, "console-65-upload");
      await choose(page, file);
      await expect(page.getByText("3 of 4 columns are customer fields. Skipped: =shoe size.")).toBeVisible();
      await expect(page.getByRole("cell")).toHaveText(
        rows.slice(0, 5).flatMap((_, n) => [`F-${n}`, `Person, ${n}`, `person${n}@example.com`, "x"]),
      );
      await look(page, device, "console-66-upload-preview");
      await page.getByRole("button", { name: /^Upload \d+ KB$/ }).click();
      await page.getByRole("heading", { name: "Imported, except for the rejected rows" }).waitFor({ timeout: 60_000 });
      await expect(title(page, "Upload customers")).toBeFocused();
      await look(page, device, "console-67-uploaded");
      if (device !== "desktop") continue;
      for (const figure of ["Rows10,000", "Created9,800", "Updated0", "Failed200"])
        await expect(page.locator(".figures > div", { hasText: figure })).toBeVisible();
      await expect(shown(page)).toHaveCount(101);
      await expect(page.getByText("Showing the first 100 of 201. The download contains all of them.")).toBeVisible();
      const saving = page.waitForEvent("download");
      await press(page, "Download errors");
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe("customers errors.csv");
      const lines = (await textOf(saved)).split("\r\n");
      expect(lines).toHaveLength(203);
      expect(lines.slice(0, 3)).toEqual([
        '"row","column","message"',
        `"1","'=shoe size","is not a field of a customer and was ignored"`,
        '"9","email","must be an e-mail address, for example ann@example.com"',
      ]);
    }
    const [entry] = (await org.admin("GET", "/org/audit-trail?limit=20")).json.data
      .filter((one: { type: string }) => one.type === "customers.uploaded")
      .slice(-1);
    expect(entry.data).toMatchObject({ rows: ROWS, created: 9_800, updated: 0, failed: 200 });
    expect((await org.admin("GET", "/partner/customers?client_id=f-9999")).json.data.name).toBe("Person, 9999");
    expect((await org.admin("GET", "/partner/customers?client_id=F-7")).status).toBe(404);
  });

  testInAll("can be cancelled, and imported rows are kept; an invalid file is rejected with the API's message", async () => {
    const org = await service.newOrg("Example Company");
    const page = await console.open(org, "/customers/upload");
    await choose(page, "shoe size\n42\n");
    await expect(page.getByText("The first row contains no supported column. The upload will be rejected.")).toBeVisible();
    await page.getByRole("button", { name: /^Upload/ }).click();
    await expect(page.getByRole("alert")).toContainText("the first row must name the columns, such as name, email, phone");
    await press(page, "Choose another file");
    await drop(page, file);
    // On this slow connection the upload takes half a minute, which leaves time to cancel it.
    const line = await page.context().newCDPSession(page);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 16_000 };
    await line.send("Network.emulateNetworkConditions", conditions);
    await page.getByRole("button", { name: /^Upload/ }).click();
    await expect(page.getByText(/^[1-9]\d% uploaded/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
    await look(page, "desktop", "console-68-uploading");
    await page.getByRole("link", { name: "Members" }).click();
    await expect(page.getByRole("alert").getByText(/^The upload is still running/)).toBeVisible();
    await press(page, "Stay here");
    await press(page, "Cancel");
    await expect(page.getByText("Upload cancelled. Rows already imported are kept.")).toBeVisible();
    const written = async () => {
      const entries: readonly { type: string; data: { created: number } }[] = (await org.admin("GET", "/org/audit-trail")).json.data;
      return entries.find((one) => one.type === "customers.uploaded")?.data.created ?? 0;
    };
    await expect.poll(written).toBeGreaterThan(0);
    expect(await written()).toBeLessThan(9_800);
    expect((await org.admin("GET", "/partner/customers?client_id=F-0")).json.data.name).toBe("Person, 0");
    expect((await org.admin("GET", "/partner/customers?client_id=F-9999")).status).toBe(404);
  });

  /** Drops a file as from a file manager. */
  async function drop(page: Page, text: string): Promise<void> {
    const given = await page.evaluateHandle(`(() => {
      const given = new DataTransfer();
      given.items.add(new File([${JSON.stringify(text)}], "dropped.csv", { type: "text/csv" }));
      return given;
    })()`);
    await page.getByText("Drop a file here or").dispatchEvent("drop", { dataTransfer: given });
    await page.getByRole("heading", { name: "dropped.csv" }).waitFor();
  }
});
