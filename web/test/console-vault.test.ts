import { beforeAll, describe } from "vitest";
import { text } from "../../pdf/fixtures/pages.ts";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import { form } from "../../server/test/form.ts";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { flipBit, vaultedByPipeline } from "../../server/test/vaulted.ts";
import { type Device, expect, type Page, test, testInAll } from "./browser.ts";
import { type Colleague, testConsole } from "./console.ts";
import { longDocument, paper } from "./documents.ts";
import { look as lookAt, lookAtDialog, shoot, tourDevices } from "./screens.ts";
import { secured_party } from "./vaulting.ts";

/** The vault in the console: records, custody, exports and deposits. */

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
const said = (page: Page, words: string | RegExp) => expect(page.locator(".toast, .status-notice .notice")).toContainText(words);
const read = async (path: string) => (await org.admin("GET", path)).json.data;

const scan = () => ({
  name: "Equipment lease.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(paper([text("Equipment lease, signed in ink", 72, 600, 12), text(`No. ${Math.random()}`, 72, 560, 12)])),
});
// One long word, without a place to break the line.
const LONG_NAME = "Equipmentleasing".repeat(10);
const today = new Date().toISOString().slice(0, 10);

/** Checks accessibility, and that the page fits 320 px without horizontal scrolling. */
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
  testInAll("says how documents get into it", async () => {
    const other = await service.newOrg("Young Company");
    const viewer = await console.join(other, "viewer");
    const page = await console.open(other, "/vault");
    await expect(page.getByRole("heading", { name: "The vault is empty" })).toBeVisible();
    await expect(page.getByText("Do you lend against these records?"), "there are none yet").toHaveCount(0);
    await look(page, "desktop", "console-50-vault-empty");
    await page.goto(`${console.url}/console/custody`);
    await page.getByText("No custody requests").waitFor();
    await look(page, "desktop", "console-51-custody-empty");
    const looking = await console.open(other, "/vault/deposit", { as: viewer });
    await expect(looking.getByText("you cannot deposit documents.")).toBeVisible();
  });
});

