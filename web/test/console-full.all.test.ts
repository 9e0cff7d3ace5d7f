import { beforeAll } from "vitest";
import { newId } from "../../server/src/shared/ids.ts";
import { newEndpoint } from "../../server/test/deliveries.ts";
import { sentEnvelope } from "../../server/test/envelopes.ts";
import { form } from "../../server/test/form.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { vaultedByPipeline, vaultedCopies } from "../../server/test/vaulted.ts";
import { type Device, expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { longDocument, note } from "./documents.ts";
import { look, tourDevices } from "./screens.ts";
import { secured_party } from "./vaulting.ts";

/** The lists of the console with nothing in them, and with more than a screen shows. */

const console = await testConsole();
const { service } = console;

// Each screen is checked twice, and pictured four times.
const TOUR_MS = 300_000;

let [young, busy]: TestOrg[] = [];
let crowded = "";
beforeAll(async () => {
  [young, busy] = [await service.newOrg("Young Office"), await service.newOrg("Harbor Dental Group")];
  crowded = await fill(busy);
}, TOUR_MS);

/** Goes to the screen and waits for what it loads. It must not scroll sideways at 320 px, the narrowest width of WCAG 2.2. */
async function visit(page: Page, device: Device, path: string, name: string): Promise<void> {
  await page.goto(`${console.url}/console${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await expect(page.locator(".skeleton, [aria-busy='true']"), path).toHaveCount(0);
  expect(await page.getByRole("alert").allTextContents(), path).toEqual([]);
  await look(page, device, name);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await page.evaluate<number>("document.documentElement.scrollWidth"), `${path} at 320 px`).toBe(320);
  await page.setViewportSize(size);
}

test.each(tourDevices)("an empty list says what it is for and what comes first, on %s", { timeout: TOUR_MS }, async (device) => {
  const page = await console.open(young as TestOrg, "/account", { device });
  for (const [path, title, more] of [
    ["/forms", "No public forms yet", null],
    ["/bulk", "No bulk sends yet", "View templates"],
    ["/vault/duplicates", "Nothing to compare", null],
    ["/parties", "No parties yet", "New party"],
    ["/acts", "No acts yet", null],
    ["/batches", "No control batches yet", null],
    ["/remote-vaults", "No transfers in", null],
    ["/keys", "No API keys yet", "Create key"],
    ["/webhooks", "No endpoints yet", "Add endpoint"],
    ["/outbox", "No messages yet", null],
    ["/problems", "Nothing failed", null],
    ["/notifications", "Nothing new.", null],
    ["/sandboxes", "No sandboxes yet", "New sandbox"],
  ] as const) {
    await visit(page, device, path, `console-empty-${path.slice(1).replace("/", "-")}`);
    const empty = page.locator(".empty");
    await expect(empty.getByRole("heading"), path).toHaveText(title);
    if (more !== null) await expect(empty.locator("button, a.button"), path).toHaveText(more);
  }
});

test.each(tourDevices)("a long list is shown by the page, on %s", { timeout: TOUR_MS }, async (device) => {
  const page = await console.open(busy as TestOrg, "/account", { device });
  for (const path of [
    "/envelopes",
    "/templates",
    "/forms",
    "/customers",
    "/vault",
    "/parties",
    "/acts",
    "/keys",
    "/members",
    "/activity",
  ]) {
    await visit(page, device, path, `console-full-${path.slice(1)}`);
    const pager = page.getByRole("navigation", { name: "Pages" });
    await expect(pager.getByRole("status"), path).toHaveText(/^1–\d+ of [\d,]+$/);
    await pager.getByRole("button", { name: "Next" }).click();
    await expect(page, path).toHaveURL(/[?&]page=2/);
    await expect(pager.getByRole("status"), path).toHaveText(/^\d\d+(–\d+)? of [\d,]+$/);
  }
  for (const path of ["/", "/bulk", "/custody", "/batches", "/webhooks", "/notifications", "/sandboxes"])
    await visit(page, device, path, `console-full-${path.slice(1) || "home"}`);
  await visit(page, device, `/envelopes/${crowded}`, "console-full-envelope");
});

const FIRST = ["Mara", "Omar", "Ingrid", "Esra", "Joao", "Dmitri", "George", "Hana", "Lena", "Tomas", "Fatima", "Oscar", "Nora"];
const LAST = ["Klein", "Diaz", "Nystrom", "Yildiz", "Pereira", "Volkov", "Obi", "Suzuki", "Winter", "Brandt", "Haddad"];
const WORDS = ["Employment contract", "Equipment service agreement", "Residential lease", "Data processing agreement", "Loan note"];
const PLACES = ["Elm Street 14", "reception", "Harbor View, unit 1207, with parking and storage room", "4th quarter", "Northwind Medical"];
const TAGS = ["HR", "Supplier", "Lease", "Patient", "Finance"];
const nth = (of: readonly string[], n: number): string => of[n % of.length] ?? "";
const person = (n: number): string => `${nth(FIRST, n)} ${nth(LAST, n * 3)}`;
const emailOf = (n: number): string => `${nth(FIRST, n)}.${nth(LAST, n * 3)}.${n}@example.com`.toLowerCase();

/** An office that has worked for a month. Returns an envelope with many recipients. */
async function fill(org: TestOrg): Promise<string> {
  // The quota of calls per minute is meant for people.
  const make = async (method: string, path: string, request: object) => {
    await service.database.owner("delete from quotas where subject = $1", [`user:${org.user_id}`]);
    const { status, json } = await org.admin(method, path, request);
    expect([status < 300, json.error, json.details], path).toEqual([true, undefined, undefined]);
    return json.data;
  };
  const times = (count: number) => Array.from({ length: count }, (_, n) => n);
  const { owner } = service.database;

  const customers: string[] = [];
  for (const n of times(26)) {
    const body = {
      name: person(n),
      email: emailOf(n),
      company: n % 3 === 0 ? "Northwind Medical Ltd" : undefined,
      client_id: `C-${1000 + n}`,
    };
    customers.push((await make("POST", "/partner/customers", { body })).customer_id);
  }
  const { template_id } = await make("POST", "/partner/templates", form({ name: "Treatment plan consent" }, { bytes: note }));
  for (const n of times(23))
    await make("POST", `/partner/templates/${template_id}/copy`, { body: { name: `${nth(WORDS, n)} ${2026 - n}` } });
  for (const n of times(22))
    await make("POST", "/partner/forms", { body: { template_id, name: `Registration, ${nth(PLACES, n)} ${n + 1}` } });
  for (const n of times(3)) {
    const rows = `Buyer.name,Buyer.email\n${times(5)
      .map((row) => `${person(row)},${row === n ? "nowhere" : emailOf(row)}`)
      .join("\n")}\n`;
    const options = JSON.stringify({ name: `Annual consent, group ${n + 1}` });
    await make("POST", "/partner/bulk-batches", form({ template_id, options }, { bytes: Buffer.from(rows), name: "rows.csv" }));
  }

  const ends = ["sent", "viewed", "completed", "declined", "sent", "voided", "completed", "expired"] as const;
  const rows: object[] = [];
  for (const n of times(44)) {
    const { envelope_id } = await sentEnvelope(service, org, { signers: [emailOf(n), emailOf(n + 5)] });
    rows.push({
      envelope_id,
      envelope_name: `${nth(WORDS, n)}, ${nth(PLACES, n * 3)}`,
      status: nth(ends, n),
      customer_id: nth(customers, n),
      hours: (44 - n) * 16,
      tag: nth(TAGS, n),
    });
  }
  await owner(
    `with given as (
       select * from json_to_recordset($2) as of (envelope_id text, envelope_name text, status text, customer_id text, hours int, tag text)
     ), changed as (
       update envelopes e set envelope_name = g.envelope_name, name_key = lower(g.envelope_name), status = g.status, customer_id = g.customer_id,
         created_at = now() - make_interval(hours => g.hours), sent_at = now() - make_interval(hours => g.hours),
         completed_at = case when g.status = 'completed' then now() - make_interval(hours => g.hours - 9) end,
         ended_at = case when g.status in ('declined', 'voided', 'expired') then now() - make_interval(hours => g.hours - 7) end,
         updated_at = now() - make_interval(hours => g.hours - 9)
       from given g where e.org_id = $1 and e.envelope_id = g.envelope_id
     ), tagged as (
       insert into tags (org_id, tag_key, name) select distinct $1, lower(tag), tag from given returning tag_key
     )
     insert into envelope_tags (org_id, tag_key, envelope_id) select $1, lower(tag), envelope_id from given where (select count(*) from tagged) > 0`,
    [org.org_id, JSON.stringify(rows)],
  );
  await owner(
    `update signers s set name = initcap(split_part(email, '.', 1)) || ' ' || initcap(split_part(email, '.', 2)),
       status = case when e.status = 'completed' then 'signed' when e.status = 'declined' and turn = 2 then 'declined'
         when e.status in ('viewed', 'declined') and turn = 1 then 'signed' else s.status end
     from envelopes e where e.org_id = s.org_id and e.envelope_id = s.envelope_id and e.org_id = $1`,
    [org.org_id],
  );
  for (const n of times(4)) {
    const body = { envelope_name: `Invoice approval ${n + 1}`, customer_email: emailOf(n), customer_name: person(n), template_id };
    await make("POST", "/partner/envelopes", { body: { ...body, tags: ["Finance"] } });
  }
  const recipients = times(12).map((n) => ({
    kind: n === 0 ? "signer" : n < 5 ? "viewer" : n < 9 ? "approver" : "cc",
    name: person(n),
    email: emailOf(n),
    step: n < 5 ? 1 : n < 9 ? 2 : 3,
    ...(n === 0 && { role: "Buyer" }),
  }));
  const shared = {
    envelope_name: "Partnership agreement of the practice",
    customer_email: emailOf(3),
    customer_name: person(3),
    template_id,
  };
  const { envelope_id: many } = await make("POST", "/partner/envelopes", { body: { ...shared, recipients, signing_order: "steps" } });
  await make("POST", `/partner/envelopes/${many}/send`, { body: {} });

  const vaulted: string[] = [];
  for (const n of times(2))
    vaulted.push(await vaultedByPipeline(service, org, { envelope_name: `Loan note ${4711 + n}`, pdf: longDocument(1), secured_party }));
  const copies = await vaultedCopies(service, org, 23);
  for (const [n, { envelope_id }] of copies.entries())
    await owner("update envelopes set envelope_name = $2 where envelope_id = $1", [envelope_id, `${nth(WORDS, n)}, ${nth(PLACES, n)}`]);
  const parties: string[] = [];
  for (const n of times(22)) {
    const first = { email: `bank${n}@example.com`, name: person(n), rights: "approve" };
    const body = { kind: "people", name: `${nth(LAST, n)} Savings Bank ${n + 1}`, identifier: `LEI ${5000 + n}`, people: [first] };
    parties.push((await make("POST", "/partner/parties", { body })).party_id);
  }
  for (const [n, party_id] of parties.entries()) {
    const envelope_id = vaulted[n % 2];
    const { control_version } = await make("GET", `/partner/envelopes/${envelope_id}/vault`, {});
    const body = { kind: "pledge", reason: "Credit line of 2026", present_version: control_version, party_id };
    await make("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  }
  for (const n of times(3)) {
    const envelope_ids = copies.slice(n * 5, n * 5 + 5).map(({ envelope_id }) => envelope_id);
    const body = { kind: "pledge", reason: `Pool ${n + 1} of 2026`, envelope_ids, party_id: parties[n] };
    await make("POST", "/partner/control-batches", { body });
  }

  const scopes = ["envelopes:read", "customers:read"];
  for (const n of times(22))
    await make("POST", "/partners/keys", { body: { partner_name: `Integration ${n + 1}, ${nth(PLACES, n)}`, scopes } });
  for (const n of times(8)) {
    const description = n % 2 === 0 ? `Records of ${nth(LAST, n)}` : null;
    await newEndpoint(org, { url: `http://localhost:${4000 + n}/events` }, { enabled: n % 3 !== 0, description });
  }
  for (const n of times(22)) await console.join(org, n % 4 === 0 ? "viewer" : "member", person(n + 1));
  const colleague = await console.join(org, "member", "Mara Klein");
  for (const { envelope_id } of copies.slice(15, 20)) {
    const body = { to_user_id: colleague.user_id, reason: "Mara looks after loans now" };
    await make("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body });
  }
  for (const name of ["Sandbox", "Sandbox of the integration", "Training"]) await make("POST", "/org/sandboxes", { body: { name } });
  for (const n of times(25)) {
    const news = { kind: "declined", envelope_name: `${nth(WORDS, n)}, ${nth(PLACES, n * 3)}`, person: person(n) };
    await owner(
      "insert into notifications (org_id, notification_id, user_id, kind, envelope_id, data) values ($1, $2, $3, 'declined', $4, $5)",
      [org.org_id, newId("notification"), org.user_id, many, JSON.stringify(news)],
    );
  }
  return many;
}
