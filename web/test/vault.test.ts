import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Compliance } from "@countersign/client/types";
import type { Status } from "@countersign/evidence";
import { afterAll, describe, expectTypeOf, onTestFinished } from "vitest";
import { makeRecord } from "../../evidence/fixtures/record.ts";
import { makeRecord2 } from "../../evidence/fixtures/record-2.ts";
import { evaluate as evaluateInRules1 } from "../../evidence/src/rules/1/checks/evaluate.ts";
import { evaluate } from "../../evidence/src/rules/2/evaluate.ts";
import { readStored } from "../../server/src/documents/read-stored.ts";
import { sentEnvelope, tokenFor } from "../../server/test/envelopes.ts";
import { freePort } from "../../server/test/process.ts";
import { flipBit } from "../../server/test/vaulted.ts";
import { pageWeight } from "../browser/weight.mjs";
import { en as common } from "../i18n/en.ts";
import { de } from "../i18n/vault/de.ts";
import { en } from "../i18n/vault/en.ts";
import { es } from "../i18n/vault/es.ts";
import { fr } from "../i18n/vault/fr.ts";
import type { Status as Shown } from "../status/status.ts";
import { addAxe, expectAccessible } from "./axe.ts";
import { type Device, expect, newContext, type Page, test, testInAll, watchOf } from "./browser.ts";
import { startHost } from "./host.ts";
import { look, shoot, tourDevices } from "./screens.ts";
import { secured_party, signer, testVaulting } from "./vaulting.ts";

/** The vault page, with one vaulted document for all tests. The last test damages it. */

const vaulting = await testVaulting();
const host = await startHost(vaulting.embedUrl);
afterAll(() => host.close());
const partner = host.url("partner.localhost").slice(0, -1);
const other = host.url("other.localhost").slice(0, -1);
const reader = "reader@example.com";

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const button = (page: Pick<Page, "getByRole">, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Pick<Page, "getByRole">, name: string) => page.getByRole("heading", { name, exact: true });
const picture = (page: Page) => page.locator("img.picture").first();

async function open(email: string, device: Device = "desktop"): Promise<Page> {
  const context = await vaulting.newContext({ device });
  await addAxe(context);
  const page = await context.newPage();
  await page.goto(await vaulting.address(email));
  return page;
}

const owner = (statement: string, ...values: unknown[]) => vaulting.service.database.owner(statement, [vaulting.envelope_id, ...values]);
const compliance = async () =>
  (await vaulting.org.admin("GET", `/partner/envelopes/${vaulting.envelope_id}/compliance`)).json.data as Compliance;
const setState = (state: string) => owner("update authoritative_copies set state = $2 where envelope_id = $1", state);

/** Saves these columns of the envelope's rows, and returns a function that restores them. */
async function keep(table: string, columns: string): Promise<() => Promise<void>> {
  const rows = await owner(`select jsonb_agg(t) as kept from (select ${columns} from ${table} where envelope_id = $1) t`);
  const back = `select ${columns} from jsonb_populate_recordset(null::${table}, $2)`;
  return async () => {
    await owner(`update ${table} set (${columns}) = (${back}) where envelope_id = $1`, JSON.stringify((rows[0] as { kept: unknown }).kept));
  };
}

async function download(page: Page, name: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), mimeType: "application/octet-stream", buffer: Buffer.concat(chunks) };
}

