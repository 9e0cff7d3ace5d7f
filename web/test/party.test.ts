import { afterAll, beforeAll, describe } from "vitest";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import { jobsDone } from "../../server/test/jobs.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { headerOf, startSmtpPeer } from "../../server/test/smtp.ts";
import { vaultedByPipeline } from "../../server/test/vaulted.ts";
import { addAxe } from "./axe.ts";
import { type Device, expect, newContext, type Page, test, testInAll, type Visit, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { longDocument } from "./documents.ts";
import { look as lookAt, tourDevices } from "./screens.ts";

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
const type = (page: Page, label: string, words: string) => page.getByLabel(label, { exact: true }).fill(words);
const menu = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name }).click();

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
  return /http:\/\/\S+\/p\/#\/acts\/act_\w+/.exec(mail?.text ?? "")?.[0] ?? expect.fail(`no request was mailed to ${email}`);
}

async function mailedCode(email: string, subject: RegExp): Promise<string> {
  const mail = (await mailsTo(email, subject)).at(-1);
  return /^(\d{8})$/m.exec(mail?.text ?? "")?.[1] ?? expect.fail(`no code was mailed to ${email}`);
}

async function logIn(page: Page, email: string): Promise<void> {
  await type(page, "E-mail address", email);
  await press(page, "Send code");
  await page.getByText(`If ${email} belongs to a person`).waitFor();
  await type(page, "Code", await mailedCode(email, /log-in code/));
  await press(page, "Log in");
  await page.getByRole("navigation", { name: "Parts of this page" }).waitFor();
}

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
    await expect(before.getByText("This act waits for others.")).toBeVisible();
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
    await look(page, device, "party-06-requests");
    await page.getByRole("link", { name: summary }).click();
    await press(page, "Confirm");
    const statement = `You confirm for ${party} that the record “Equipment lease ${device}” is assigned to ${party}.`;
    await expect(page.getByText(statement)).toBeVisible();
    await look(page, device, "party-07-confirm");
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
  }
});