describe("a vaulted document", () => {
  const made: { device: Device; envelope_id: EnvelopeId; envelope_name: string }[] = [];

  beforeAll(async () => {
    for (const device of tourDevices) {
      const envelope_name = `Equipment lease ${device}`;
      const envelope_id = await vaultedByPipeline(service, org, { envelope_name, pdf: longDocument(3), secured_party });
      made.push({ device, envelope_id, envelope_name });
    }
  });

  test("is found, evaluated again, kept longer, put on hold and assigned with consent", async () => {
    for (const { device, envelope_id, envelope_name } of made) await manage(device, envelope_id, envelope_name);
  });

  testInAll("is transferred to a colleague, who accepts in their own window; no one accepts a transfer they started", async () => {
    for (const { device, envelope_id, envelope_name } of made) await transferCustody(device, envelope_id, envelope_name);
  });

  testInAll("is all that a custodian who is asked to keep it sees of the vault, on every screen without a dead link", async () => {
    const { device, envelope_id, envelope_name } = made[0] as (typeof made)[number];
    const cleo = await console.join(org, "custodian", "Cleo Keeper");
    const body = { to_user_id: cleo.user_id, expires_in_days: 3 };
    // Earlier stories may have left a transfer open.
    for (const { permission_id } of await read(`/partner/custody-transfers?envelope_id=${envelope_id}&status=pending`))
      await org.admin("POST", `/partner/custody-transfers/${permission_id}/cancel`);
    expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body })).status).toBe(201);
    await vaultedByPipeline(service, org, { envelope_name: "Not theirs" });
    const refused: string[] = [];
    const page = await console.open(org, "/", { device, as: cleo });
    page.on("response", (response) => void (response.status() >= 400 && refused.push(response.url())));
    await title(page, "Vaulted documents").waitFor();
    await expect(page.getByRole("row")).toHaveCount(2);
    const entries = await page.getByRole("navigation", { name: "Console" }).getByRole("link", { includeHidden: true }).allTextContents();
    expect(entries).toEqual(["Vaulted documents", "Custody", "Acts", "Members", "Evidence log"]);
    await page.getByRole("link", { name: envelope_name }).click();
    await title(page, envelope_name).waitFor();
    for (const name of ["Record", "Control", "History"]) {
      await tab(page, name);
      const links = await page.evaluate<string[]>(`[...document.querySelectorAll("main a[href]")].map((one) => one.pathname)`);
      const known = /^\/(console\/(vault|acts|custody|evidence-log)(\/(env|act)_\w+)?|v\/\w+)$/;
      for (const path of links) expect(path).toMatch(known);
    }
    await expect(page.getByRole("tab", { name: "Exports" })).toHaveCount(0);
    await page.goto(`${console.url}/console/custody`);
    await press(page, `Accept ${envelope_name}`);
    await press(page, "Accept custody");
    await said(page, `You are now the custodian of ${envelope_name}.`);
    await page.goto(`${console.url}/console/envelopes/${envelope_id}`);
    await title(page, "Page not found").waitFor();
    expect(refused).toEqual([]);
  });

  testInAll("is exported in two steps: packed, then confirmed with the received package; the key is shown once", async () => {
    for (const { device, envelope_id } of made) await exportOriginal(device, envelope_id);
  });

  testInAll("is changed by acts only of users who confirmed lately who they are: each screen asks, and then goes on", async () => {
    const envelope_id = await vaultedByPipeline(service, org);
    await org.admin("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit 8/2026" } });
    const age = () =>
      service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [org.org_id]);
    const confirm = async () => {
      await title(page, "Confirm that it is you").waitFor();
      await type(page, `Password for ${org.email}`, PASSWORD);
      await page.getByRole("dialog").filter({ hasText: "Confirm that it is you" }).getByRole("button", { name: "Confirm" }).click();
    };
    const page = await console.open(org, `/vault/${envelope_id}?tab=control&propose=release_hold`);
    await page.getByLabel("Hold", { exact: true }).selectOption({ label: "Lawsuit 8/2026" });
    await type(page, "Reason", "The lawsuit is over");
    await age();
    await press(page, "Propose");
    await confirm();
    await said(page, "It takes effect when");
    const [act] = await read(`/partner/acts?envelope_id=${envelope_id}`);
    expect([act.kind, act.state]).toEqual(["release_hold", "proposed"]);

    await page.goto(`${console.url}/console/settings`);
    await type(page, "Registry URL", "https://registry.example.com/registrations");
    const card = page.getByRole("region", { name: "Registry", exact: true });
    await card.getByRole("checkbox").first().check();
    await age();
    await card.getByRole("button", { name: "Save", exact: true }).click();
    await confirm();
    await expect(page.locator(".secret code")).toContainText("whsec_");
  });

  testInAll("is found by text that was typed as soon as the search field appeared", async () => {
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

  async function manage(device: Device, envelope_id: EnvelopeId, envelope_name: string): Promise<void> {
    const at = `/partner/envelopes/${envelope_id}`;
    const page = await console.open(org, "/vault", { device });

    await type(page, "Name or external ID", envelope_name);
    await expect(page).toHaveURL(/q=Equipment/);
    const row = page.getByRole("row").filter({ hasText: envelope_name });
    await expect(row).toContainText("In the vault");
    await expect(row.getByText("Attested", { exact: true })).toHaveClass("chip caution");
    await expect(row).toContainText(/100 of 100, \d+ proven/);
    await look(page, device, "console-52-vault");
    await page.getByLabel("Checks", { exact: true }).selectOption("false");
    await expect(page.getByText("No matching documents")).toBeVisible();
    await press(page, "Show all");
    await page.getByLabel("Standing", { exact: true }).selectOption("Proven");
    await expect(page).toHaveURL(/\?standing=proven$/);
    await expect(page.getByText("No matching documents")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Standing", { exact: true })).toHaveValue("proven");
    await page.getByLabel("Standing", { exact: true }).selectOption("Attested");
    await page.getByRole("link", { name: envelope_name }).click();

    await title(page, envelope_name).waitFor();
    await expect(page.locator(".checks-row")).toHaveCount(8);
    await press(page, "Run checks again");
    await said(page, /Checks run again: 100 of 100, attested\. Proven: \d+ of 100\./);
    await expect(page.getByText(/^certificate 2,/)).toBeVisible();
    expect((await read(`${at}/vault`)).certificate.revision).toBe(2);
    await look(page, device, "console-53-vault-checks");

    await tab(page, "Record");
    await page.getByText("countersign-verify bundle.zip").waitFor();
    await look(page, device, "console-54-vault-record");
    expect(await download(page, "Download the certificate as PDF")).toMatch(/ – certificate 2\.pdf$/);
    expect(await download(page, "Download the evidence bundle as ZIP")).toMatch(/\.zip$/);
    await type(page, "Keep until", "2045-01-31");
    await press(page, "Extend retention");
    await said(page, "Retention extended until");
    expect((await read(`${at}/vault`)).retention_until).toBe("2045-01-30T23:00:00.000Z");
    await tab(page, "Control");
    await type(page, "Reason for the hold", "Lawsuit 7/2026");
    await press(page, "Place hold");
    await said(page, "Hold placed");
    expect((await read(`${at}/vault`)).legal_hold).toBe(true);

    await tab(page, "Exports");
    await expect(page.getByText("A legal hold is active.")).toBeVisible();
    await tab(page, "Control");
    await press(page, "Release hold “Lawsuit 7/2026”");
    await shoot(page, device, "console-55-vault-release-hold");
    await press(page, "Release hold");
    await said(page, "Hold released.");
    expect((await read(`${at}/vault`)).legal_hold).toBe(false);

    await press(page, "Assign record");
    await expect(page.getByLabel("Name of the secured party", { exact: true })).toBeFocused();
    await type(page, "Name of the secured party", "Second Example Bank");
    await press(page, "Assign record");
    await expect(page.getByLabel("Given by", { exact: true })).toBeFocused();
    await type(page, "Given by", "Ann Example");
    await type(page, "Statement (optional)", "We assign the lease to Second Example Bank.");
    await look(page, device, "console-56-vault-assign");
    await press(page, "Assign record");
    await said(page, "Record assigned to Second Example Bank.");
    const [latest] = await read(`${at}/assignments`);
    expect([latest.secured_party.name, latest.consent.given_by.name, latest.status]).toEqual([
      "Second Example Bank",
      "Ann Example",
      "effective",
    ]);
  }

  /** Two people in two windows: a person cannot transfer custody to themselves. */
  async function transferCustody(device: Device, envelope_id: string, name: string): Promise<void> {
    const page = await console.open(org, `/vault/${envelope_id}?tab=control`, { device });
    await press(page, "Transfer custody");
    await expect(page.getByLabel("New custodian")).toBeFocused();
    await expect(page.getByLabel("New custodian")).not.toContainText(viewer.name);
    await press(page, "Cancel");
    await expect(page.getByRole("button", { name: "Transfer custody" })).toBeFocused();
    await press(page, "Transfer custody");
    await press(page, "Request transfer");
    await expect(page.getByRole("alert")).toHaveText("Choose a member.");
    await page.getByLabel("New custodian").selectOption({ label: `${sam.name} (${sam.email})` });
    await type(page, "Reason (optional)", "Sam looks after leases now");
    await press(page, "Request transfer");
    await said(page, "Transfer requested. The custodian changes when Sam Sample accepts.");
    await expect(title(page, name)).toBeFocused();
    await look(page, device, "console-57-vault-custody");
    const other = await console.open(org, "/custody", { device, as: sam });
    await expect(other.getByRole("row").filter({ hasText: name })).toContainText("in 7 days");
    await look(other, device, "console-58-custody");
    await press(other, `Reject ${name}`);
    await type(other, "Reason (optional)", "Not before May");
    await press(other, "Reject");
    await said(other, `You rejected custody of ${name}. The custodian stays the same.`);
    const body = { to_user_id: sam.user_id };
    const offered = await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body });
    await other.reload();
    await press(other, `Accept ${name}`);
    await org.admin("POST", `/partner/custody-transfers/${offered.json.data.permission_id}/cancel`);
    await press(other, "Accept custody");
    await expect(other.getByRole("dialog").getByRole("alert")).toBeVisible();
    await expect(other.getByRole("dialog")).toContainText(`“${name}”`);
    await press(other, "Cancel");
    await expect(other.getByText("No custody requests")).toBeVisible();
    expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body })).status).toBe(201);
    await other.reload();
    await press(other, `Accept ${name}`);
    await shoot(other, device, "console-59-custody-accept");
    await press(other, "Accept custody");
    await said(other, `You are now the custodian of ${name}.`);
    expect((await read(`/partner/envelopes/${envelope_id}/vault`)).custodian.user_id).toBe(sam.user_id);

    await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id: org.user_id } });
    await page.goto(`${console.url}/console/custody`);
    await expect(page.getByText("You started this transfer, so you cannot accept it.")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Accept/ })).toHaveCount(0);
    await other.getByRole("tab", { name: "Waiting for others" }).click();
    await press(other, `Cancel the transfer of ${name}`);
    await press(other, "Cancel transfer");
    await said(other, "cancelled");
    await other.getByRole("tab", { name: "History" }).click();
    await expect(other.getByRole("row").filter({ hasText: "Cancelled" }).first()).toContainText(name);
    await look(other, device, "console-60-custody-history");
  }

  async function exportOriginal(device: Device, envelope_id: string): Promise<void> {
    const at = `/partner/envelopes/${envelope_id}`;
    let page = await console.open(org, `/vault/${envelope_id}?tab=exports`, { device });
    await type(page, "Recipient", "Second Example Bank");
    await type(page, "Recipient's e-mail address", "vault@example.com");
    await press(page, "Pack original");
    await expect(page.getByLabel("Reason", { exact: true })).toBeFocused();
    await type(page, "Reason", "Sold");
    await press(page, "Pack original");
    await said(page, "Packed for Second Example Bank.");
    expect((await read(`${at}/vault`)).state).toBe("escrowed");
    await press(page, "Withdraw export");
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw export" }).click();
    await said(page, "Export withdrawn.");
    expect((await read(`${at}/vault`)).state).toBe("active");
    const body = { recipient: { name: "Second Example Bank", email: "vault@example.com" }, reason: "Sold" };
    expect((await org.admin("POST", `${at}/vault-out`, { body })).status).toBe(201);
    await page.reload();
    await expect(page.getByText("You packed this original. Another person can confirm receipt for the recipient.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Confirm receipt" })).toHaveCount(0);
    const colleague = await console.join(org, "admin");
    page = await console.open(org, `/vault/${envelope_id}?tab=exports`, { device, as: colleague });
    expect(await download(page, "Download package")).toMatch(/\.csvx$/);
    const [packed] = await read(`/partner/vault-exports?envelope_id=${envelope_id}`);
    await expect(page.getByLabel("SHA-256 of the received package")).toHaveValue(packed.package_sha256);
    await look(page, device, "console-61-vault-packed");
    await press(page, "Confirm receipt");
    await type(page, "Type “Second Example Bank” to confirm", "Second Example Bank");
    await shoot(page, device, "console-62-vault-leave");
    expect(await download(page, "Complete export")).toBe(`${packed.export_id}-receipt.json`);
    const key = await page.locator(".secret code").textContent();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    await shoot(page, device, "console-63-vault-key");
    await page.getByLabel("I have stored it").check();
    await press(page, "Done");
    await said(page, "Export completed. Second Example Bank now holds the original.");
    await expect(page.getByText("The original has left this vault.")).toBeVisible();
    await expect(page.getByText(key ?? "")).toHaveCount(0);
    expect((await read(`${at}/vault`)).state).toBe("exported");
    await tab(page, "History");
    await expect(page.getByRole("row").filter({ hasText: "Downloaded the export package" })).toContainText("UTC");
    await look(page, device, "console-64-vault-access-log");
  }
});

