import { afterAll, beforeAll, describe } from "vitest";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import { jobsDone } from "../../server/test/jobs.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { rootOf } from "../../server/test/two-vaults.ts";
import { vaultedByPipeline, vaultedCopies } from "../../server/test/vaulted.ts";
import { addAxe } from "./axe.ts";
import { type Device, expect, fail, newContext, type Page, test, testInAll, type Visit, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { longDocument } from "./documents.ts";
import { elementsFrom, payloads, withoutTurning } from "./payloads.ts";
import { look as lookAt, shoot, tourDevices } from "./screens.ts";

/** The page of people who act for parties, from the mail to the confirmed record in the console. */

const inbox = await startSmtpPeer();
afterAll(() => inbox.stop());
const console = await testConsole({ SMTP_URL: inbox.url });
const { service } = console;
let org: TestOrg;

beforeAll(async () => {
  org = await service.newOrg("Example Company");
});

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
// While a person logs in again, what they were doing stays in the page, hidden.
const type = (page: Page, label: string, words: string) => page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(words);
const menu = (page: Page, name: string) => page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name }).click();

/** Checks accessibility, and that the page fits 320 px without horizontal scrolling. */
async function look(page: Page, device: Device, name: string): Promise<void> {
  await lookAt(page, device, name);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await page.evaluate<number>("document.documentElement.scrollWidth"), `${name} at 320 px`).toBe(320);
  await page.setViewportSize(size);
}

async function open(address: string, visit: Visit = {}): Promise<Page> {
  const context = await newContext(console.origins, visit);
  await addAxe(context);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** A device that keeps passkeys and whose user always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await session.send("WebAuthn.addVirtualAuthenticator", { options });
}

const mailsTo = async (email: string, subject: RegExp) => {
  await jobsDone(service);
  return inbox.messages.filter((mail) => mail.to.includes(email) && subject.test(headerOf(mail, "subject") ?? ""));
};

async function mailedLink(email: string): Promise<string> {
  const mail = (await mailsTo(email, /asks .* to confirm a request/)).at(-1);
  return /http:\/\/\S+\/p\/#\/acts\/act_\w+/.exec(mail?.text ?? "")?.[0] ?? fail(`no request was mailed to ${email}`);
}

async function mailedCode(email: string, subject: RegExp): Promise<string> {
  const mail = (await mailsTo(email, subject)).at(-1);
  return /^(\d{8})$/m.exec(mail?.text ?? "")?.[1] ?? fail(`no code was mailed to ${email}`);
}

async function logIn(page: Page, email: string): Promise<void> {
  await type(page, "E-mail address", email);
  await press(page, "Send code");
  await page.getByText(`If ${email} belongs to a person`).waitFor();
  await type(page, "Code", await mailedCode(email, /log-in code/));
  await press(page, "Log in");
  await page.getByRole("navigation", { name: "Parts of this page" }).waitFor();
}

// Few, because an evaluation of each follows.
const POOL = 3;

const hostile = withoutTurning(payloads[0] ?? fail("no payload"));
let made = 0;

/** A vaulted record whose party was asked to confirm, by mail to a person of its own. */
async function asked(envelope_name: string): Promise<{ envelope_id: EnvelopeId; email: string; party: string; link: string }> {
  const party = `Example Bank ${++made}, N.A.`;
  const email = `ann${made}@bank.example`;
  const secured_party = { name: party, email };
  const envelope_id = await vaultedByPipeline(service, org, { envelope_name, pdf: longDocument(1), secured_party });
  return { envelope_id, email, party, link: await mailedLink(email) };
}

const actOf = async (link: string) => (await org.admin("GET", `/partner/acts/${link.split("/").at(-1)}`)).json.data;