describe("a reader", () => {
  test("sees a copy marked for them on every page, downloads it, reads eight checks, and finds all of it in the access log", async () => {
    const page = await open(reader);
    await expect(picture(page)).toBeVisible();
    await button(page, common.textView).click();
    const sheets = page.locator(".page-words");
    await expect(sheets).toHaveCount(3);
    await expect(sheets.nth(2)).toContainText("COPY, not the authoritative copy");
    const [copy_id] = /ci_\w{26}/.exec((await sheets.nth(2).textContent()) ?? "") ?? [];
    for (const n of [0, 1, 2]) await expect(sheets.nth(n)).toContainText(`${vaulting.envelope_id} · ${copy_id} · ${reader}`);
    const copy = await download(page, en.downloadCopy);
    expect(copy.name).toBe("Equipment lease 2026-114-copy.pdf");
    const issued = await owner("select copy_id, sha256 from copy_issues where envelope_id = $1 order by issued_at desc limit 1");
    expect(issued).toEqual([{ copy_id, sha256: createHash("sha256").update(copy.buffer).digest("hex") }]);

    const { proven_score, checks } = await compliance();
    await expect(page.locator(".score")).toHaveText(`100 of 100, attested. Proven: ${proven_score} of 100.`);
    await expect(page.locator(".score .icon.attested")).toBeVisible();
    await expect(page.getByText(secured_party.name).first()).toBeVisible();
    await page.getByText(en.history).first().click();
    await expect(page.getByText(/became custodian when the document was stored$/)).toBeVisible();
    await expect(page.getByText(en.evidenceNot)).toBeVisible();
    await expect(button(page, en.evidenceDo)).toHaveCount(0);
    await tab(page, en.tab.checks).click();
    await expect(page.locator(".check summary")).toHaveCount(8);
    for (const { number, grade, grade_reason } of checks) {
      if (grade === null || grade_reason === null) throw new Error(`check ${number} has no grade`);
      const check = page.locator(".check").filter({ has: page.locator(".check-name", { hasText: `${number}. ` }) });
      await expect(check.locator(".check-result")).toContainText(en.grade[grade]);
      await check.locator("summary").click();
      await expect(check.locator(".facts > div").filter({ hasText: en.why[grade] }).locator("dd")).toHaveText(grade_reason);
    }
    await expect(page.getByText(/^1 of 1 required signer signed/)).toBeVisible();
    await tab(page, en.tab.log).click();
    const entries = page.locator(".log li");
    await expect(entries).toHaveCount(2);
    await expect(entries.first()).toContainText(`${reader} ${en.what.copy}`);
    await expect(entries.last()).toContainText(`${reader} ${en.what.widget}`);
    await tab(page, en.tab.record).click();
    expect((await download(page, en.certificate)).name).toBe("Equipment lease 2026-114-certificate.pdf");
    await tab(page, en.tab.log).click();
    await expect(entries).toHaveCount(3);
    await expect(entries.first()).toContainText(`${reader} ${en.what.certificate}`);
  });

  testInAll("who is a signer or a member can download the evidence and check a file", async () => {
    const page = await open(signer);
    const zip = await download(page, en.evidenceDo);
    expect([zip.name, zip.buffer.subarray(0, 2).toString()]).toEqual(["Equipment lease 2026-114-evidence.zip", "PK"]);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/embed\/vault\/env_\w+$/, (route) => held.then(() => route.continue()));
    await page.locator("input[type=file]").setInputFiles(zip);
    const copy = await download(page, en.downloadCopy); // while the file is still being checked
    release();
    await expect(page.getByText(en.file.unknown)).toBeVisible();
    await page.locator("input[type=file]").setInputFiles(copy);
    await expect(page.getByText(/This is an unchanged copy, downloaded on .*\.$/)).toBeVisible();
    const sent = watchOf(page.context()).requests.filter(({ method }) => method === "POST");
    expect(sent.map(({ url }) => new URL(url).pathname.split("/").at(-1))).toEqual(["verify", "verify"]);
  });
});