describe("a document from elsewhere", () => {
  testInAll("on paper is deposited with an attestation, which is corrected later; damage is shown", async () => {
    await org.admin("POST", "/partner/customers", { body: { name: "Ann Example", email: "ann@example.com", client_id: "C-1007" } });
    await org.admin("POST", "/partner/customers", { body: { name: LONG_NAME, email: "long@example.com", client_id: "C-1008" } });
    for (const device of tourDevices) await depositPaper(device);
  });

  async function depositPaper(device: Device): Promise<void> {
    const page = await console.open(org, "/vault", { device });
    await page.getByRole("link", { name: "Deposit document" }).first().click();
    await title(page, "Deposit document").waitFor();
    await press(page, "Upload");
    await expect(page.getByText("Signed document is required")).toBeVisible();
    await page.getByLabel("Signed document").setInputFiles(scan());
    await expect(page.getByLabel("Document name")).toHaveValue("Equipment lease");
    await type(page, "Document name", `Paper lease ${device}`);
    await type(page, "Find a customer", "C-1008");
    await page.getByRole("button", { name: LONG_NAME }).waitFor();
    await look(page, device, "console-65-deposit-customer");
    await type(page, "Find a customer", "C-1007");
    await press(page, "Ann Example, ann@example.com");
    await expect(page.getByRole("button", { name: "Change customer" })).toBeFocused();
    await look(page, device, "console-65-deposit-document");
    await press(page, "Upload");

    await page.getByRole("heading", { name: "How was it signed?" }).waitFor();
    await expect(page.getByText("With these answers, at most 50 of 100.")).toBeVisible();
    await look(page, device, "console-66-deposit-kind");
    await press(page, "Continue");
    await type(page, "Name", "Ann Example");
    await type(page, "Signed on", "2026-01-02");
    await page.getByLabel("Identified by").selectOption("government_id");
    await page.getByLabel("It was signed in ink").check();
    await page.getByLabel("All signatures are present").check();
    await type(page, "Number of paper pages", "1");
    await expect(page.getByText("With these answers, at most 74 of 100.")).toBeVisible();
    await look(page, device, "console-67-deposit-attestation");
    // Answers without an attesting person, or about a signer without a name, would not count.
    const [noAttester, noSigner] = [
      page.getByText("Name of the attesting person is required"),
      page.getByText("Name is required", { exact: true }),
    ];
    await type(page, "Name of the attesting person", "");
    await type(page, "Name", "");
    await press(page, "Continue");
    await expect(noAttester).toBeVisible();
    await expect(noSigner).toBeVisible();
    await expect(page.getByLabel("Name of the attesting person")).toBeFocused();
    await type(page, "Name of the attesting person", "Sam Sample");
    await expect(noAttester).toHaveCount(0);
    await type(page, "Name", "Ann Example");
    await expect(noSigner).toHaveCount(0);
    await press(page, "Continue");
    await press(page, "Continue");
    await expect(page.getByText("Accept the terms to continue.")).toBeVisible();
    await page.getByLabel("I accept these terms for Example Company").check();
    await type(page, "Name of the secured party (optional)", "First Example Bank, N.A.");
    await look(page, device, "console-68-deposit-terms");
    await press(page, "Continue");
    await expect(page.getByText("With these answers, at most 87 of 100.")).toBeVisible();
    await shoot(page, device, "console-69-deposit-review");
    await press(page, "Deposit");

    await title(page, `Paper lease ${device}`).waitFor({ timeout: 30_000 });
    const envelope_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const at = `/partner/envelopes/${envelope_id}`;
    const notShown = page.locator(".checks-row.not_shown");
    await expect(notShown).toHaveCount(1);
    await expect(notShown.getByRole("button", { name: "Correct what was attested" })).toBeVisible();
    await expect(notShown).not.toContainText(/POST|PUT/);
    expect(await read(`${at}/vault`)).toMatchObject({ source: "paper_upload", certificate: { score: 87, passed: false } });
    // What is only unfinished is not red.
    const standing = page.locator(".record-standing .chip");
    await expect(standing).toHaveText("Not passed");
    await expect(standing).toHaveClass("chip caution");
    await expect(page.locator(".score-line .icon")).toHaveClass("icon open");
    await look(page, device, "console-70-vault-not-passed");

    await press(page, "Correct attestation");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ann Example");
    await page.getByLabel("What happened to the paper").selectOption("destroyed");
    await type(page, "When it happened", today);
    await type(page, "Who did it", "Sam Sample");
    await press(page, "Record attestation");
    await said(page, "Attestation 2 recorded. Checks run again: 100 of 100, attested.");
    expect((await read(`${at}/compliance`)).score).toBe(100);

    await flipBit(service, org, (await read(`${at}/vault`)).hash);
    await press(page, "Run checks again");
    await expect(page.getByRole("alert")).toContainText("The stored document does not match its record.");
    await expect(page.getByRole("alert"), "a time that people read").not.toContainText(/\d{4}-\d\d-\d\dT/);
    expect((await read(`${at}/vault`)).state).toBe("tampered");
    await expect(standing).toHaveClass("chip bad");
    await expect(page.locator(".score-line .icon")).toHaveClass("icon bad");
    await look(page, device, "console-71-vault-tampered");
    await page.goto(`${console.url}/console/vault?state=tampered`);
    await expect(page.getByRole("row").filter({ hasText: `Paper lease ${device}` })).toContainText("Tampered");
  }

  testInAll("that has the same words as another is listed until a colleague has compared both", async () => {
    for (const device of tourDevices) {
      const office = await service.newOrg("Example Office");
      const admin = async (path: string, request: object) => {
        const { status, json } = await office.admin("POST", path, request);
        expect([status < 300, json.error], path).toEqual([true, undefined]);
        return json.data;
      };
      const { customer_id } = await admin("/partner/customers", { body: { name: "Ann Example", email: "ann@example.com" } });
      const attestation = {
        attested_by: { name: "Ann Example" },
        signers: [{ name: "Ann Example", signed_on: "2026-01-02", identified_by: "government_id" }],
        paper: { ink_signed: true, all_signatures_present: true, page_count: 1 },
      };
      const words = "The borrower promises to pay the amount of this note on the first day of each month to the lender. ".repeat(6);
      const lines = (size: number) => (words.match(/.{1,70}/g) ?? []).map((line, n) => text(line, 40, 740 - 14 * n, size));
      for (const [name, size] of [
        ["Note 4711.pdf", 10],
        ["Note 4711, second scan.pdf", 9],
      ] as const) {
        const uploaded = form({}, { bytes: paper(lines(size)), name });
        const { envelope_id } = await admin(`/partner/customers/${customer_id}/documents`, uploaded);
        const body = { source: "paper_upload", certification: { accepted: true, terms_version: "2026-01" }, secured_party, attestation };
        await admin(`/partner/envelopes/${envelope_id}/vault-in-upload`, { body });
      }
      const page = await console.open(office, "/vault/duplicates", { device, as: await console.join(office, "member", "Ben Colleague") });
      await title(page, "Possible duplicates").waitFor();
      const pair = page.getByRole("row").filter({ hasText: "Note 4711, second scan" }).filter({ hasText: "the same words" });
      await expect(pair.first()).toBeVisible();
      await look(page, device, "console-56-duplicates");
      // Each record has a depositor of its own.
      for (const name of ["Note 4711, second scan.pdf", "Note 4711.pdf"]) {
        await page.getByRole("button", { name: `Review ${name}` }).click();
        await type(page, "What did you compare, and what did you find?", "Both files. They are two scans of one note.");
        if (name !== "Note 4711.pdf") await lookAtDialog(page, device, "console-56-duplicates-review");
        await press(page, "Record comparison");
        await said(page, `Recorded. “${name}” is evaluated again in a moment.`);
      }
      await expect(page.getByRole("heading", { name: "Nothing to compare" })).toBeVisible();
      await look(page, device, "console-56-duplicates-none");
    }
  });

  testInAll("signed with another service includes that service's signing record, whose hash is attested automatically", async () => {
    const page = await console.open(org, "/vault/deposit");
    await page.getByLabel("Signed document").setInputFiles(scan());
    await press(page, "New customer");
    await type(page, "Customer's name", "Sam Example");
    await type(page, "Customer's e-mail address", "sam.new@example.com");
    await press(page, "Upload");
    await page.getByLabel("Electronically, with another service").check();
    await press(page, "Continue");
    await type(page, "Name", "Sam Example");
    await type(page, "Signed on", "2026-01-02");
    await press(page, "Link by e-mail");
    await type(page, "Service", "another service");
    await type(page, "Transaction ID", "7");
    await page.getByLabel("The service recorded every signer’s consent to electronic records").check();
    await page.getByLabel("Authoritative copy at that service").selectOption("marked_as_copy");
    const record = { name: "audit.json", mimeType: "application/json", buffer: Buffer.from(`{"signed by Sam Example":"2026-01-02"}`) };
    await page.getByLabel("Signing record of that service (optional)").setInputFiles(record);
    await look(page, "desktop", "console-72-deposit-elsewhere");
    // The form keeps its values while another screen is visited.
    await page.getByRole("link", { name: "Custody", exact: true }).click();
    await title(page, "Custody").waitFor();
    await page.goBack();
    await press(page, "Continue");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Sam Example");
    await press(page, "Continue");
    await page.getByLabel("I accept these terms for Example Company").check();
    await press(page, "Continue");
    await press(page, "Deposit");
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
    await tab(page, "Control");
    await type(page, "Name of the secured party", "First Example Bank, N.A.");
    await press(page, "Name the secured party");
    await said(page, "First Example Bank, N.A. is now the secured party.");
    expect((await read(`/partner/envelopes/${envelope_id}/vault`)).secured_party).toEqual({ name: "First Example Bank, N.A." });
  });
});
