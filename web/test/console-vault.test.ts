import { beforeAll, describe } from "vitest";
import { text } from "../../pdf/fixtures/pages.ts";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { flipBit, vaultedByPipeline } from "../../server/test/vaulted.ts";
import { type Device, expect, type Page, test } from "./browser.ts";
import { type Colleague, testConsole } from "./console.ts";
import { longDocument, paper } from "./documents.ts";
import { look as lookAt, shoot, toured } from "./screens.ts";
import { secured_party } from "./vaulting.ts";

/** The vault as the people of an organization see it, and how custody passes between them. */

const console = await testConsole();
const { service } = console;
let org: TestOrg;
let sam: Colleague;
let viewer: Colleague;

beforeAll(async () => {
  org = await service.newOrg("Example Company");
  sam = await console.join(org, "member", "Sam Sample");
  viewer = await console.join(org, "viewer");
});

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, words: string) => page.getByLabel(label, { exact: true }).fill(words);
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
const said = (page: Page, words: string | RegExp) => expect(page.locator(".status-notice")).toContainText(words);
const read = async (path: string) => (await org.admin("GET", path)).json.data;

const scan = () => ({
  name: "Equipment lease.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(paper([text("Equipment lease, signed in ink", 72, 600, 12), text(`No. ${Math.random()}`, 72, 560, 12)])),
});
// Nothing in it where a line could end.
const LONG_NAME = "Equipmentleasing".repeat(10);
const today = new Date().toISOString().slice(0, 10);