describe("in the page of a partner", () => {
  const visit = async (origin: string): Promise<Page> => {
    await vaulting.org.admin("PATCH", "/org/settings", { body: { embed_origins: [partner] } });
    const page = await (await newContext([...vaulting.origins, origin])).newPage();
    await page.goto(`${origin}/`);
    return page;
  };
  const seenBy = (page: Page) => page.evaluate<{ events: { type: string }[]; messages: string[] }>("seen");
  const eventsOf = async (page: Page) => (await seenBy(page)).events.map(({ type }) => type);
  const frameOf = (page: Page) => page.frames().find((frame) => frame.url().startsWith(vaulting.embedUrl));

  testInAll(
    "it is shown by the element, its token is renewed through the host without a reload, and the host gets only codes",
    async () => {
      const fresh = await vaulting.address(reader);
      host.show(await vaulting.address(reader, 181), async () => fresh, 'height="auto" hide="header" style="max-height: none"');
      const page = await visit(partner);
      const frame = page.frameLocator("countersign-vault iframe");
      await expect(heading(frame, en.state.active)).toBeVisible();
      await frameOf(page)?.evaluate("window.notReloaded = true");
      await expect.poll(() => eventsOf(page)).toEqual(["ready", "expiring"]);
      const token = fresh.split("#token=")[1];
      const withFresh = () => watchOf(page.context()).requests.filter(({ headers }) => headers.authorization === `Bearer ${token}`).length;
      await expect.poll(withFresh).toBeGreaterThan(0);
      expect([await frameOf(page)?.evaluate("window.notReloaded"), frameOf(page)?.url().includes("token")]).toEqual([true, false]);
      // Three pages below each other.
      const element = page.locator("countersign-vault");
      const reported = async () => (await seenBy(page)).messages.filter((message) => message.includes('"height"')).at(-1) ?? "{}";
      const difference = async () => ((await element.boundingBox())?.height ?? 0) - JSON.parse(await reported()).height;
      await expect.poll(difference).toBe(0);
      expect(await frameOf(page)?.evaluate("document.documentElement.scrollHeight > innerHeight")).toBe(false);
      expect((await element.boundingBox())?.height).toBeGreaterThan(1500);
      const said = JSON.stringify(await seenBy(page));
      for (const secret of ["eyJ", reader, "Equipment lease", "Example Company", secured_party.name]) expect(said).not.toContain(secret);
    },
  );

  testInAll("whose origin is not allowed, it is not shown", async () => {
    host.show(await vaulting.address(reader), () => vaulting.address(reader));
    const page = await visit(other);
    const { faults, expect: expectFault } = watchOf(page.context());
    expectFault(/frame-ancestors/);
    await expect.poll(() => faults.filter((fault) => /frame-ancestors/.test(fault)).length).toBeGreaterThan(0);
    expect((await seenBy(page)).messages).toEqual([]);
  });

  testInAll("examples/embed-vault runs unchanged", async () => {
    const port = await freePort();
    const { api_key } = await vaulting.org.newKey({ scopes: ["vault:read"] });
    const example = spawn(process.execPath, [fileURLToPath(new URL("../../examples/embed-vault/server.mjs", import.meta.url))], {
      env: {
        PATH: process.env.PATH,
        API_KEY: api_key,
        ENVELOPE_ID: vaulting.envelope_id,
        READER_EMAIL: "guest@example.com",
        COUNTERSIGN_URL: vaulting.service.url,
        EMBED_URL: vaulting.embedUrl,
        PORT: String(port),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(async () => {
      const ended = once(example, "exit");
      example.kill();
      await ended;
    });
    await once(example.stdout, "data");
    const origin = `http://localhost:${port}`;
    const page = await (await newContext([...vaulting.origins, origin])).newPage();
    watchOf(page.context()).expect(/favicon|status of 404/);
    await page.goto(origin);
    await expect(heading(page.frameLocator("countersign-vault iframe"), en.state.active)).toBeVisible();
    await expect(page.locator("#state")).toHaveText("");
  });
});

describe("the states of the page", () => {
  testInAll("the end of the session is announced, and then only a new token helps", async () => {
    const page = await vaulting.open(await vaulting.address(reader, 4));
    await expect(page.getByText(/^Your session ends in \d seconds?\.$/)).toBeVisible();
    await expect(heading(page, en.endedTitle)).toBeVisible();
    await expect(page.getByText(en.endedOpenAgain)).toBeVisible();
    expect(await page.evaluate<boolean>("document.querySelector('.page').inert")).toBe(true);
  });

  testInAll("not vaulted yet, wrong token, exported and destroyed each have their own screen", async () => {
    const org = await vaulting.service.newOrg("Example Company");
    const { envelope_id } = await sentEnvelope(vaulting.service, org, { status: "vaulted", vault_file_path: "x" });
    const token = await tokenFor(org, envelope_id, signer, "vault");
    const context = await vaulting.newContext();
    const show = async (address: string) => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    const waiting = await show(`${vaulting.embedUrl}/vault/${envelope_id}#token=${token}`);
    await expect(heading(waiting, en.waitingTitle)).toBeVisible();
    await shoot(waiting, "desktop", "48-vault-waiting");
    const astray = await show(`${vaulting.embedUrl}/vault/${vaulting.envelope_id}#token=${token}`);
    await expect(heading(astray, en.notFoundTitle)).toBeVisible();
    onTestFinished(async () => void (await setState("active")));
    await setState("exported");
    const left = await show(await vaulting.address(reader));
    await expect(heading(left, en.state.exported)).toBeVisible();
    await expect(picture(left)).toBeVisible();
    await expect(button(left, en.verifyNow)).toHaveCount(0);
    await setState("destroyed");
    const destroyed = await show(await vaulting.address(signer));
    await expect(heading(destroyed, en.state.destroyed).first()).toBeVisible();
    await expect(button(destroyed, en.downloadCopy)).toHaveCount(0);
    await expect(button(destroyed, en.certificate)).toBeVisible();
    await shoot(destroyed, "desktop", "49-vault-destroyed");
  });
});

// vault.md, section 18.
const FORBIDDEN =
  /perfected|control is established|UCC compliant|legally binding|enforceable|court-admissible|tamper-proof|identity verified|qualified|advanced|\bLTV\b|trusted time|eNote|electronic original|notarized/i;

testInAll("in every language each tab fits 320 px, touch targets are large enough, and the arrow keys work", async () => {
  const page = await vaulting.open(await vaulting.address(signer), { device: "phone" });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [lang, words] of Object.entries({ en, de, es, fr })) {
    await page.getByRole("combobox").selectOption(lang);
    await expect(tab(page, words.tab.record)).toBeVisible();
    for (const part of ["record", "checks", "log", "document"] as const) {
      await tab(page, words.tab[part]).tap();
      const { over, small } = await page.evaluate<{ over: number; small: string[] }>(`({
        over: document.documentElement.scrollWidth - innerWidth,
        small: [...document.querySelectorAll("button, select, summary, label.button")]
          .filter((one) => one.checkVisibility() && !one.classList.contains("skip"))
          .filter((one) => one.getBoundingClientRect().height < 44)
          .map((one) => one.outerHTML.slice(0, 80)),
      })`);
      expect([lang, part, over, small]).toEqual([lang, part, 0, []]);
    }
    expect(JSON.stringify(words)).not.toMatch(FORBIDDEN);
  }
  await tab(page, fr.tab.document).focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, fr.tab.record)).toBeFocused();
  await expect(heading(page, fr.state.active)).toBeVisible();
});