describe("a person whom the depositor named", () => {
  test("reads the mail, logs in with a code, adds a passkey and confirms with it; the console shows the party as confirmed", async () => {
    for (const device of tourDevices) await confirm(device);
  });

  async function confirm(device: Device): Promise<void> {
    const { envelope_id, email, party, link } = await asked(`Equipment lease ${device}`);
    const summary = `Confirm that the record “Equipment lease ${device}” is assigned to ${party}`;
    const before = await console.open(org, `/vault/${envelope_id}?tab=control`, { device });
    await expect(before.getByText("Not confirmed", { exact: true })).toBeVisible();
    await expect(before.getByRole("row").filter({ hasText: summary })).toContainText(party);
    await before.getByRole("complementary", { name: "Recommendation" }).waitFor();
    await look(before, device, "console-57-vault-control");
    await before.getByRole("link", { name: summary }).click();
    await title(before, summary).waitFor();
    await expect(before.getByText("Others must decide.")).toBeVisible();
    await look(before, device, "console-58-act");

    const page = await open(link, { device });
    await addAuthenticator(page);
    await title(page, "Log in").waitFor();
    await expect(page.getByText("Log in to read the request and decide on it.")).toBeVisible();
    await look(page, device, "party-01-log-in");
    await press(page, "Send code");
    await expect(page.getByText("E-mail address must be an e-mail address")).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toBeFocused();
    await type(page, "E-mail address", email);
    await press(page, "Send code");
    await page.getByText(`If ${email} belongs to a person`).waitFor();
    await type(page, "Code", "12 34-56x78");
    await expect(page.getByLabel("Code", { exact: true })).toHaveValue("12345678");
    await press(page, "Log in");
    await expect(page.getByRole("alert")).toContainText("The code is wrong or has expired.");
    await look(page, device, "party-02-wrong-code");
    await type(page, "Code", await mailedCode(email, /log-in code/));
    await press(page, "Log in");

    await title(page, summary).waitFor();
    await expect(page.getByText(`${party} has not decided yet. Nothing has changed so far.`)).toBeVisible();
    await look(page, device, "party-03-request");
    await press(page, "Confirm");
    await expect(page.getByText("You have no passkey.")).toBeVisible();
    await look(page, device, "party-04-no-passkey");
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await title(page, "Security").waitFor();
    await type(page, "Name of the new passkey", "Work laptop");
    await press(page, "Add passkey");
    await expect(page.getByText("Passkey added.")).toBeVisible();
    await look(page, device, "party-05-security");
    await menu(page, "Requests");
    await page.getByRole("link", { name: summary }).waitFor();
    await look(page, device, "party-06-requests");
    await page.getByRole("link", { name: summary }).click();
    await press(page, "Confirm");
    const statement = `You confirm for ${party} that the record “Equipment lease ${device}” is assigned to ${party}`;
    await expect(page.getByText(statement)).toBeVisible();
    await look(page, device, "party-07-confirm");
    await page.emulateMedia({ forcedColors: "active" });
    await shoot(page, device, "party-07-confirm-forced-colors");
    await page.emulateMedia({ forcedColors: "none" });
    await press(page, "Confirm with passkey");
    await expect(page.getByText("The change is in effect.")).toBeVisible();
    await expect(page.getByText(`Confirmed by ${email} with a passkey`)).toBeVisible();
    await expect(page.getByRole("button", { name: "Refuse" })).toHaveCount(0);
    await look(page, device, "party-08-in-effect");
    const act = await actOf(link);
    expect([act.state, act.approvals[0].method, act.approvals[0].email]).toEqual(["effective", "passkey", email]);
    await menu(page, "Records");
    await expect(page.getByRole("article")).toContainText(`Equipment lease ${device}`);
    await look(page, device, "party-09-records");
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const grant = { party_id: act.needs[0].party_id, envelope_ids: [envelope_id], may_download: true, until };
    expect((await org.admin("POST", "/partner/audit-grants", { body: grant })).status).toBe(201);
    await menu(page, "Requests");
    await menu(page, "Records");
    await page.getByRole("link", { name: `Open the record Equipment lease ${device}` }).click();
    await title(page, `Equipment lease ${device}`).waitFor();
    await look(page, device, "party-10-audit");
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Certificate")]);
    expect(file.suggestedFilename()).toBe(`${envelope_id}-certificate.pdf`);
    await menu(page, "Security");
    await expect(page.getByText("You logged in with a code.")).toBeVisible();
    await press(page, "Log in with passkey");
    await press(page, "Remove passkey Work laptop");
    await press(page, "Cancel");
    await press(page, "Sign out");
    await title(page, "Log in").waitFor();
    await press(page, "Log in with passkey");
    await title(page, "Security").waitFor();

    const after = await console.open(org, `/vault/${envelope_id}?tab=control`, { device });
    await expect(after.getByText("Confirmed", { exact: true })).toBeVisible();
    await expect(after.getByText("No open acts.")).toBeVisible();
    await press(after, "Dismiss");
    await expect(after.getByRole("complementary", { name: "Recommendation" })).toHaveCount(0);
    await after.getByRole("tab", { name: "History" }).click();
    await expect(after.getByRole("row").filter({ hasText: summary })).toContainText("In effect");
    await look(after, device, "console-59-vault-history");
    await confirmPool(page, device, party);
  }

  /** One confirmation for all records of a pool, which the page lists. */
  async function confirmPool(page: Page, device: Device, party: string): Promise<void> {
    const { party_id } = (await org.admin("GET", `/partner/parties?search=${encodeURIComponent(party)}`)).json.data[0];
    const envelope_ids = (await vaultedCopies(service, org, POOL)).map(({ envelope_id }) => envelope_id);
    const body = { kind: "designate", envelope_ids, party_id, reason: "Pool 2026-01" };
    expect((await org.admin("POST", "/partner/control-batches", { body })).status).toBe(201);
    await menu(page, "Requests");
    await page.getByRole("link", { name: `Confirm that each of ${POOL} records is assigned to ${party}` }).click();
    await expect(page.getByRole("heading", { name: `${POOL} records`, exact: true })).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Contract" }).first()).toBeVisible();
    const [csv] = await Promise.all([page.waitForEvent("download"), press(page, "Download as CSV")]);
    expect(csv.suggestedFilename()).toMatch(/^act_\w+\.csv$/);
    await look(page, device, "party-15-pool");
    await press(page, "Confirm");
    await expect(page.getByText(`You confirm for ${party} that each of ${POOL} records is assigned to ${party}`)).toBeVisible();
    await press(page, "Confirm with passkey");
    await expect(page.getByText("The records change one after the other.")).toBeVisible();

    const list = await console.open(org, "/batches", { device });
    await title(list, "Control batches").waitFor();
    const row = list.getByRole("row").filter({ hasText: "Ask the party to confirm" }).first();
    await expect(row).toContainText("Done", { timeout: 15_000 });
    await look(list, device, "console-70-batches");
    await row.getByRole("link").click();
    await expect(list.getByText("Every record has its result, and the report is signed.")).toBeVisible();
    const [report] = await Promise.all([list.waitForEvent("download"), press(list, "Download signed report")]);
    expect(report.suggestedFilename()).toMatch(/^cbt_\w+-report\.json$/);
    await look(list, device, "console-71-batch");
    await list.getByRole("link", { name: "Who is asked, and their decisions" }).click();
    await expect(list.getByRole("heading", { name: `${POOL} records`, exact: true })).toBeVisible();
    await look(list, device, "console-72-act-on-many");
  }
});

