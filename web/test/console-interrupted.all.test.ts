import { beforeAll, describe } from "vitest";
import { newTemplate } from "../../server/test/lease.ts";
import { startReceiver } from "../../server/test/receiver.ts";
import { PASSWORD, type TestOrg } from "../../server/test/service.ts";
import { until } from "../../server/test/until.ts";
import { expect, type Page, type Route, test, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { NO_ANSWER, saveIn } from "./lost-acts.ts";

/** What interrupts the work on a screen: a session that ends, a role that is taken away, another tab, another time zone, a slow answer. */

const console = await testConsole();
const { service } = console;
let org: TestOrg;
const ids: Record<string, string> = {};
const at = (path: string): string => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
const read = async (path: string) => (await org.admin("GET", at(path))).json.data;
const make = async (path: string, body: object) => (await org.admin("POST", at(path), { body })).json.data;

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first();
const open = (name: string) => (page: Page) => press(page, name);
const nothing = async () => undefined;
const save = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).last();

beforeAll(async () => {
  org = await service.newOrg("Example Company");
  ids.template = await newTemplate(await org.newKey());
  const recipients = [{ kind: "signer", role: "Landlord", name: "Sam Sample", email: "sam@example.com" }];
  ids.form = (await make("/partner/forms", { template_id: ids.template, name: "Lease online", settings: { recipients } })).form_id;
  ids.key = (await make("/partners/keys", { partner_name: "Billing", scopes: ["envelopes:read"] })).key_id;
  ids.endpoint = (await make("/webhooks/endpoints", { url: `${console.url}/hook`, enabled: false })).endpoint_id;
  ids.party = (await make("/partner/parties", { kind: "people", name: "First Lender" })).party_id;
  const lease = { envelope_name: "Lease", customer_name: "Ann Example", customer_email: "ann@example.com", template_id: ids.template };
  ids.draft = (await make("/partner/envelopes", lease)).envelope_id;
});

interface Work {
  readonly what: string;
  readonly path: string;
  readonly begin: (page: Page) => Promise<unknown>;
  readonly label: string;
  readonly text: string;
  readonly save: (page: Page) => ReturnType<Page["getByRole"]>;
  /** what the service has when it is saved */
  readonly saved: () => Promise<unknown>;
  readonly expected: unknown;
}

const works: readonly Work[] = [
  {
    what: "security",
    path: "/settings",
    begin: nothing,
    label: "Minimum length of new passwords",
    text: "17",
    save: saveIn("Security"),
    saved: async () => (await read("/org/security")).min_password,
    expected: 17,
  },
  {
    what: "single sign-on",
    path: "/settings",
    begin: nothing,
    label: "Domain",
    text: "company.example.com",
    save: save("Add domain"),
    saved: async () => (await read("/org/domains")).domains.length,
    expected: 1,
  },
  {
    what: "audit export",
    path: "/settings",
    begin: open("Add system"),
    label: "Address",
    text: `${console.url}/sink`,
    save: (page) => page.getByRole("dialog").getByRole("button", { name: "Add system" }),
    saved: async () => (await read("/org/audit-sinks")).length,
    expected: 1,
  },
  {
    what: "words of e-mails",
    path: "/settings/mail",
    begin: nothing,
    label: "Subject (optional)",
    text: "Please sign",
    save: saveIn("Words of e-mails"),
    saved: async () => (await read("/org/mail-texts")).texts.length,
    expected: 1,
  },
  {
    what: "a public form",
    path: "/forms/:form",
    begin: nothing,
    label: "Name",
    text: "Lease at the harbour",
    save: save("Save settings"),
    saved: async () => (await read("/partner/forms/:form")).name,
    expected: "Lease at the harbour",
  },
];

const draft: Work = {
  what: "a draft",
  path: "/envelopes/:draft/prepare?step=options",
  begin: nothing,
  label: "Message (optional)",
  text: "Please sign by Friday.",
  save: save("Save and continue"),
  saved: async () => (await read("/partner/envelopes/:draft")).metadata.message,
  expected: "Please sign by Friday.",
};

const endSessions = () =>
  service.database.owner("update sessions set ended_at = now() where user_id = $1 and user_agent = 'test'", [org.user_id]);