test("the page stays within its budgets", () => {
  const { all_js, css, shell, language } = pageWeight("vault");
  expect(all_js).toBeLessThanOrEqual(50_000);
  expect(css).toBeLessThanOrEqual(12_000);
  expect(shell).toBeLessThanOrEqual(10_000);
  expect(language).toBeLessThanOrEqual(8_000);
});

testInAll("hostile texts are shown as text everywhere", async () => {
  const payload = "<img src=x onerror=alert(1)><script>alert(1)</script>";
  onTestFinished(await keep("envelopes", "envelope_name, secured_party"));
  onTestFinished(await keep("certificates", "result"));
  const party = JSON.stringify({ name: payload });
  await owner("update envelopes set envelope_name = $2, secured_party = $3 where envelope_id = $1", payload, party);
  await owner("update users set name = $2 where user_id = $3 and $1::text is not null", payload, vaulting.org.user_id);
  const warnings = JSON.stringify([{ code: "tamper_detected", message: payload }]);
  await owner("update certificates set result = jsonb_set(result, '{warnings}', $2) where envelope_id = $1", warnings);
  const hostile = "'\"><svg/onload=alert(1)>@example.com";
  const page = await open(hostile);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(payload);
  // The title, the secured party, the custodian, and the custody history.
  await expect(page.getByText(payload)).toHaveCount(4);
  await tab(page, en.tab.checks).click();
  await expect(page.locator(".lines").getByText(payload)).toBeVisible();
  await tab(page, en.tab.log).click();
  await expect(page.locator(".log li").first()).toContainText(hostile);
  expect(await page.evaluate<number>("document.querySelectorAll('img[src=x], [onerror], [onload], .page script').length")).toBe(0);
  await owner("update users set name = 'Sam Sample' where user_id = $2 and $1::text is not null", vaulting.org.user_id);
});

