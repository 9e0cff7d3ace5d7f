import { writeCsv } from "@countersign/csv";
import { describe } from "vitest";
import { newTemplate } from "../../server/test/lease.ts";
import { type Device, devices, expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { look as lookAt, lookAtDialog, tourDevices } from "./screens.ts";

/** Bulk send in the console: from the template to the result. */

const console = await testConsole();
const { service } = console;

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** Checks a screen as usual, and that it does not scroll sideways at 320 px. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  if (device !== "desktop") return;
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(320);
  await page.setViewportSize(devices.desktop.viewport);
}

const HEADER = ["Tenant.name", "Tenant.email", "Landlord.name", "Landlord.email", "field.rent"];
const person = (n: number) => [`Tenant ${n}`, `tenant${n}@example.com`, `Landlord ${n}`, `landlord${n}@example.com`];

/** Twelve rows, of which three have problems and one is there twice. */
function file(): string {
  const rows = Array.from({ length: 11 }, (_, n) => [...person(n), n < 3 ? "a lot" : "950"]);
  return writeCsv([HEADER, ...rows, rows[10] ?? []]);
}
const choose = (page: Page, text: string, name: string) =>
  page.getByLabel("Choose a CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

describe("a bulk send", () => {
  for (const device of tourDevices) {
    test(`is uploaded, checked, started and finished (${device})`, async () => {
      const org = await service.newOrg("Example Company");
      const template_id = await newTemplate(await org.newKey());
      const page = await console.open(org, `/templates/${template_id}`, { device });
      await title(page, "Lease").waitFor();
      await page.getByRole("link", { name: "Send in bulk" }).click();
      await title(page, "Send in bulk: Lease").waitFor();
      await expect(page.getByText("Each row needs a name and an e-mail address for: Tenant, Landlord.")).toBeVisible();
      await press(page, "Check rows");
      await expect(page.getByText("File must be chosen")).toBeVisible();
      const [example] = await Promise.all([page.waitForEvent("download"), press(page, "Download example file")]);
      expect(example.suggestedFilename()).toBe("bulk.csv");

      await choose(page, "Tenant.name,Tenant.email,Rent\nAnn,ann@example.com,9", "wrong.csv");
      await look(page, device, "console-80-bulk-upload");
      await press(page, "Check rows");
      await title(page, "wrong").waitFor();
      await expect(page.getByRole("status").filter({ hasText: "This file cannot be used." })).toHaveCount(1);
      await expect(page.getByRole("row").filter({ hasText: "Landlord.email" })).toContainText("is missing");
      await expect(page.getByRole("row").filter({ hasText: "Rent" })).toContainText("is not a column for this template");
      await look(page, device, "console-81-bulk-refused");

      await page.getByRole("link", { name: "Upload another file" }).click();
      await title(page, "Send in bulk: Lease").waitFor();
      await choose(page, file(), "Leases of May.csv");
      await page.getByLabel("Tags (optional)").fill("May, 2026");
      await press(page, "Check rows");
      await title(page, "Leases of May").waitFor();
      await expect(page.getByRole("status").filter({ hasText: "9 rows are ready. 3 have problems." })).toHaveCount(1);
      await expect(page.getByText("1 row has the same people and values as another row.")).toBeVisible();
      await expect(page.getByRole("row").filter({ hasText: "tenant0@example.com" })).toContainText("field.rent must be a number");
      await look(page, device, "console-82-bulk-checked");
      const [wrong] = await Promise.all([page.waitForEvent("download"), press(page, "Download rows with problems")]);
      expect(wrong.suggestedFilename()).toMatch(/^bat_\w+\.csv$/);
      expect((await org.admin("GET", "/partner/envelopes")).json.data).toEqual([]);

      await press(page, "Send 9 envelopes");
      const dialog = page.getByRole("dialog", { name: "Send 9 envelopes?" });
      await dialog.getByRole("button", { name: "Send", exact: true }).click();
      await expect(dialog.getByText("Tick the box to leave these rows out, or cancel and correct them.")).toBeVisible();
      await lookAtDialog(page, device, "console-83-bulk-start");
      await dialog.getByLabel("Leave out 3 rows with problems").check();
      await dialog.getByRole("button", { name: "Send", exact: true }).click();
      await expect(page.getByRole("status").filter({ hasText: "9 envelopes were sent." })).toHaveCount(1, { timeout: 15_000 });
      await expect(page.getByRole("row").filter({ hasText: "tenant5@example.com" })).toContainText("Sent");
      await look(page, device, "console-84-bulk-ended");

      await page.getByRole("link", { name: "View envelopes" }).click();
      await expect(page.getByText("Bulk send: Leases of May")).toBeVisible();
      await expect(page.getByRole("table").getByRole("row")).toHaveCount(10);
      await page.goto(page.url().replace(/\/envelopes.*$/, "/notifications"));
      await page.getByRole("link", { name: "The bulk send Leases of May has ended: 9 sent" }).click();
      await title(page, "Leases of May").waitFor();
      await page.getByRole("link", { name: "Bulk send", exact: true }).last().click();
      await expect(page.getByRole("row").filter({ hasText: "Leases of May" })).toContainText("Finished");
      await look(page, device, "console-85-bulk-sends");
    });
  }
});