async function logInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await page.getByLabel(`Password for ${org.email}`).fill(PASSWORD);
  await press(page, "Log in");
  await expect(dialog).toHaveCount(0);
}

describe("a session that ends", () => {
  test.each([...works, draft])("while $what is changed: after the log-in, what was typed is there and is saved", async (work) => {
    const page = await console.open(org, at(work.path));
    await work.begin(page);
    await field(page, work.label).fill(work.text);
    await endSessions();
    // A request of the page itself may have found it out before, so that the dialog is in front of the button.
    await work.save(page).dispatchEvent("click");
    await logInAgain(page);
    await expect(field(page, work.label)).toHaveValue(work.text);
    await work.save(page).click();
    await expect.poll(work.saved).toEqual(work.expected);
  });

  test("while fields are placed: after the log-in, the field is where it was moved to, and is saved", async () => {
    const page = await console.open(org, at("/templates/:template"));
    const box = page.locator(".box-button").first();
    const left = () => box.evaluate((element) => element.getBoundingClientRect().left);
    await box.waitFor();
    const firstArea = async () => (await read("/partner/templates/:template")).fields[0].areas[0].x;
    const before = await firstArea();
    await endSessions();
    await box.press("Shift+ArrowRight");
    const moved = await left();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    expect(await firstArea()).toBe(before);
    await logInAgain(page);
    await expect(page.getByText(/^\d+ fields, saved$/)).toBeVisible();
    expect(await left()).toBe(moved);
    expect(await firstArea()).toBeGreaterThan(before);
  });
});

describe("a role that is taken away", () => {
  test.each(works)("while $what is changed: the next act says so, and nothing is saved or lost", async (work) => {
    const before = await work.saved();
    const sam = await console.join(org, "admin");
    const page = await console.open(org, at(work.path), { as: sam });
    await work.begin(page);
    await field(page, work.label).fill(`${work.text}9`);
    await org.admin("PATCH", `/org/members/${sam.user_id}`, { body: { role: "viewer" } });
    await work.save(page).click();
    await expect(page.getByText("Your role is now viewer. This page shows only what it allows.")).toBeVisible();
    expect(await work.saved()).toEqual(before);
    await expect(page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "API keys" })).toHaveCount(0);
  });

  test("while fields are placed: they stay where they were moved to, the screen says why, and they are saved with the role", async () => {
    const sam = await console.join(org, "admin");
    const page = await console.open(org, at("/templates/:template"), { as: sam });
    const giveRole = (role: string) => org.admin("PATCH", `/org/members/${sam.user_id}`, { body: { role } });
    const box = page.locator(".box-button").first();
    const left = () => box.evaluate((element) => element.getBoundingClientRect().left);
    const firstArea = async () => (await read("/partner/templates/:template")).fields[0].areas[0].x;
    await box.press("Shift+ArrowRight");
    await expect(page.getByText(/^\d+ fields, saved$/)).toBeVisible();
    const [savedAt, shownAt] = [await firstArea(), await left()];
    await giveRole("viewer");
    await box.press("Shift+ArrowRight");
    const moved = await left();
    await expect(page.getByText("Your role is now viewer. This page shows only what it allows.")).toBeVisible();
    await expect(page.getByText(/Your role is viewer\. An admin or a security admin can change it under Members\./)).toBeVisible();
    await expect(page.getByText("Your last changes to the fields are not saved.", { exact: false })).toBeVisible();
    expect([await left(), await firstArea()]).toEqual([moved, savedAt]);
    expect(moved).toBeGreaterThan(shownAt);
    await box.press("Delete");
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Envelopes" }).click();
    await expect(page.getByText("Your last changes could not be saved.")).toBeVisible();
    await press(page, "Stay here");
    await giveRole("member");
    await press(page, "Try again");
    await expect(page.getByText(/^\d+ fields, saved$/)).toBeVisible();
    expect(await left()).toBe(moved);
    expect(await firstArea()).toBeGreaterThan(savedAt);

    // Without unsaved work, the builder shows the fields as they were saved, and not as they were when it was opened.
    await giveRole("viewer");
    await press(page, "More");
    await page.getByRole("menuitem", { name: "Copy", exact: true }).click();
    await expect(page.getByText("With the role viewer you cannot edit fields.", { exact: false })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);
    await expect(page.getByText("Your last changes to the fields are not saved.", { exact: false })).toHaveCount(0);
    expect(await left()).toBe(moved);
  });
});

