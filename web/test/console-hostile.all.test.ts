import { readFileSync } from "node:fs";
import { newId } from "../../server/src/shared/ids.ts";
import { form } from "../../server/test/form.ts";
import { askedOf } from "../../server/test/two-vaults.ts";
import { vaultedByPipeline } from "../../server/test/vaulted.ts";
import { expect, OFTEN, test, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { longDocument, named } from "./documents.ts";
import { elementsFrom, payloads, withoutTurning } from "./payloads.ts";

/** Malicious texts in every field that the API accepts, viewed on every screen of the console. */

const console = await testConsole();
const { service } = console;

const hostile = payloads.map(withoutTurning);
const bad = (index: number): string => hostile[index % hostile.length] ?? "";
const everything = hostile.join(" ");

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
type Data = any;

test("user text is rendered as text on every screen", async () => {
  const org = await service.newOrg(bad(0));
  const make = async (method: string, path: string, request: object): Promise<Data> => {
    const { status, json } = await org.admin(method, path, request);
    expect([status < 300, json.error, json.details], path).toEqual([true, undefined, undefined]);
    return json.data;
  };
  const colleague = await console.join(org, "member", bad(1));
  await make("POST", "/org/invitations", { body: { email: "invited@example.com", role: "viewer" } });
  const customer = {
    name: bad(2),
    company: bad(3),
    client_id: bad(4),
    job_title: bad(5),
    category: bad(6),
    address_line1: bad(7),
    primary_contact_name: bad(8),
    email: "customer@example.com",
  };
  const { customer_id } = await make("POST", "/partner/customers", { body: customer });
  const { key_id } = await make("POST", "/partners/keys", { body: { partner_name: bad(3), scopes: ["envelopes:read"] } });
  const inTag = (text: string) => text.replaceAll(/[{}();=,\\]/g, "");
  const { template_id } = await make(
    "POST",
    "/partner/templates",
    form({ name: bad(5), external_id: bad(6) }, { bytes: named(inTag(bad(1)), inTag(bad(2))) }),
  );
  const people = { customer_email: "customer@example.com", customer_name: bad(2) };
  const secured_party = { name: bad(7), role: bad(8), address: bad(0), identifier: bad(1) };
  const draft = await make("POST", "/partner/envelopes", {
    body: {
      envelope_name: bad(4),
      ...people,
      template_id,
      external_id: bad(5),
      secured_party,
      metadata: { note: everything },
      signers: [{ email: "ann@example.com", name: bad(6), role: "Buyer" }],
    },
  });
  const sent = await make("POST", "/partner/envelopes", { body: { envelope_name: bad(7), ...people, template_id } });
  const signers = [{ email: "ann@example.com", name: bad(8), role: "Buyer" }];
  await make("POST", `/partner/envelopes/${sent.envelope_id}/send`, { body: { signers, message: everything } });
  await make("POST", `/partner/envelopes/${sent.envelope_id}/void`, { body: { reason: everything } });
  const { endpoint_id } = await make("POST", "/webhooks/endpoints", {
    body: { url: `${console.url}/hook?x='><svg/onload=alert(1)>`, description: bad(2) },
  });
  await make("POST", `/webhooks/endpoints/${endpoint_id}/test`, {});
  const vaulted = await vaultedByPipeline(service, org, { envelope_name: bad(1), pdf: longDocument(1), secured_party });
  await make("POST", `/partner/envelopes/${vaulted}/vault/legal-hold`, { body: { reason: everything } });
  await make("POST", `/partner/envelopes/${vaulted}/custody-transfers`, { body: { to_user_id: colleague.user_id, reason: everything } });

  const party = { kind: "people", name: bad(3), identifier: bad(4), address: bad(5) };
  const first = { email: "first@example.com", name: bad(6), rights: "approve" };
  const { party_id } = await make("POST", "/partner/parties", { body: { ...party, people: [first] } });
  const { control_version } = await make("GET", `/partner/envelopes/${vaulted}/vault`, {});
  const pledge = { kind: "pledge", reason: everything, present_version: control_version, party_id };
  const { act_id } = await make("POST", `/partner/envelopes/${vaulted}/acts`, { body: pledge });
  const pool = { kind: "pledge", reason: everything, envelope_ids: [vaulted], party_id };
  const { control_batch_id } = await make("POST", "/partner/control-batches", { body: pool });

  const office = { kind: "cc", email: "office@example.com", name: bad(3), message: everything };
  const { form_id } = await make("POST", "/partner/forms", {
    body: { template_id, name: bad(4), settings: { recipients: [office], success_text: everything } },
  });

  const rows = `Buyer.name,Buyer.email\n"${bad(1).replaceAll('"', '""')}",nowhere\n`;
  const { batch_id } = await make(
    "POST",
    "/partner/bulk-batches",
    form({ template_id, options: JSON.stringify({ name: bad(2) }) }, { bytes: Buffer.from(rows), name: "rows.csv" }),
  );
  await make("POST", "/views", { body: { name: bad(2), query: { q: bad(1) } } });
  const news = { kind: "declined", envelope_name: everything, person: bad(1) };
  await service.database.owner(
    "insert into notifications (org_id, notification_id, user_id, kind, envelope_id, data) values ($1, $2, $3, 'declined', $4, $5)",
    [org.org_id, newId("notification"), org.user_id, sent.envelope_id, JSON.stringify(news)],
  );

  const visits: Record<string, readonly string[]> = {
    "/": ["/"],
    "/welcome": ["/welcome"],
    "/envelopes": ["/envelopes", `/envelopes?q=${encodeURIComponent(bad(1))}&customer_id=${customer_id}`],
    "/envelopes/new": ["/envelopes/new", `/envelopes/new?template=${template_id}`],
    "/envelopes/:envelope_id": ["", "?tab=timeline", "?tab=compliance", "?tab=api"].map((tab) => `/envelopes/${sent.envelope_id}${tab}`),
    "/envelopes/:envelope_id/prepare": ["", "?step=people", "?step=fields", "?step=options", "?step=review"].map(
      (step) => `/envelopes/${draft.envelope_id}/prepare${step}`,
    ),
    "/templates": ["/templates"],
    "/templates/:template_id": [`/templates/${template_id}`],
    "/forms": ["/forms"],
    "/forms/:form_id": [`/forms/${form_id}`],
    "/templates/:template_id/bulk": [`/templates/${template_id}/bulk`],
    "/bulk": ["/bulk"],
    "/bulk/:batch_id": [`/bulk/${batch_id}`],
    "/customers": ["/customers"],
    "/customers/upload": ["/customers/upload"],
    "/customers/:customer_id": [`/customers/${customer_id}`],
    "/vault": ["/vault"],
    "/vault/deposit": ["/vault/deposit"],
    "/vault/duplicates": ["/vault/duplicates"],
    "/vault/:envelope_id": ["", "?tab=record", "?tab=control", "?tab=control&propose=pledge", "?tab=history", "?tab=exports"].map(
      (tab) => `/vault/${vaulted}${tab}`,
    ),
    "/parties": ["/parties", `/parties?q=${encodeURIComponent(bad(3))}`],
    "/parties/:party_id": [`/parties/${party_id}`],
    "/acts": ["/acts", "/acts?tab=requests"],
    "/acts/:act_id": [`/acts/${act_id}`],
    "/remote-requests/:request_id": [`/remote-requests/${await askedOf(service, org, bad(3))}`],
    "/batches": ["/batches"],
    "/batches/:control_batch_id": [`/batches/${control_batch_id}`],
    "/remote-vaults": ["/remote-vaults", "/remote-vaults?tab=out", "/remote-vaults?tab=vaults"],
    "/custody": ["/custody", "/custody?tab=outgoing", "/custody?tab=history"],
    "/keys": ["/keys"],
    "/keys/:key_id": [`/keys/${key_id}`],
    "/webhooks": ["/webhooks"],
    "/webhooks/:endpoint_id": [`/webhooks/${endpoint_id}`],
    "/try": ["/try"],
    "/outbox": ["/outbox"],
    "/members": ["/members"],
    "/settings": ["/settings"],
    "/settings/mail": ["/settings/mail"],
    "/activity": ["/activity"],
    "/evidence-log": ["/evidence-log"],
    "/notifications": ["/notifications"],
    "/account": ["/account"],
  };
  const source = readFileSync(new URL("../console/routes.ts", import.meta.url), "utf8");
  const ofMembers = [...source.matchAll(/pattern: "([^"]+)",(?! open)/g)].map(([, pattern]) => pattern);
  expect(Object.keys(visits).sort()).toEqual(ofMembers.sort());

  const page = await console.open(org, "/");
  let underway = 0;
  page.on("request", () => {
    underway += 1;
  });
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", () => {
      underway -= 1;
    });
  for (const path of Object.values(visits).flat()) {
    // Navigates like a link of the console, without loading the page again.
    await page.evaluate(`history.pushState(null, "", "/console" + ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);
    await expect.poll(() => underway, OFTEN).toBe(0);
    await expect(page.locator(".skeleton"), path).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    expect(await page.getByRole("alert").allTextContents(), path).toEqual([]);
    expect(await elementsFrom(page), path).toBe(0);
  }

  const show = (path: string) =>
    page.evaluate(`history.pushState(null, "", "/console" + ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);
  const id = encodeURIComponent("../../chosen");
  // An invalid id in the path shows "Page not found", and nothing is requested.
  for (const path of [`/envelopes/${id}`, `/envelopes/${id}/prepare`, "/vault/%E0%A4%A", `/keys/${id}`, `/templates/${id}`]) {
    await show(path);
    await expect(page.getByRole("heading", { level: 1, name: "Page not found" }), path).toBeVisible();
  }
  // An id from the query stays one segment of the API path. Otherwise it could choose what is requested.
  const queries = [
    `/envelopes?customer_id=${id}`,
    `/envelopes/new?customer=${id}`,
    "/customers",
    `/envelopes/new?template=${id}`,
    `/vault/deposit?envelope=${id}`,
    `/outbox?message=${id}`,
  ];
  for (const path of queries) {
    const asked = path.includes("?") ? page.waitForRequest((request) => new URL(request.url()).pathname.includes("chosen")) : null;
    await show(path);
    if (asked !== null) expect((await asked).url(), path).toContain(`/${id}`);
    await expect.poll(() => underway, OFTEN).toBe(0);
  }
  // Files of the build have names of their own.
  const paths = watchOf(page.context()).requests.map(({ url }) => new URL(url).pathname);
  expect(paths.filter((path) => path.includes("/chosen") && !path.startsWith("/assets/"))).toEqual([]);
});