describe("the recipient of an original", () => {
  testInAll("downloads the package, takes the original over and opens it in the browser; another record is printed as paper", async () => {
    const email = "vault@bank.example";
    const recipient = { name: "Second Example Bank", email };
    const envelope_id = await vaultedByPipeline(service, org, { envelope_name: "Equipment lease 7", pdf: longDocument(1) });
    const body = { recipient, reason: "Sold" };
    expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body })).status).toBe(201);
    const mail = (await mailsTo(email, /hands a signed original over to you/)).at(-1);
    const link = /http:\/\/\S+\/p\/#\/originals\/exp_\w+/.exec(mail?.text ?? "")?.[0] ?? fail("no link was mailed");
    const page = await open(link);
    await logIn(page, email);
    await expect(title(page, "Equipment lease 7")).toBeVisible();
    await look(page, "desktop", "party-40-original");
    expect(await saved(page, "Download the package")).toMatch(/\.csvx$/);
    expect(await saved(page, "Take the original over")).toMatch(/-key-and-receipt\.json$/);
    await expect(page.getByRole("status").getByText("You took the original over. Example Company keeps a copy.")).toBeVisible();
    expect(await saved(page, "Save the opened package")).toMatch(/\.zip$/);
    await look(page, "desktop", "party-41-original-taken");
    expect((await org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data.state).toBe("exported");

    const paper = await vaultedByPipeline(service, org, { envelope_name: "Equipment lease 8", pdf: longDocument(1) });
    const act = { kind: "paper_out", reason: "The buyer accepts only paper", present_version: 1, recipient };
    expect((await org.admin("POST", `/partner/envelopes/${paper}/acts`, { body: act })).json.data.state).toBe("effective");
    await jobsDone(service);
    await menu(page, "Originals");
    await look(page, "desktop", "party-42-originals");
    await page.getByRole("link", { name: "Equipment lease 8, paper original" }).click();
    expect(await saved(page, "Download the PDF")).toMatch(/\.pdf$/);
    await look(page, "desktop", "party-43-paper");
    await press(page, "It is printed");
    await expect(page.getByRole("status").getByText("You confirmed that it is printed.")).toBeVisible();
    expect((await org.admin("GET", `/partner/envelopes/${paper}/vault`)).json.data.state).toBe("papered");
  });

  /** The name of the file that pressing the button saves. */
  async function saved(page: Page, name: string): Promise<string> {
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
    return file.suggestedFilename();
  }
});