describe("two tabs", () => {
  const both = async (path: string) => {
    const page = await console.open(org, at(path));
    const other = await page.context().newPage();
    await other.goto(`${console.url}/console${at(path)}`);
    return [page, other] as const;
  };

  test("of a form: each saves what it has changed, and keeps what the other has", async () => {
    const [page, other] = await both("/forms/:form");
    await field(page, "Envelopes in 24 hours").waitFor();
    await field(other, "Text after signing (optional)").fill("Thank you.");
    await press(other, "Save settings");
    await expect(other.getByText("Settings saved.")).toBeVisible();
    await field(page, "Envelopes in 24 hours").fill("7");
    await press(page, "Save settings");
    await expect(page.getByText("Settings saved.")).toBeVisible();
    expect((await read("/partner/forms/:form")).settings).toMatchObject({ max_per_day: 7, success_text: "Thank you." });
    await expect(field(page, "Text after signing (optional)")).toHaveValue("Thank you.");
  });

  test("of a key: another name does not take back the limit that the other tab has set", async () => {
    const [page, other] = await both("/keys/:key");
    await press(page, "Edit");
    await press(other, "Edit");
    await field(other, "Requests per minute (optional)").fill("77");
    await press(other, "Save");
    await expect(other.getByRole("dialog")).toHaveCount(0);
    await field(page, "Name").fill("Invoices");
    await press(page, "Save");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await read("/partners/keys/:key")).toMatchObject({ partner_name: "Invoices", rate_limit_rpm: 77 });
  });

  test("of an endpoint and of a party: each keeps what the other has changed", async () => {
    const [page, other] = await both("/webhooks/:endpoint");
    await press(page, "Edit");
    await press(other, "Edit");
    await field(other, "URL").fill(`${console.url}/moved`);
    await press(other, "Save");
    await expect(other.getByRole("dialog")).toHaveCount(0);
    await field(page, "Description (optional)").fill("Orders");
    await press(page, "Save");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await read("/webhooks/endpoints/:endpoint")).toMatchObject({ url: `${console.url}/moved`, description: "Orders" });
    for (const tab of [page, other]) {
      await tab.goto(`${console.url}/console${at("/parties/:party")}`);
      await press(tab, "Change party");
    }
    await field(other, "Address (optional)").fill("1 Harbour Street");
    await press(other, "Save");
    await expect(other.getByRole("dialog")).toHaveCount(0);
    await field(page, "Name").fill("First Lender of the Harbour");
    await press(page, "Save");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await read("/partner/parties/:party")).toMatchObject({ name: "First Lender of the Harbour", address: "1 Harbour Street" });
  });
});

test("a time zone that changes while the console is open: all times are in the new zone", async () => {
  // Without a zone of the context, the session below may set one.
  const page = await console.open(org, "/account", { locale: "en-GB", timezoneId: undefined } as object);
  const cdp = await page.context().newCDPSession(page);
  const to = (timezoneId: string) => cdp.send("Emulation.setTimezoneOverride", { timezoneId });
  const go = (path: string) =>
    page.evaluate(`history.pushState(null, "", "/console${path}"); dispatchEvent(new PopStateEvent("popstate"))`);
  const account = async () => {
    await go("/members");
    await title(page, "Members").waitFor();
    await go("/account");
    await title(page, "Your account").waitFor();
  };
  await title(page, "Your account").waitFor();
  await to("America/New_York");
  await account();
  await expect(page.getByText(/^It is .* \(America\/New_York\)\.$/)).toBeVisible();
  await to("Asia/Tokyo");
  await account();
  const shown = (await page.getByText(/^It is .* \(Asia\/Tokyo\)\.$/).textContent()) ?? "";
  const expected = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Asia/Tokyo" }).format(new Date());
  // The minute may have changed in between.
  const before = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Asia/Tokyo" }).format(new Date(Date.now() - 60_000));
  expect(
    [expected, before].some((time) => shown.replaceAll("\u202f", " ").includes(time.replaceAll("\u202f", " "))),
    shown,
  ).toBe(true);
});