testInAll("only a proven record is green, in every language", async () => {
  onTestFinished(await keep("certificates", "standing, proven_score"));
  for (const [standing, icon] of [
    ["proven", "good"],
    ["attested", "attested"],
    ["left", "note"],
  ] as const) {
    await owner(
      "update certificates set standing = $2, proven_score = case $2 when 'proven' then 100 else 38 end where envelope_id = $1",
      standing,
    );
    const page = await open(signer);
    for (const [lang, words] of Object.entries({ en, de, es, fr })) {
      await page.getByRole("combobox").selectOption(lang);
      const rest = standing === "proven" ? "" : ` ${words.provenScore(38)}`;
      await expect(page.locator(".score")).toHaveText(`${words.score[standing](100)}${rest}`);
      await expect(page.locator(`.score .icon.${icon}`)).toBeVisible();
    }
  }
});

describe("the public status page", () => {
  const status_url = async (): Promise<string> =>
    (await vaulting.org.admin("GET", `/partner/envelopes/${vaulting.envelope_id}/vault`)).json.data.status_url;

  async function visit(address: string, device: Device = "desktop"): Promise<Page> {
    const context = await vaulting.newContext({ device });
    await addAxe(context);
    const page = await context.newPage();
    await page.goto(address);
    return page;
  }

  /** As a file that is dragged from a folder. */
  async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
    const [named, base64] = [name, Buffer.from(bytes).toString("base64")].map((text) => JSON.stringify(text));
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(${base64}), (letter) => letter.charCodeAt(0))], ${named}));
      return transfer;
    })()`);
    await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
  }

  test("says without a log-in where the original is, and whether a dropped or chosen file is it", async () => {
    const { hash } = (await vaulting.org.admin("GET", `/partner/envelopes/${vaulting.envelope_id}/vault`)).json.data;
    const original = await readStored(vaulting.service.features.vault, vaulting.org.org_id, hash, "document_unavailable");
    const page = await visit(await status_url());
    await expect(heading(page, "In the vault")).toBeVisible();
    await expect(page.getByText(hash)).toBeVisible();
    await expect(page.getByText(secured_party.name)).toHaveCount(0);

    await drop(page, "lease.pdf", original);
    await expect(page.getByRole("status")).toContainText("This file is the stored original.");
    await expect(page.getByRole("status")).toContainText(hash);
    await expectAccessible(page, "status page, original");
    await drop(page, "changed.pdf", Buffer.concat([original, Buffer.from("\n")]));
    await expect(page.getByRole("status")).toContainText("This file is not the stored original.");
    await expect(page.getByRole("status")).toContainText("This vault knows no such file of this record");

    const certificate = await vaulting.org.admin("GET", `/partner/envelopes/${vaulting.envelope_id}/vault/certificate`);
    const file = { name: "certificate.pdf", mimeType: "application/pdf", buffer: certificate.bytes };
    await page.getByLabel("Choose a file").setInputFiles(file);
    await expect(page.getByRole("status")).toContainText("certificate revision 1 of this record, unchanged. There is no later one.");
    expect(watchOf(page.context()).requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expectTypeOf<Omit<Shown, "state">>().toEqualTypeOf<Omit<Status, "state">>();
  });

  test("names the parties if the organization shows them, and says when it is asked too often", async () => {
    await vaulting.org.admin("PATCH", "/org/settings", { body: { status_shows_parties: true } });
    onTestFinished(async () => {
      await vaulting.org.admin("PATCH", "/org/settings", { body: { status_shows_parties: false } });
      await vaulting.service.database.owner("select clear_quotas(array['status:127.0.0.1'])");
    });
    const page = await visit(await status_url());
    await expect(page.getByText(secured_party.name)).toBeVisible();
    await expect(page.getByText("Example Company")).toBeVisible();
    await vaulting.service.database.owner("select take_quota('status:127.0.0.1', 60, interval '1 minute') from generate_series(1, 60)");
    await drop(page, "lease.pdf", Buffer.from("x"));
    await expect(page.getByRole("status")).toContainText("Too many requests from your network. Try again in a minute.");
  });

  testInAll.each(tourDevices)(
    "has words for every state and for an address without a record, on a %s",
    { timeout: 60_000 },
    async (device) => {
      const restore = await keep("authoritative_copies", "state, state_before_tamper, state_since");
      onTestFinished(restore);
      const address = await status_url();
      for (const [state, title] of [
        ["active", "In the vault"],
        ["escrowed", "In the vault, release begun"],
        ["exported", "Left this vault"],
        ["tampered", "Found damaged"],
        ["destroyed", "Destroyed"],
      ] as const) {
        await owner(
          `update authoritative_copies set state = $2, state_before_tamper = case $2 when 'tampered' then 'active' end,
           state_since = case when $2 in ('active', 'escrowed') then null else '2026-03-01T10:00:00Z'::timestamptz end where envelope_id = $1`,
          state,
        );
        const page = await visit(address, device);
        await expect(heading(page, title)).toBeVisible();
        await drop(page, "other.pdf", Buffer.from("x"));
        await expect(page.getByRole("status")).toContainText("This file is not the stored original.");
        await look(page, device, `48-status-${state}`);
      }
      const page = await visit(`${address.slice(0, -32)}${"0".repeat(32)}`, device);
      await expect(heading(page, "No record at this address")).toBeVisible();
      await look(page, device, "49-status-missing");
    },
  );
});

test("a check that is not shown says how to fix it, without the calls and names of a program", async () => {
  onTestFinished(await keep("certificates", "score, passed, rules, standing, proven_score, result"));
  const older_copy = { envelope_id: "env_b", copy_id: "ac_b" };
  const asked = { source: "electronic_signed", signed_pdf: false, attested: false } as const;
  const ofRules1 = evaluateInRules1({ ...makeRecord({ ...asked, party: null }).facts, older_copy });
  const ofRules2 = evaluate({ ...makeRecord2({ ...asked, party: { name: "Lender" } }).facts, older_copy });
  const program = /\b(?:POST|PUT)\b|…\/|_/;
  for (const [rules, { checks }, advice] of [
    [1, ofRules1, "The organization that keeps this document can change this."],
    [2, ofRules2, "Have someone other than the depositor compare both and record it."],
  ] as const) {
    expect(checks.filter(({ remedy }) => program.test(remedy ?? "")).length).toBeGreaterThan(1);
    await owner(
      `update certificates set score = 50, passed = false, rules = $2::integer, standing = case $2::integer when 1 then 'not_assessed' else 'not_passed' end,
       proven_score = case $2::integer when 2 then 10 end, result = jsonb_set(result, '{checks}', $3) where envelope_id = $1`,
      rules,
      JSON.stringify(checks),
    );
    const page = await open(reader);
    await tab(page, en.tab.checks).click();
    const remedies = page.locator(".check .facts > div").filter({ hasText: en.remedy });
    await expect(remedies).toHaveCount(checks.filter(({ remedy }) => remedy !== null).length);
    await expect(remedies.filter({ hasText: advice })).toHaveCount(1);
    expect((await remedies.locator("dd").allTextContents()).filter((text) => program.test(text))).toEqual([]);
  }
});

testInAll.each(tourDevices)("a failed check comes first, is expanded and says how to fix it, on a %s", async (device) => {
  onTestFinished(await keep("certificates", "score, passed, standing, result"));
  const none = "No secured party is named.";
  const changed = { satisfied: false, grade: "not_shown", detail: none, grade_reason: none, remedy: "Name the secured party." };
  const failed = JSON.stringify(changed);
  const failing = "jsonb_set(result, '{checks,7}', result #> '{checks,7}' || $2)";
  await owner(
    `update certificates set score = 87, passed = false, standing = 'not_passed', result = ${failing} where envelope_id = $1`,
    failed,
  );
  const page = await open(signer, device);
  await tab(page, en.tab.checks).click();
  await expect(page.locator(".score")).toContainText(en.score.not_passed(87));
  await expect(page.locator(".check summary").first()).toContainText(`8. ${en.check.secured_party}`);
  await expect(page.getByText("Name the secured party.")).toBeVisible();
  await look(page, device, "47-vault-check-failed");
});

testInAll.each(tourDevices)(
  "every screen is accessible on a %s, and a verification finds one changed byte",
  { timeout: 120_000 },
  async (device) => {
    const page = await open(signer, device);
    await expect(picture(page)).toBeVisible();
    if (device === "phone") {
      await shoot(page, device, "40-vault-document");
      await tab(page, en.tab.record).tap();
    }
    await button(page, en.verifyNow).click();
    await expect(page.getByText(en.verifySound)).toBeVisible();
    await look(page, device, "41-vault-record");
    await page.getByText(en.fileTitle).scrollIntoViewIfNeeded();
    await shoot(page, device, "42-vault-record-end");
    await tab(page, en.tab.checks).click();
    await page.locator(".check summary").first().click();
    await look(page, device, "43-vault-checks");
    await tab(page, en.tab.log).click();
    await expect(page.locator(".log li").first()).toBeVisible();
    await look(page, device, "44-vault-log");

    const [copy] = (await owner("select sha256 from authoritative_copies where envelope_id = $1")) as { sha256: string }[];
    const flip = () => flipBit(vaulting.service, vaulting.org, copy?.sha256 ?? "");
    await flip();
    onTestFinished(async () => {
      await flip();
      await owner(
        "update authoritative_copies set state = 'active', state_before_tamper = null, state_since = null where envelope_id = $1",
      );
    });
    await tab(page, en.tab.record).click();
    await button(page, en.verifyNow).click();
    await expect(page.getByText(en.verifyBroken)).toBeVisible();
    await expect(page.getByText(en.lines.bytes.broken)).toBeVisible();
    await expect(heading(page, en.state.tampered).first()).toBeVisible();
    await expect(button(page, en.downloadCopy)).toHaveCount(0);
    await look(page, device, "45-vault-tampered");
    if (device === "phone") await tab(page, en.tab.document).tap();
    await expect(picture(page)).toHaveCount(0);
    await expect(page.getByText(en.tamperedWhere).first()).toBeVisible();
    await shoot(page, device, "46-vault-tampered-document");
  },
);