describe("every state has its words", () => {
  testInAll("a request is refused, and a closed one cannot be confirmed with a code for it", async () => {
    const { email, party, link } = await asked("Refused lease");
    const page = await open(link);
    await logIn(page, email);
    await press(page, "Refuse");
    await expect(page.getByText(`You refuse for ${party} that the record “Refused lease” is assigned to ${party}`)).toBeVisible();
    await type(page, "Reason (optional)", "Not our lease");
    await look(page, "desktop", "party-10-refuse");
    await press(page, "Refuse request");
    await expect(page.getByText("Refused. Nothing has changed.")).toBeVisible();
    await expect(page.getByText(`Refused by ${email}`)).toBeVisible();
    expect((await actOf(link)).state).toBe("refused");
    await menu(page, "Requests");
    await expect(page.getByText("You have nothing to decide.")).toBeVisible();

    const other = await asked("Cancelled lease");
    const late = await open(other.link, { clock: "moved" });
    await logIn(late, other.email);
    await press(late, "Confirm");
    // The mail server does not say yet whether it takes the e-mail.
    const arrived = inbox.hold();
    await press(late, "Send me a code");
    await late.getByLabel("Code", { exact: true }).waitFor();
    await arrived;
    await late.clock.fastForward(31_000);
    await expect(late.getByText("Not sent yet. We keep trying, so you can wait.", { exact: true })).toBeVisible();
    await look(late, "desktop", "party-10-code-not-sent");
    inbox.release();
    const code = await mailedCode(other.email, /code for one request/);
    await type(late, "Code", code === "00000000" ? "00000001" : "00000000");
    await press(late, "Confirm with code");
    await expect(late.getByLabel("Code", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await look(late, "desktop", "party-10-wrong-code-for-request");
    await type(late, "Code", code);
    await org.admin("POST", `/partner/acts/${other.link.split("/").at(-1)}/cancel`);
    await press(late, "Confirm with code");
    await expect(late.getByText("Cancelled by the organization that proposed it. Nothing has changed.")).toBeVisible();
    await expect(late.getByRole("button", { name: /Confirm/ })).toHaveCount(0);
  });

  testInAll("an ended session asks to log in again and keeps what was typed", async () => {
    const { email, link } = await asked(hostile);
    const page = await open(link);
    await logIn(page, email);
    await title(page, /is assigned to/).waitFor();
    expect(await elementsFrom(page)).toBe(0);
    await press(page, "Refuse");
    await press(page, "Back");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Confirm", exact: true })).toBeFocused();
    await press(page, "Refuse");
    await type(page, "Reason (optional)", "A reason that took long to write");
    await service.database.owner("update person_sessions set expires_at = now()");
    await press(page, "Refuse request");
    await title(page, "Log in again").waitFor();
    await expect(page.getByText("Your session has ended.")).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toHaveValue(email);
    await look(page, "desktop", "party-11-session-ended");
    await logIn(page, email);
    await expect(page.getByLabel("Reason (optional)")).toHaveValue("A reason that took long to write");
    await press(page, "Refuse request");
    await expect(page.getByText("Refused. Nothing has changed.")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Refused. Nothing has changed.")).toBeVisible();
  });

  testInAll("a request of other people, a broken link and a browser without passkeys or network say so", async () => {
    const { email } = await asked("First lease");
    const other = await asked("Second lease");
    const page = await open(other.link);
    await page.addInitScript("delete window.PublicKeyCredential");
    await page.reload();
    await expect(page.getByText("This browser does not support passkeys. Use a code.")).toBeVisible();
    await logIn(page, email);
    await title(page, "Request not found").waitFor();
    await look(page, "desktop", "party-12-not-found");
    await page.goto(`${console.url}/p/#/acts/..%2f..`);
    await title(page, "Page not found").waitFor();
    await menu(page, "Security");
    await expect(page.getByText("This browser does not support passkeys, so none can be added here.")).toBeVisible();
    await menu(page, "Requests");
    await page.getByRole("link", { name: /First lease/ }).click();
    await press(page, "Confirm");
    await expect(page.getByText("This browser does not support passkeys, so use a code.")).toBeVisible();
    watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await expect(page.getByText("You are offline.")).toBeVisible();
    await press(page, "Send me a code");
    await expect(page.getByRole("alert")).toContainText("Countersign is not responding.");
    await look(page, "desktop", "party-13-offline");
    await page.context().setOffline(false);
  });

  testInAll("too many wrong codes end a code, and the page says what to do", async () => {
    const { email, link } = await asked("Locked lease");
    const page = await open(link);
    await type(page, "E-mail address", email);
    await press(page, "Send code");
    await page.getByLabel("Code", { exact: true }).waitFor();
    const code = await mailedCode(email, /log-in code/);
    for (let n = 0; n < 5; n++) {
      await type(page, "Code", code === "00000000" ? "00000001" : "00000000");
      const [answer] = await Promise.all([page.waitForResponse(/session$/), press(page, "Log in")]);
      expect(answer.status()).toBe(401);
    }
    await press(page, "Log in");
    await expect(page.getByRole("alert")).toContainText("Too many attempts. Request a new code.");
    await look(page, "desktop", "party-14-locked");
  });
});

describe("the console", () => {
  testInAll("adds a party, asks it about its people once one has logged in, and proposes, decides and cancels acts", async () => {
    for (const device of tourDevices) await manageParties(device);
  });

  async function manageParties(device: Device): Promise<void> {
    const name = `Second Example Bank ${device}`;
    const page = await console.open(org, "/parties", { device });
    await title(page, "Parties").waitFor();
    await press(page, "New party");
    await press(page, "Add party");
    await expect(page.getByRole("dialog").getByLabel("Name", { exact: true })).toBeFocused();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name);
    await type(page, "Identifier (optional)", `RSSD ${device}`);
    await type(page, "Name (optional)", "Bea Example");
    await type(page, "E-mail address (optional)", `bea-${device}@second.example`);
    await look(page, device, "console-60-new-party");
    await press(page, "Add party");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText(`${name} was added.`);
    await type(page, "Search", device);
    await expect(page).toHaveURL(/q=/);
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("1 person, 1 can confirm");
    await look(page, device, "console-60-parties");
    await page.getByRole("link", { name }).click();
    await title(page, name).waitFor();
    await press(page, "Change party");
    await type(page, "Address (optional)", "2 Example Street");
    await press(page, "Save");
    await expect(page.getByText("2 Example Street")).toBeVisible();
    await press(page, "Add person");
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Cal Example");
    await type(page, "E-mail address", `cal-${device}@second.example`);
    await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("Cal Example was added.");

    const own = await open(`${console.url}/p/`, { device });
    await logIn(own, `bea-${device}@second.example`);
    await expect(own.getByText("No requests.")).toBeVisible();
    await look(own, device, "party-15-no-requests");
    await page.reload();
    await expect(
      page.getByText(`The party decides about its own people. A change that you make here is sent to ${name} for approval first.`),
    ).toBeVisible();
    await press(page, "Remove Cal Example");
    await press(page, "Remove");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText(`Asked ${name}.`);
    await expect(page.getByRole("row").filter({ hasText: `Remove cal-${device}@second.example` })).toContainText("Open");
    await look(page, device, "console-61-party");
    await page.getByRole("link", { name: "Open act" }).click();
    await title(page, `Remove cal-${device}@second.example from those who act for ${name}`).waitFor();

    const { envelope_id, party } = await asked(`Loan note ${device}`);
    await page.goto(`${console.url}/console/vault/${envelope_id}`);
    await expect(page.getByRole("heading", { name: "Eight checks" })).toBeVisible();
    await look(page, device, "console-62-vault-evidence");
    await page.getByRole("link", { name: "Ask the party to designate the custodian" }).click();
    await expect(page.getByLabel("Change", { exact: true })).toHaveValue("designate_custodian");
    await page.getByLabel("Change", { exact: true }).selectOption("Assign to another party");
    await press(page, "Propose");
    await expect(page.locator(`[aria-invalid="true"]`).first()).toBeFocused();
    await page.getByLabel("Party", { exact: true }).selectOption(`${name} (RSSD ${device})`);
    await type(page, "Reason", "Sale of the loan");
    await look(page, device, "console-63-vault-propose");
    await press(page, "Propose");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText(`It takes effect when ${party} and ${name} have confirmed.`);
    await page.goto(`${console.url}/console/acts?state=proposed`);
    const summary = `Assign the record “Loan note ${device}” from ${party} to ${name}`;
    await expect(page.getByRole("row").filter({ hasText: summary })).toContainText(name);
    await look(page, device, "console-64-acts");
    await page.getByRole("link", { name: summary }).click();
    await press(page, "Cancel act");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel act" }).click();
    await expect(page.getByText("Cancelled by the organization that proposed it. Nothing has changed.")).toBeVisible();
  }

  testInAll("pins another vault, accepts a record that it offers, and offers and takes back one of its own", async () => {
    for (const device of tourDevices) await exchangeRecords(device);
  });

  async function exchangeRecords(device: Device): Promise<void> {
    const [own, other] = [await service.newOrg("First Example Vault"), await service.newOrg("Second Example Vault")];
    const page = await console.open(own, "/remote-vaults", { device });
    await title(page, "Remote vaults").waitFor();
    await expect(page.getByText("No transfers in")).toBeVisible();
    await page.getByRole("tab", { name: "Pinned vaults" }).click();
    await press(page, "Pin a vault");
    await type(page, "Name (optional)", "Second Example Vault");
    await type(page, "Address", console.url);
    await type(page, "Root (SHA-256)", "0".repeat(64));
    await type(page, "Organization ID", other.org_id);
    await press(page, "Pin vault");
    await expect(page.getByRole("dialog")).toContainText("must be the root that signed the trust document there");
    await look(page, device, "console-66-pin-vault");
    const root_sha256 = await rootOf(service);
    await type(page, "Root (SHA-256)", root_sha256);
    await press(page, "Pin vault");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("Second Example Vault is pinned.");
    await expect(page.getByText("What others need to pin your organization")).toBeVisible();
    await look(page, device, "console-66-pinned-vaults");

    const pinning = { url: console.url, root_sha256, org_id: own.org_id, name: "First Example Vault" };
    const { vault_id } = (await other.admin("POST", "/partner/remote-vaults", { body: pinning })).json.data;
    const theirs = await vaultedByPipeline(service, other, { envelope_name: "Aircraft lease", pdf: longDocument(1) });
    const body = { kind: "transfer_out", vault_id, reason: "Sale of the lease", present_version: 1 };
    expect((await other.admin("POST", `/partner/envelopes/${theirs}/acts`, { body })).status).toBe(201);
    await jobsDone(service);
    await page.getByRole("tab", { name: "Transfers in" }).click();
    const offered = page.getByRole("row").filter({ hasText: "Aircraft lease" });
    await expect(offered).toContainText("Waiting for your answer");
    await look(page, device, "console-67-transfers-in");
    await press(page, "Accept Aircraft lease");
    await page.getByRole("dialog").getByRole("button", { name: "Accept", exact: true }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Choose a customer or add a new one.");
    await press(page, "New customer");
    await type(page, "Customer's name", "Ann");
    await type(page, "Customer's e-mail address", "ann@example.com");
    await look(page, device, "console-67-accept-transfer");
    await page.getByRole("dialog").getByRole("button", { name: "Accept", exact: true }).click();
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("“Aircraft lease” was accepted.");
    await jobsDone(service);
    await page.reload();
    await expect(offered).toContainText("Stored here");
    await page.getByRole("link", { name: "Aircraft lease" }).click();
    await title(page, "Aircraft lease").waitFor();

    await decideForAnother(page, device, { own, other }, vault_id);
    const envelope_id = await vaultedByPipeline(service, own, { envelope_name: "Ship lease", pdf: longDocument(1) });
    await page.goto(`${console.url}/console/vault/${envelope_id}?tab=control&propose=transfer_out`);
    await page.getByLabel("Vault", { exact: true }).selectOption("Second Example Vault");
    await type(page, "Reason", "Sale of the lease");
    await look(page, device, "console-68-propose-transfer");
    await press(page, "Propose");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("In effect:");
    await jobsDone(service);
    await page.goto(`${console.url}/console/remote-vaults?tab=out`);
    const sent = page.getByRole("row").filter({ hasText: "Ship lease" });
    await expect(sent).toContainText("Offered");
    await look(page, device, "console-68-transfers-out");
    await press(page, "Cancel transfer Ship lease");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel transfer" }).click();
    await expect(sent).toContainText("Cancelled");
    await jobsDone(service);
    await page.getByRole("tab", { name: "Pinned vaults" }).click();
    await press(page, "Remove Second Example Vault");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("Second Example Vault was removed.");
    await expect(page.getByText("No vaults pinned")).toBeVisible();
  }

  /** The other installation asks for a party that this organization stands for; and this one names the other as a party of its own. */
  async function decideForAnother(
    page: Page,
    device: Device,
    { own, other }: { readonly own: TestOrg; readonly other: TestOrg },
    vault_id: string,
  ): Promise<void> {
    const party = { kind: "vault", name: "Fourth Example Bank", vault_id };
    const { party_id } = (await other.admin("POST", "/partner/parties", { body: party })).json.data;
    const [record] = await vaultedCopies(service, other, 1);
    const body = { kind: "designate", reason: "Security for the loan", present_version: 1, party_id };
    const at = `/partner/envelopes/${record?.envelope_id}`;
    expect((await other.admin("POST", `${at}/acts`, { body })).status).toBe(201);
    await jobsDone(service);
    await page.goto(`${console.url}/console/acts?tab=requests`);
    const asked = page.getByRole("row").filter({ hasText: "is assigned to Fourth Example Bank" });
    await expect(asked).toContainText("Second Example Vault");
    await look(page, device, "console-69-remote-requests");
    await asked.getByRole("link").click();
    await expect(page.getByText("Open. An admin of your organization must decide.")).toBeVisible();
    await look(page, device, "console-69-remote-request");
    await press(page, "Confirm");
    await expect(page.getByRole("dialog")).toContainText(
      "You confirm for Fourth Example Bank that the record “Contract” is assigned to Fourth Example Bank.",
    );
    await page.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("Confirmed. The decision is being sent.");
    await jobsDone(service);
    const { control, control_version: present_version } = (await other.admin("GET", `${at}/vault`)).json.data;
    expect(control.controller).toEqual({ party_id, name: "Fourth Example Bank", confirmation: "confirmed" });

    // Proposed by the person who then decides: the other side refuses that.
    const leaving = { kind: "transfer_out", vault_id, reason: "Sale of the loan", present_version };
    const { act_id, document } = (await other.admin("POST", `${at}/acts`, { body: leaving })).json.data;
    await service.database.owner("update control_acts set principal_email = $1 where act_id = $2", [own.email, act_id]);
    await jobsDone(service);
    await page.goto(`${console.url}/console/acts?tab=requests`);
    await page.getByRole("link", { name: /^Transfer the record “Contract”/ }).click();
    const row = (name: string) => page.locator(".facts > div").filter({ hasText: name });
    await expect(row("Root of the receiving vault (SHA-256)")).toContainText(document.vault.root_sha256);
    await expect(row("Organization ID at the receiving vault")).toContainText(document.vault.org_id);
    await expect(page.locator(".act-needs > li")).toHaveText(
      /Fourth Example Bank.*Secured party on record.*Your organization is asked in this role\./,
    );
    await press(page, "Confirm");
    await page.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("Confirmed. The decision is being sent.");
    await jobsDone(service);
    await page.reload();
    await expect(
      page.getByText("The other installation refused the decision (same_principal). It is asked again until the act ends."),
    ).toBeVisible();
    await expect(row("Refused by the other installation")).toContainText("same_principal");

    await page.goto(`${console.url}/console/parties`);
    await press(page, "New party");
    await type(page, "Name", "Second Example Bank");
    await page.getByLabel("Who confirms for it").selectOption("An organization of another installation");
    await page.getByLabel("Pinned vault").selectOption("Second Example Vault");
    await look(page, device, "console-69-party-vault");
    await press(page, "Add party");
    await expect(page.getByRole("row").filter({ hasText: "Second Example Bank" })).toContainText("Organization of another installation");
  }

  testInAll("lets an admin of another organization decide on a request, and no one decide on what they proposed", async () => {
    const bank = await service.newOrg("Third Example Bank");
    const body = { kind: "org", name: "Third Example Bank", org_id: bank.org_id };
    const { party_id } = (await org.admin("POST", "/partner/parties", { body })).json.data;
    const envelope_id = await vaultedByPipeline(service, org, { envelope_name: "Fleet lease", pdf: longDocument(1) });
    const page = await console.open(org, `/vault/${envelope_id}?tab=control&propose=designate`);
    await page.getByLabel("Party", { exact: true }).selectOption("Third Example Bank");
    await type(page, "Reason", "Security for the loan");
    await press(page, "Propose");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("It takes effect when Third Example Bank has confirmed.");
    const asking = await console.open(bank, "/acts?tab=requests");
    await expect(asking.getByRole("row").filter({ hasText: "Fleet lease" })).toContainText("Example Company");
    await look(asking, "desktop", "console-65-act-requests");
    await asking.getByRole("link", { name: /Fleet lease/ }).click();
    await press(asking, "Confirm");
    await expect(asking.getByRole("dialog")).toContainText(
      "You confirm for Third Example Bank that the record “Fleet lease” is assigned to",
    );
    await asking.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(asking.locator(".toast, .status-notice .notice")).toContainText("In effect:");
    const { control } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
    expect(control.controller).toEqual({ party_id, name: "Third Example Bank", confirmation: "confirmed" });

    await org.admin("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    await page.goto(`${console.url}/console/vault/${envelope_id}?tab=control&propose=release_hold`);
    await page.getByLabel("Hold", { exact: true }).selectOption("Lawsuit");
    await type(page, "Reason", "Settled");
    await press(page, "Propose");
    await expect(page.locator(".toast, .status-notice .notice")).toContainText("An admin of the organization");
    await page.getByRole("link", { name: /End a legal hold/ }).click();
    await expect(page.getByText("You proposed this act, so another person must decide.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Confirm", exact: true })).toHaveCount(0);
    const second = await console.join(org, "admin", "Alex Admin");
    const deciding = await console.open(org, new URL(page.url()).pathname.replace("/console", ""), { as: second });
    await press(deciding, "Refuse");
    await type(deciding, "Reason (optional)", "Not settled yet");
    await deciding.getByRole("dialog").getByRole("button", { name: "Refuse", exact: true }).click();
    await expect(deciding.getByText("Refused. Nothing has changed.")).toBeVisible();
  });
});