test("a notification setting whose answer is lost stays as the user set it, and is saved with Try again", async () => {
  const page = await console.open(org, "/notifications");
  watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
  const box = page.getByRole("checkbox", { name: "Everyone has signed: by e-mail" });
  const wasOn = await box.isChecked();
  let isLost = false;
  await page.route(/\/notifications\/settings$/, (route: Route) => {
    if (isLost || route.request().method() !== "PATCH") return route.fallback();
    isLost = true;
    return route.abort("connectionreset");
  });
  await box.click();
  await expect(page.getByText(NO_ANSWER)).toBeVisible();
  await expect(box).toBeChecked({ checked: !wasOn });
  expect((await read("/notifications/settings")).kinds.completed.mail).toBe(wasOn);
  // The notice goes away when the second attempt begins.
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await press(page, "Try again");
  await saved;
  await expect(page.getByText(NO_ANSWER)).toHaveCount(0);
  await expect(box).toBeChecked({ checked: !wasOn });
  expect((await read("/notifications/settings")).kinds.completed.mail).toBe(!wasOn);
});

test("a replay of 10,001 deliveries whose second answer is lost continues there, and queues none of them again", async () => {
  const receiver = await startReceiver();
  receiver.always("hang");
  const { endpoint_id } = await make("/webhooks/endpoints", { url: receiver.url, event_types: ["envelope.sent"] });
  await service.database.owner(
    `with made as (
       insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at)
       select $1, 'evt_' || lpad(n::text, 26, '0'), 'envelope.sent', now(), '{}', now() from generate_series(1, 10001) n returning *
     ) insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger)
     select org_id, replace(event_id, 'evt', 'whd'), $2, event_id, event_type, event_seq, 'failed', 'event' from made`,
    [org.org_id, endpoint_id],
  );
  const page = await console.open(org, `/webhooks/${endpoint_id}`);
  watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
  const queued: number[] = [];
  let isLost = false;
  await page.route(/\/replay$/, async (route: Route) => {
    const { after, dry_run } = route.request().postDataJSON() as { after?: string; dry_run?: boolean };
    if (dry_run === true) return route.fallback();
    const response = await route.fetch();
    queued.push((await response.json()).data.queued);
    if (after !== undefined && !isLost) {
      isLost = true;
      return route.abort("connectionreset");
    }
    return route.fulfill({ response });
  });
  await press(page, "Replay deliveries");
  await press(page, "Count deliveries");
  const replay = page.getByRole("dialog").getByRole("button", { name: /^Replay 10,001/ });
  await replay.click();
  await expect(page.getByText(NO_ANSWER)).toBeVisible();
  await expect(page.getByText("10,000 so far…")).toBeVisible();
  await replay.click();
  await expect(page.getByText(/^10,001 deliveries queued for replay/)).toBeVisible();
  // The third is the lost answer once more.
  expect(queued).toEqual([10_000, 1, 1]);
  await org.admin("DELETE", `/webhooks/endpoints/${endpoint_id}`);
  await receiver.close();
});

test("cards of the settings and the account that load slowly show that they load", async () => {
  const page = await console.open(org, "/customers");
  await title(page, "Customers").waitFor();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = 0;
  await page.route(/\/api\/v2\/(org\/(security|domains|sso|audit-sinks|registry)|auth\/(factors|devices))(\?|$)/, async (route) => {
    held += 1;
    await released;
    await route.fallback();
  });
  const go = (path: string) =>
    page.evaluate(`history.pushState(null, "", "/console${path}"); dispatchEvent(new PopStateEvent("popstate"))`);
  const waiting = (name: string) => page.getByRole("region", { name, exact: true }).locator(".skeleton").first();
  await go("/settings");
  for (const name of ["Security", "Single sign-on", "Audit export", "Registry"]) await expect(waiting(name), name).toBeVisible();
  await go("/account");
  for (const name of ["Two-step log-in", "Browsers"]) await expect(waiting(name), name).toBeVisible();
  await until("all requests", async () => held > 6);
  release();
  await expect(page.locator(".skeleton")).toHaveCount(0);
});
