import { readFileSync } from "node:fs";
import type { Request } from "@playwright/test";
import pg from "pg";
import { noteFailedJobs } from "../../server/src/jobs/heartbeat.ts";
import { newId } from "../../server/src/shared/ids.ts";
import { sentEnvelope } from "../../server/test/envelopes.ts";
import { codeOf } from "../../server/test/factors.ts";
import { form } from "../../server/test/form.ts";
import { askedOf } from "../../server/test/two-vaults.ts";
import { vaultedByPipeline } from "../../server/test/vaulted.ts";
import { expectAccessible } from "./axe.ts";
import { expect, OFTEN, test, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { longDocument, named } from "./documents.ts";
import { elementsFrom, payloads, withoutTurning } from "./payloads.ts";

/** Malicious, long and many texts in every field that the API accepts, viewed on every screen of the console, on a phone. */

const console = await testConsole();
const { service } = console;

// Each with a word that is wider than a phone.
const hostile = payloads.map((text) => `${withoutTurning(text)} ${"W".repeat(40)}`);
const bad = (index: number): string => hostile[index % hostile.length] ?? "";
/** Headers are in ASCII, without the rest of a line. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "");
const everything = `${payloads.map(withoutTurning).join(" ")} ${"W".repeat(40)}`;

/** The elements that make the page scroll sideways. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return wide.slice(0, 5).map((one) => one.tagName + "." + one.parentElement?.className + " > " + one.className);
})()`;

/**
 * Controls below 24 by 24 pixels (WCAG 2.2, 2.5.8). A label counts as part of its control. The link of a row covers the row, and the boxes of
 * fields are as large as on the page of the document.
 */
const SMALL = `[...document.querySelectorAll("button, select, input, textarea, summary, a[href]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert], .skip, .hidden-visually, .row-link, .box"))
  .filter((one) => {
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    return width > 1 && height > 1 && Math.round(Math.min(width, height)) < 24;
  })
  .map((one) => one.parentElement?.className + " > " + one.outerHTML.slice(0, 120))`;

/** How many lines the longest of the names that are cut has. */
const LINES = `Math.max(0, ...[...document.querySelectorAll(".cut")]
  .map((one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))))`;

/**
 * Clicks the next button of the screen, or entry of a menu on it, that was not clicked before and may open something. Returns the names of
 * what was clicked, without numbers: the rows of a list have the same buttons. None: nothing is left.
 */
const clickNext = (clicked: ReadonlySet<string>): string => `(() => {
  const clicked = new Set(${JSON.stringify([...clicked])});
  const labelOf = (one) => (one.getAttribute("aria-label") ?? one.textContent).replaceAll(/\\d+/g, "0").trim();
  const nameOf = (one) => one.className + ": " + labelOf(one);
  const isNew = (one) =>
    !clicked.has(nameOf(one)) && !/^(Copy|Download|Export)/.test(labelOf(one)) && one.checkVisibility({ visibilityProperty: true });
  // The buttons of the builder act on its fields. Its preview is opened below.
  const buttons = [...document.querySelectorAll("main button:not([type=submit], [role=menuitem], [role=tab], .choice, .builder *)")].filter(isNew);
  const names = [];
  for (const button of buttons) {
    button.click();
    if (button.ariaHasPopup !== "menu") return [...names, nameOf(button)];
    const menu = document.getElementById(button.getAttribute("aria-controls"));
    const entry = [...menu.querySelectorAll("[role=menuitem]")].find(isNew);
    entry?.click();
    if (entry !== undefined) return [...names, nameOf(entry)];
    // All entries of this menu were clicked.
    menu.hidePopover();
    names.push(nameOf(button));
  }
  return names;
})()`;

/** Opens what is folded, and selects the rows of a list, which have actions of their own. */
const UNFOLD = `
for (const one of document.querySelectorAll("main details")) one.open = true;
for (const one of document.querySelectorAll("main thead input[type=checkbox]:not(:checked)")) one.click();`;

/** The title of the dialog that is open; null: none. */
const OPENED = `document.querySelector("dialog[open] h1")?.textContent ?? null`;

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
type Data = any;

test("user text is rendered as text on every screen, in every dialog, which is accessible, and in refusals", {
  timeout: 900_000,
}, async () => {
  const org = await service.newOrg(bad(0));
  const make = async (method: string, path: string, request: object): Promise<Data> => {
    const { status, json } = await org.admin(method, path, request);
    expect([status < 300, json.error, json.details], path).toEqual([true, undefined, undefined]);
    return json.data;
  };
  const colleague = await console.join(org, "member", bad(1));
  const { accept_url } = await make("POST", "/org/invitations", { body: { email: "invited@example.com", role: "viewer" } });
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
  const { key_id, api_key } = await make("POST", "/partners/keys", { body: { partner_name: bad(3), scopes: ["envelopes:read"] } });
  // The page of a key names the program that used it last.
  await service.send("GET", "/partner/envelopes", { headers: { "x-api-key": api_key, "user-agent": inHeader(bad(4)) } });
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

  // More than a person reads: 200 signers, and 10,000 tags, which is beyond the limit of the API.
  const emails = Array.from({ length: 199 }, (_, index) => `signer${index}@example.com`);
  const crowd = await sentEnvelope(service, org, { signers: ["ann@example.com", ...emails] });
  await service.database.owner("update signers set name = $2 || ' ' || turn where envelope_id = $1", [crowd.envelope_id, bad(4)]);
  await service.database.owner("insert into tags (org_id, tag_key, name) select $1, $2 || n, $2 || n from generate_series(1, 10000) as n", [
    org.org_id,
    hostile[2]?.slice(0, 40).toLowerCase(),
  ]);
  await service.database.owner(
    "insert into envelope_tags (org_id, tag_key, envelope_id) select $1, tag_key, $2 from tags where org_id = $1 order by tag_key limit 20",
    [org.org_id, crowd.envelope_id],
  );

  // As many recipients as an envelope can have.
  const recipients = Array.from({ length: 100 }, (_, n) => ({
    ...(n === 0 ? { kind: "signer", role: "Buyer" } : { kind: "viewer" }),
    name: `${bad(n)} ${n}`,
    email: `recipient${n}@example.com`,
  }));
  const full = await make("POST", "/partner/envelopes", { body: { envelope_name: bad(3), ...people, template_id, recipients } });

  // The account and the settings: second factors, browsers and programs, identity providers, systems for audit entries, e-mails.
  const app = await make("POST", "/auth/factors/totp", { body: { name: payloads[1].slice(0, 60) } });
  await make("POST", `/auth/factors/${app.factor_id}/confirm`, { body: { code: codeOf(app.secret) } });
  const { owner } = service.database;
  await owner(
    `insert into devices (device_id, user_id, token_hash, label, first_ip, last_ip, known_until)
     values ($1, $2, $3, $4, '192.0.2.7', '192.0.2.7', now() + interval '30 days')`,
    [newId("device"), org.user_id, Buffer.alloc(32, 7), bad(2)],
  );
  await owner("update sessions set user_agent = $2 where user_id = $1", [org.user_id, bad(3)]);
  await make("POST", "/org/domains", { body: { domain: `${"w".repeat(60)}.example.com` } });
  // Without its provider, which the service asks before it stores one.
  await owner(
    `insert into sso_connections (org_id, connection_id, name, issuer, client_id, client_secret_enc, scopes)
     values ($1, $2, $3, $4, 'client', '\\x00', '{openid}')`,
    [org.org_id, newId("ssoConnection"), payloads[3].slice(0, 60), `https://${"w".repeat(60)}.example.com`],
  );
  await make("POST", "/org/audit-sinks", {
    body: { kind: "webhook", target: `${console.url}/sink?x='><svg/onload=alert(1)>${"W".repeat(60)}`, from: "now" },
  });
  await make("PUT", "/org/registry", {
    body: { url: `${console.url}/r?x='><svg/onload=alert(1)>${"W".repeat(60)}`, mode: "gate", kinds: ["pledge"] },
  });
  await make("PUT", "/org/mail-texts", {
    body: { kind: "invitation", locale: "en", subject: payloads[0], intro: `${payloads[3]} ${"W".repeat(40)}` },
  });
  // Work that failed, of an envelope with such a name.
  await owner("select graphile_worker.add_job('signing.draw-pages', $1::json, run_at => now() + interval '1 hour')", [
    JSON.stringify({ org_id: org.org_id, envelope_id: sent.envelope_id }),
  ]);
  await owner("update graphile_worker._private_jobs set attempts = max_attempts, last_error = $2 where payload ->> 'envelope_id' = $1", [
    sent.envelope_id,
    everything,
  ]);
  const queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 1 });
  await noteFailedJobs(queue, 6);
  await queue.end();

  const visits: Record<string, readonly string[]> = {
    "/": ["/"],
    "/welcome": ["/welcome"],
    "/envelopes": ["/envelopes", `/envelopes?q=${encodeURIComponent(bad(1))}&customer_id=${customer_id}`],
    "/envelopes/new": ["/envelopes/new", `/envelopes/new?template=${template_id}`],
    "/envelopes/:envelope_id": [
      ...["", "?tab=timeline", "?tab=compliance", "?tab=api"].map((tab) => `/envelopes/${sent.envelope_id}${tab}`),
      `/envelopes/${crowd.envelope_id}`,
    ],
    "/envelopes/:envelope_id/prepare": [
      ...["", "?step=people", "?step=fields", "?step=options", "?step=review"].map(
        (step) => `/envelopes/${draft.envelope_id}/prepare${step}`,
      ),
      `/envelopes/${full.envelope_id}/prepare?step=people`,
    ],
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
    "/sandboxes": ["/sandboxes"],
    "/try": ["/try"],
    "/outbox": ["/outbox"],
    "/members": ["/members"],
    "/settings": ["/settings"],
    "/settings/mail": ["/settings/mail"],
    "/activity": ["/activity"],
    "/problems": ["/problems", "/problems?state=resolved"],
    "/evidence-log": ["/evidence-log"],
    "/notifications": ["/notifications"],
    "/account": ["/account"],
  };
  const source = readFileSync(new URL("../console/routes.ts", import.meta.url), "utf8");
  const ofMembers = [...source.matchAll(/pattern: "([^"]+)",(?! open)/g)].map(([, pattern]) => pattern);
  expect(Object.keys(visits).sort()).toEqual(ofMembers.sort());

  const page = await console.open(org, "/account");
  // Screens show their API calls too, with what they contain.
  await page.getByLabel("Show API calls").check();
  // A set: the end of a request that began before it was listened to must not count.
  const underway = new Set<Request>();
  page.on("request", (request) => {
    // The end of what a screen of before, or a preview, still asked for is not told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) underway.clear();
    underway.add(request);
  });
  page.on("framedetached", (frame) => {
    for (const request of underway) if (request.frame() === frame) underway.delete(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const) page.on(end as "requestfinished", (request) => underway.delete(request));
  // As narrow as a small phone, where long words show first.
  await page.setViewportSize({ width: 360, height: 800 });
  const [sideways, small]: [string[], string[]] = [[], []];
  // The quota of calls per minute is meant for people.
  const forgetCalls = () => service.database.owner("delete from quotas where subject = $1", [`user:${org.user_id}`]);
  // Effects, and with them requests, begin after the next frame.
  const settled = async () => {
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    await expect.poll(() => [...underway].map((request) => `${request.method()} ${request.url()}`), OFTEN).toEqual([]);
  };
  // Navigates like a link of the console, without loading the page again.
  const show = async (path: string) => {
    await page.evaluate(`history.pushState(null, "", "/console" + ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);
    await settled();
  };
  const check = async (place: string) => {
    expect(await elementsFrom(page), place).toBe(0);
    for (const one of await page.evaluate<string[]>(SIDEWAYS)) sideways.push(`${place}: ${one}`);
    for (const one of await page.evaluate<string[]>(SMALL)) small.push(`${place}: ${one}`);
  };
  // While every button is clicked, whatever would change something is refused, in words of this kind too.
  let isRefused = false;
  const refusal = { error: everything, details: [{ code: "conflict", message: everything, field: null, location: "body" }] };
  await page.route("**/api/v2/**", (route) =>
    isRefused && route.request().method() !== "GET" && !route.request().url().endsWith("/auth/refresh")
      ? route.fulfill({ status: 409, json: refusal })
      : route.fallback(),
  );
  const dialogs = new Set<string>();
  const isAt = (path: string): string => `location.pathname === ${JSON.stringify(`/console${path.split("?", 1)[0]}`)}`;
  const goTo = async (path: string) => {
    await forgetCalls();
    await show(path);
    // The screen asks before it leaves what could not be saved.
    if (!(await page.evaluate<boolean>(isAt(path)))) await page.goto(`${console.url}/console${path}`);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await expect(page.locator(".skeleton"), path).toHaveCount(0);
    await settled();
  };
  const clickAll = async (path: string, clicked: Set<string>) => {
    for (;;) {
      await page.evaluate(UNFOLD);
      const names = await page.evaluate<string[]>(clickNext(clicked));
      const name = names.at(-1);
      if (name === undefined) break;
      for (const one of names) clicked.add(one);
      await settled();
      const title = await page.evaluate<string | null>(OPENED);
      // The screen itself was measured before.
      if (title === null) expect(await elementsFrom(page), `${path}, ${name}`).toBe(0);
      else {
        await check(`${path}, ${title}`);
        if (!dialogs.has(`${path}: ${title}`)) await expectAccessible(page, `${path}, ${title}`, { within: "dialog[open]" });
        dialogs.add(`${path}: ${title}`);
      }
      // Once more if something was entered.
      for (let times = 0; times < 2 && (await page.evaluate(OPENED)) !== null; times++) await page.keyboard.press("Escape");
      if (!(await page.evaluate<boolean>(isAt(path)))) await goTo(path);
    }
  };
  for (const path of Object.values(visits).flat()) {
    await forgetCalls();
    await show(path);
    await expect(page.locator(".skeleton"), path).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    expect(await page.getByRole("alert").allTextContents(), path).toEqual([]);
    await check(path);
  }
  isRefused = true;
  for (const paths of Object.values(visits)) {
    const clicked = new Set<string>();
    for (const path of paths) {
      await goTo(path);
      await clickAll(path, clicked);
    }
  }
  await goTo("/");
  isRefused = false;
  expect(dialogs.size, [...dialogs].join("\n")).toBeGreaterThan(50);

  // Another recipient than the hundredth would be refused, so the wizard says how many there can be.
  await goTo(`/envelopes/${full.envelope_id}/prepare?step=people`);
  await expect(page.getByText("An envelope has at most 100 recipients.", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Add recipient|I sign too)$/ })).toHaveCount(0);

  // Of 10,000 tags, the filters show the first that match, and how many there are.
  for (const path of ["/envelopes", "/templates"]) {
    await forgetCalls();
    await show(path);
    const filter = page.getByRole("combobox", { name: "Tag", exact: true });
    await filter.click();
    const found = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    await expect(found, path).toHaveCount(8);
    await expect(page.getByText("9,992 more. Type to find a tag."), path).toBeVisible();
    await check(`${path}, tags`);
    await filter.fill("w9999");
    await expect(found, path).toHaveCount(1);
    await filter.press("Enter");
    await expect(page, path).toHaveURL(/\?tag=.*w9999$/);
    await expect(filter, path).toHaveValue(/w9999$/);
    await filter.fill("no such tag");
    await expect(page.locator(".tags-found").getByText("No tag matches."), path).toBeVisible();
    await filter.press("Escape");
    await expect(filter, path).toHaveValue(/w9999$/);
    await filter.fill("");
    await expect(page, path).toHaveURL(new RegExp(`${path}$`));
  }
  expect(sideways).toEqual([]);
  expect(small).toEqual([]);

  // A name of 200 letters without a space is cut after two lines, and its title has all of it.
  const long = "Lengthyname".repeat(19).slice(0, 200);
  await make("PATCH", `/partner/customers/${customer_id}`, { body: { name: long } });
  await make("PATCH", `/partners/keys/${key_id}`, { body: { partner_name: long } });
  await make("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { url: `${console.url}/${long}` } });
  await make("PATCH", `/partner/templates/${template_id}`, { body: { name: long } });
  await make("PATCH", `/partner/forms/${form_id}`, { body: { name: long } });
  await make("PATCH", `/partner/envelopes/${draft.envelope_id}`, { body: { envelope_name: long } });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/", "/envelopes", "/customers", "/templates", "/forms", "/keys", "/webhooks"]) {
      await forgetCalls();
      await show(path);
      await expect.poll(() => [...underway].map((request) => `${request.method()} ${request.url()}`), OFTEN).toEqual([]);
      const name = path === "/webhooks" ? `${console.url}/${long}` : long;
      const cut = page.locator(".cut").filter({ hasText: name }).filter({ visible: true }).first();
      await expect(cut, path).toHaveAttribute("title", name);
      expect(await page.evaluate<number>(LINES), `${path} at ${width}`).toBeLessThanOrEqual(2);
      expect(await page.evaluate<string[]>(SIDEWAYS), `${path} at ${width}`).toEqual([]);
    }
  }
  // Of the pages without a session, only that of an invitation has words of others.
  const invited = await console.visit(accept_url.slice(`${console.url}/console`.length));
  await invited.setViewportSize({ width: 360, height: 800 });
  await expect(invited.getByRole("heading", { level: 1 })).toHaveText(`Join ${bad(0)}`);
  expect([await elementsFrom(invited), await invited.evaluate<string[]>(SIDEWAYS)]).toEqual([0, []]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox");
  await expect(search).toBeFocused();
  await search.fill("W".repeat(40));
  await expect(page.getByRole("option").nth(2)).toBeVisible();
  expect(await elementsFrom(page)).toBe(0);
  expect(await page.evaluate<string[]>(SIDEWAYS)).toEqual([]);
  await page.keyboard.press("Escape");

  await show(`/templates/${template_id}`);
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.frameLocator("iframe.preview-frame").getByRole("heading").first()).toBeVisible();
  const preview = page.frames().find((one) => new URL(one.url()).pathname.startsWith("/preview"));
  expect(await preview?.evaluate("document.querySelectorAll('img[src=x], svg[onload], iframe, body style, [onerror]').length")).toBe(0);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

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
    await expect.poll(() => [...underway].map((request) => `${request.method()} ${request.url()}`), OFTEN).toEqual([]);
  }
  // Files of the build have names of their own.
  const paths = watchOf(page.context()).requests.map(({ url }) => new URL(url).pathname);
  expect(paths.filter((path) => path.includes("/chosen") && !path.startsWith("/assets/"))).toEqual([]);
});