/** Judged as it is, and at the width at which a page is still to be read without scrolling sideways. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await page.evaluate<number>("document.documentElement.scrollWidth"), `${name} at 320 px`).toBe(320);
  await page.setViewportSize(size);
}

async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, button)]);
  return file.suggestedFilename();
}

describe("an empty vault", () => {
  test("says what comes into it, and how", async () => {
    const other = await service.newOrg("Young Company");
    const viewer = await console.join(other, "viewer");
    const page = await console.open(other, "/vault");
    await expect(page.getByRole("heading", { name: "The vault is empty" })).toBeVisible();
    await look(page, "desktop", "console-50-vault-empty");
    await page.goto(`${console.url}/console/custody`);
    await page.getByText("Nobody asks you to take custody").waitFor();
    await look(page, "desktop", "console-51-custody-empty");
    const looking = await console.open(other, "/vault/deposit", { as: viewer });
    await expect(looking.getByText("You need the member role to deposit documents. Your role is viewer.")).toBeVisible();
  });
});

describe("a vaulted document", () => {
  const made: { device: Device; envelope_id: EnvelopeId; envelope_name: string }[] = [];

  beforeAll(async () => {
    for (const device of toured) {
      const envelope_name = `Equipment lease ${device}`;
      const envelope_id = await vaultedByPipeline(service, org, { envelope_name, pdf: longDocument(3), secured_party });
      made.push({ device, envelope_id, envelope_name });
    }
  });

  test("is found, judged again, kept longer, held and assigned with consent", async () => {
    for (const { device, envelope_id, envelope_name } of made) await lookAfter(device, envelope_id, envelope_name);
  });

  test("is handed to a colleague, who accepts in their own window; nobody accepts what they began themselves", async () => {
    for (const { device, envelope_id, envelope_name } of made) await handOver(device, envelope_id, envelope_name);
  });

  test("leaves in two acts: packed, then acknowledged with what arrived; the key is shown once", async () => {
    for (const { device, envelope_id } of made) await leave(device, envelope_id);
  });

  test("is searched for with what was typed in the moment in which the field was drawn", async () => {
    const page = await console.open(org, "/vault");
    await page.addInitScript(`new MutationObserver((_changes, observer) => {
      const field = document.querySelector("input[name=q]");
      if (field === null) return;
      observer.disconnect();
      field.value = "Equipment";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    for (const list of ["vault", "envelopes"]) {
      await page.goto(`${console.url}/console/${list}`);
      await expect(page).toHaveURL(/q=Equipment/);
    }
  });

  async function lookAfter(device: Device, envelope_id: EnvelopeId, envelope_name: string): Promise<void> {
    const at = `/partner/envelopes/${envelope_id}`;
    const page = await console.open(org, "/vault", { device });

    await type(page, "Name or external id", envelope_name);
    await expect(page).toHaveURL(/q=Equipment/);
    const row = page.getByRole("row").filter({ hasText: envelope_name });
    await expect(row).toContainText("In the vault");
    await expect(row).toContainText("100 of 100, passed");
    await look(page, device, "console-52-vault");
    await page.getByLabel("Checks", { exact: true }).selectOption("false");
    await expect(page.getByText("Nothing in the vault is like that")).toBeVisible();
    await press(page, "Show all");
    await page.getByRole("link", { name: envelope_name }).click();

    await title(page, envelope_name).waitFor();
    await expect(page.locator("details.check")).toHaveCount(8);
    await press(page, "Evaluate again");
    await said(page, "Everything was looked at again: 100 of 100, passed.");
    await expect(page.getByText(/^certificate 2,/)).toBeVisible();
    expect((await read(`${at}/vault`)).certificate.revision).toBe(2);
    await look(page, device, "console-53-vault-checks");

    await tab(page, "Record");
    await page.getByText("countersign-verify bundle.zip").waitFor();
    await look(page, device, "console-54-vault-record");
    expect(await download(page, "Download the certificate as PDF")).toBe(`${envelope_id}-r2.pdf`);
    expect(await download(page, "Download the evidence bundle as ZIP")).toMatch(/\.zip$/);
    await type(page, "Keep until", "2045-01-31");
    await press(page, "Keep longer");
    await said(page, "It is kept until");
    expect((await read(`${at}/vault`)).retention_until).toBe("2045-01-31T00:00:00.000Z");
    await type(page, "Reason for a hold", "Lawsuit 7/2026");
    await press(page, "Place a hold");
    await said(page, "The hold is placed");
    expect((await read(`${at}/vault`)).legal_hold).toBe(true);

    await tab(page, "Exports");
    await expect(page.getByText("A legal hold stands.")).toBeVisible();
    await tab(page, "Record");
    await press(page, "Release the hold “Lawsuit 7/2026”");
    await shoot(page, device, "console-55-vault-release-hold");
    await press(page, "Release the hold");
    await said(page, "The hold is released.");
    expect((await read(`${at}/vault`)).legal_hold).toBe(false);

    await tab(page, "Custody and parties");
    await press(page, "Assign to another party");
    await expect(page.getByLabel("Name of the secured party", { exact: true })).toBeFocused();
    await type(page, "Name of the secured party", "Second Example Bank");
    await press(page, "Assign the record");
    await expect(page.getByLabel("Given by", { exact: true })).toBeFocused();
    await type(page, "Given by", "Ann Example");
    await type(page, "What they stated (optional)", "We assign the lease to Second Example Bank.");
    await look(page, device, "console-56-vault-assign");
    await press(page, "Assign the record");
    await said(page, "The record is assigned to Second Example Bank.");
    const [latest] = await read(`${at}/assignments`);
    expect([latest.secured_party.name, latest.consent.given_by.name, latest.status]).toEqual([
      "Second Example Bank",
      "Ann Example",
      "effective",
    ]);
  }

  /** Two people, two windows: nobody hands custody to themselves. */
  async function handOver(device: Device, envelope_id: string, name: string): Promise<void> {
    const page = await console.open(org, `/vault/${envelope_id}?tab=custody`, { device });
    await press(page, "Transfer custody");
    await expect(page.getByLabel("New custodian")).toBeFocused();
    await expect(page.getByLabel("New custodian")).not.toContainText(viewer.name);
    await press(page, "Not now");
    await expect(page.getByRole("button", { name: "Transfer custody" })).toBeFocused();
    await press(page, "Transfer custody");
    await press(page, "Ask them to take custody");
    await expect(page.getByRole("alert")).toHaveText("Choose who takes it.");
    await page.getByLabel("New custodian").selectOption({ label: `${sam.name} (${sam.email})` });
    await type(page, "Reason (optional)", "Sam looks after leases now");
    await press(page, "Ask them to take custody");
    await said(page, "Sam Sample is asked to take custody.");
    await expect(title(page, name)).toBeFocused();
    await look(page, device, "console-57-vault-custody");
    const other = await console.open(org, "/custody", { device, as: sam });
    await expect(other.getByRole("row").filter({ hasText: name })).toContainText("in 6 days");
    await look(other, device, "console-58-custody");
    await press(other, `Reject ${name}`);
    await type(other, "Reason (optional)", "Not before May");
    await press(other, "Reject");
    await said(other, `You rejected custody of ${name}; nothing has changed.`);
    const body = { to_user_id: sam.user_id };
    const offered = await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body });
    await other.reload();
    await press(other, `Accept ${name}`);
    await org.admin("POST", `/partner/custody-transfers/${offered.json.data.permission_id}/cancel`);
    await press(other, "Take custody");
    await expect(other.getByRole("dialog").getByRole("alert")).toBeVisible();
    await expect(other.getByRole("dialog")).toContainText(`“${name}”`);
    await press(other, "Not now");
    await expect(other.getByText("Nobody asks you to take custody")).toBeVisible();
    expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body })).status).toBe(201);
    await other.reload();
    await press(other, `Accept ${name}`);
    await shoot(other, device, "console-59-custody-accept");
    await press(other, "Take custody");
    await said(other, `You are the custodian of ${name} now.`);
    expect((await read(`/partner/envelopes/${envelope_id}/vault`)).custodian.user_id).toBe(sam.user_id);

    await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id: org.user_id } });
    await page.goto(`${console.url}/console/custody`);
    await expect(page.getByText("You began this transfer yourself, and it takes two.")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Accept/ })).toHaveCount(0);
    await other.getByRole("tab", { name: "Waiting for others" }).click();
    await press(other, `Cancel the transfer of ${name}`);
    await press(other, "Cancel the transfer");
    await said(other, "is cancelled");
    await other.getByRole("tab", { name: "History" }).click();
    await expect(other.getByRole("row").filter({ hasText: "Cancelled" }).first()).toContainText(name);
    await look(other, device, "console-60-custody-history");
  }

  async function leave(device: Device, envelope_id: string): Promise<void> {
    const at = `/partner/envelopes/${envelope_id}`;
    const page = await console.open(org, `/vault/${envelope_id}?tab=exports`, { device });
    await type(page, "Recipient", "Second Example Bank");
    await type(page, "Recipient's e-mail address", "vault@example.com");
    await press(page, "Pack the original");
    await expect(page.getByLabel("Reason", { exact: true })).toBeFocused();
    await type(page, "Reason", "Sold");
    await press(page, "Pack the original");
    await said(page, "It is packed for Second Example Bank.");
    expect((await read(`${at}/vault`)).state).toBe("escrowed");
    await press(page, "Take it back");
    await page.getByRole("dialog").getByRole("button", { name: "Take it back" }).click();
    await said(page, "The export is taken back.");
    expect((await read(`${at}/vault`)).state).toBe("active");
    const body = { recipient: { name: "Second Example Bank", email: "vault@example.com" }, reason: "Sold" };
    expect((await org.admin("POST", `${at}/vault-out`, { body })).status).toBe(201);
    await page.reload();
    expect(await download(page, "Download the package")).toMatch(/\.csvx$/);
    const [packed] = await read(`/partner/vault-exports?envelope_id=${envelope_id}`);
    await expect(page.getByLabel("SHA-256 of the package that arrived")).toHaveValue(packed.package_sha256);
    await look(page, device, "console-61-vault-packed");
    await press(page, "Acknowledge the package");
    await type(page, "Type “Second Example Bank” to confirm", "Second Example Bank");
    await shoot(page, device, "console-62-vault-leave");
    expect(await download(page, "Let it leave")).toBe(`${packed.export_id}-receipt.json`);
    const key = await page.locator(".secret code").textContent();
    const again = await org.admin("POST", `/partner/vault-exports/${packed.export_id}/acknowledge`, {
      body: { package_sha256: packed.package_sha256 },
    });
    expect(key).toBe(again.json.data.key);
    await shoot(page, device, "console-63-vault-key");
    await page.getByLabel("I have stored it").check();
    await press(page, "Done");
    await said(page, "The original has left for Second Example Bank.");
    await expect(page.getByText("The original has left this vault.")).toBeVisible();
    await expect(page.getByText(key ?? "")).toHaveCount(0);
    expect((await read(`${at}/vault`)).state).toBe("exported");
    await tab(page, "Access log");
    await expect(page.getByRole("row").filter({ hasText: "Fetched the export package" })).toContainText("UTC");
    await look(page, device, "console-64-vault-access-log");
  }
});

describe("a document from elsewhere", () => {
  test("on paper is deposited with what is known about it; what was forgotten is attested later; damage is shown", async () => {
    await org.admin("POST", "/partner/customers", { body: { name: "Ann Example", email: "ann@example.com", client_id: "C-1007" } });
    await org.admin("POST", "/partner/customers", { body: { name: LONG_NAME, email: "long@example.com", client_id: "C-1008" } });
    for (const device of toured) await depositPaper(device);
  });

  async function depositPaper(device: Device): Promise<void> {
    const page = await console.open(org, "/vault", { device });
    await page.getByRole("link", { name: "Deposit a document" }).first().click();
    await title(page, "Deposit a document").waitFor();
    await press(page, "Upload and go on");
    await expect(page.getByText("The signed document is not chosen yet")).toBeVisible();
    await page.getByLabel("The signed document").setInputFiles(scan());
    await expect(page.getByLabel("Name of the document")).toHaveValue("Equipment lease");
    await type(page, "Name of the document", `Paper lease ${device}`);
    await type(page, "Look up a customer", "C-1008");
    await page.getByRole("button", { name: LONG_NAME }).waitFor();
    await look(page, device, "console-65-deposit-customer");
    await type(page, "Look up a customer", "C-1007");
    await press(page, "Ann Example, ann@example.com");
    await expect(page.getByRole("button", { name: "Another customer" })).toBeFocused();
    await look(page, device, "console-65-deposit-document");
    await press(page, "Upload and go on");

    await page.getByRole("heading", { name: "How was it signed?" }).waitFor();
    await expect(page.getByText("With these answers 50 of 100 at most.")).toBeVisible();
    await look(page, device, "console-66-deposit-kind");
    await press(page, "Continue");
    await type(page, "Name", "Ann Example");
    await type(page, "Signed on", "2026-01-02");
    await page.getByLabel("Identified by").selectOption("government_id");
    await page.getByLabel("It was signed in ink").check();
    await page.getByLabel("All signatures are on it").check();
    await type(page, "Pages of paper", "1");
    await expect(page.getByText("With these answers 74 of 100 at most.")).toBeVisible();
    await look(page, device, "console-67-deposit-attestation");
    await press(page, "Continue");
    await press(page, "Continue");
    await expect(page.getByText("Without the terms nothing is vaulted.")).toBeVisible();
    await page.getByLabel("I accept these terms for Example Company").check();
    await type(page, "Name of the secured party (optional)", "First Example Bank, N.A.");
    await look(page, device, "console-68-deposit-terms");
    await press(page, "Continue");
    await expect(page.getByText("With these answers 87 of 100 at most.")).toBeVisible();
    await shoot(page, device, "console-69-deposit-review");
    await press(page, "Deposit it");

    await title(page, `Paper lease ${device}`).waitFor({ timeout: 30_000 });
    const envelope_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const at = `/partner/envelopes/${envelope_id}`;
    await expect(page.locator("details.check[open]")).toContainText("What would help");
    expect(await read(`${at}/vault`)).toMatchObject({ source: "paper_upload", certificate: { score: 87, passed: false } });
    await look(page, device, "console-70-vault-not-passed");

    await press(page, "Correct the attestation");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ann Example");
    await page.getByLabel("What became of the paper").selectOption("destroyed");
    await type(page, "When that was done", today);
    await type(page, "Who did it", "Sam Sample");
    await press(page, "Record the attestation");
    await said(page, "Attestation 2 is on record. Evaluated again: 100 of 100, passed.");
    expect((await read(`${at}/compliance`)).score).toBe(100);

    await flipBit(service, org, (await read(`${at}/vault`)).hash);
    await press(page, "Evaluate again");
    await expect(page.getByRole("alert")).toContainText("The stored record is not as it was recorded.");
    expect((await read(`${at}/vault`)).state).toBe("tampered");
    await look(page, device, "console-71-vault-tampered");
    await page.goto(`${console.url}/console/vault?state=tampered`);
    await expect(page.getByRole("row").filter({ hasText: `Paper lease ${device}` })).toContainText("Tampered");
  }

  test("signed with another service brings that service's record, whose hash is attested by itself", async () => {
    const page = await console.open(org, "/vault/deposit");
    await page.getByLabel("The signed document").setInputFiles(scan());
    await press(page, "Somebody new");
    await type(page, "Customer's name", "Sam Example");
    await type(page, "Customer's e-mail address", "sam.new@example.com");
    await press(page, "Upload and go on");
    await page.getByLabel("Electronically, with another service").check();
    await press(page, "Continue");
    await type(page, "Name", "Sam Example");
    await type(page, "Signed on", "2026-01-02");
    await press(page, "Link by e-mail");
    await page.getByLabel("That service recorded every signer's consent to electronic records").check();
    await page.getByLabel("The authoritative copy there").selectOption("marked_as_copy");
    const record = { name: "audit.json", mimeType: "application/json", buffer: Buffer.from(`{"signed":"2026-01-02"}`) };
    await page.getByLabel("That service's record of the signing (optional)").setInputFiles(record);
    await look(page, "desktop", "console-72-deposit-elsewhere");
    // What was filled in is still there after a look at something else.
    await page.getByRole("link", { name: "Custody", exact: true }).click();
    await title(page, "Custody").waitFor();
    await page.goBack();
    await press(page, "Continue");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Sam Example");
    await press(page, "Continue");
    await page.getByLabel("I accept these terms for Example Company").check();
    await press(page, "Continue");
    await press(page, "Deposit it");
    await title(page, "Equipment lease").waitFor({ timeout: 30_000 });
    const envelope_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const trail = await read(`/partner/envelopes/${envelope_id}/audit-trail?limit=100`);
    const { data } = trail.find((entry: { type: string }) => entry.type === "attestation.recorded");
    expect(data.attestation.external).toMatchObject({ consent_confirmed: true, prior_copy_status: "marked_as_copy" });
    expect(data.attestation.external.evidence_sha256).toBe(data.evidence_sha256);
    const missing = (await read(`/partner/envelopes/${envelope_id}/compliance`)).missing_requirements.map(
      (one: string) => one.split(":")[0],
    );
    expect(missing).toEqual(["tamper_evident_record", "secured_party"]);
    await tab(page, "Custody and parties");
    await type(page, "Name of the secured party", "First Example Bank, N.A.");
    await press(page, "Name the secured party");
    await said(page, "First Example Bank, N.A. is on record as secured party.");
    expect((await read(`/partner/envelopes/${envelope_id}/vault`)).secured_party).toEqual({ name: "First Example Bank, N.A." });
  });
});
