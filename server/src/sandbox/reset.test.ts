import { beforeAll, describe, expect, test } from "vitest";
import { signingSession } from "../../test/ceremony.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { fillEveryTable } from "../../test/every-table.ts";
import { newTemplate } from "../../test/lease.ts";
import { countRows, moveRows, tablesOfOrgs } from "../../test/org-rows.ts";
import { newSandbox, signedIn } from "../../test/sandboxes.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { BlobMissing } from "../storage/blob-store.ts";
import { sweepStorage } from "../storage/sweep-storage.ts";
import { cleanSandboxes, removeData } from "./remove-data.ts";
import { removeRows } from "./reset-store.ts";

const service = testService();
const { owner } = service.database;

/** What a reset leaves: the organization itself with its members, what its files need until the store has removed them, and its seals. */
const STAYS = ["blobs", "members", "org_keys", "org_security", "org_settings", "orgs", "seal_keys"];

let live: TestOrg;
beforeAll(async () => {
  live = await service.newOrg("Acme");
});

/** Gives a sandbox a row in every table. Returns the envelope that most of them are about. */
async function fill(sandbox: TestOrg): Promise<string> {
  const full = await service.newOrg();
  const envelope_id = await fillEveryTable(service, full);
  await moveRows(service, full.org_id, sandbox.org_id);
  return envelope_id;
}

const reset = (org: TestOrg, sandbox: TestOrg) => org.admin("POST", `/org/sandboxes/${sandbox.org_id}/reset`);
const remove = (org: TestOrg, sandbox: TestOrg) => org.admin("DELETE", `/org/sandboxes/${sandbox.org_id}`);
const listed = async (org: TestOrg) => (await org.admin("GET", "/org/sandboxes")).json.data.sandboxes;
const codeOf = ({ status, headers }: { status: number; headers: Record<string, string | undefined> }) => [status, headers["x-error-code"]];
const notEmpty = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([name, n]) => (n > 0 && !STAYS.includes(name) ? [name] : []));

describe("the order in which a sandbox is emptied", () => {
  test("comes from the foreign keys: whatever refers to a table is emptied before it", async () => {
    const order = await tablesOfOrgs(service);
    const references = await owner<{ child: string; parent: string }>(`
      select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
      where contype = 'f' and conparentid = 0 and conrelid <> confrelid`);
    const both = references.filter(({ child, parent }) => order.includes(child) && order.includes(parent));
    expect(both.length).toBeGreaterThan(80);
    for (const { child, parent } of both)
      expect([child, parent, order.indexOf(child) < order.indexOf(parent)]).toEqual([child, parent, true]);
    const [column] = await owner<{ n: number }>(`
      select count(distinct c.oid)::int as n from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
    expect(order).toHaveLength(column?.n ?? 0);
  });

  test("is for sandboxes alone: a live organization is refused", async () => {
    await expect(service.db.system((tx) => removeRows(tx, live.org_id, 10))).rejects.toThrow("only a sandbox is reset");
    await expect(owner("select remove_old_envelopes($1, '1 day', 10)", [live.org_id])).rejects.toThrow("only a sandbox");
    await expect(owner("update orgs set resetting_since = now() where org_id = $1", [live.org_id])).rejects.toThrow(
      "orgs_only_sandboxes_reset",
    );
    const other = await service.newOrg();
    const sandbox = await newSandbox(service, live);
    const values = [live.org_id, sandbox.org_id];
    const asOther = service.db.tx(other.org_id, (tx) =>
      tx.query({ name: "try", text: "select begin_sandbox_reset($1, $2, true)", values }),
    );
    await expect(asOther).rejects.toThrow("only the organization itself");
    // Without a request, nothing is removed.
    expect(await service.db.system((tx) => removeRows(tx, sandbox.org_id, 10))).toBe(0);
    expect((await sandbox.admin("GET", "/auth/me")).status).toBe(200);
  });
});

describe("resetting a sandbox", () => {
  let sandbox: TestOrg;
  beforeAll(async () => {
    sandbox = await newSandbox(service, live, "Harbor");
    await fill(sandbox);
  });

  test("leaves no row in any table but the named ones, and touches no other organization", async () => {
    const { api_key } = await sandbox.newKey();
    const before = await countRows(service, sandbox.org_id);
    expect(Object.keys(before).filter((name) => before[name] === 0)).toEqual([]);
    const other = await service.newOrg();
    await sentEnvelope(service, other);
    const others = await countRows(service, other.org_id);

    const { status, json } = await reset(live, sandbox);
    expect([status, json.data.org_id, json.data.resetting_since]).toEqual([202, sandbox.org_id, expect.any(String)]);
    expect((await listed(live)).find(({ org_id }: { org_id: string }) => org_id === sandbox.org_id)).toEqual(json.data);
    expect((await service.send("GET", "/partner/me", { headers: { "x-api-key": api_key } })).status).toBe(401);
    expect((await sandbox.admin("GET", "/auth/me")).status).toBe(401);

    await removeData(service.features.sandboxes, sandbox.org_id, 100);
    const after = await countRows(service, sandbox.org_id);
    expect(notEmpty(after)).toEqual([]);
    expect(after).toMatchObject({ orgs: 1, members: 1, org_settings: 1, org_security: 1 });
    expect(await countRows(service, other.org_id)).toEqual(others);
    expect((await listed(live))[0].resetting_since).toBeNull();
  });

  test("begins again with the settings of the organization, and can be used at once", async () => {
    expect((await live.admin("PATCH", "/org/settings", { body: { default_locale: "de" } })).status).toBe(200);
    const { refresh_token } = await signedIn(service, live.email);
    const { token } = (await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: sandbox.org_id } })).json.data;
    const admin: typeof live.admin = (method, path, given = {}) =>
      service.send(method, path, { ...given, headers: { ...given.headers, authorization: `Bearer ${token}` } });
    expect((await admin("GET", "/org/settings")).json.data.default_locale).toBe("en");
    await reset(live, sandbox);
    await removeData(service.features.sandboxes, sandbox.org_id);
    const again = await signedIn(service, live.email);
    const switched = await service.send("POST", "/auth/refresh", { body: { refresh_token: again.refresh_token, org_id: sandbox.org_id } });
    const headers = { authorization: `Bearer ${switched.json.data.token}` };
    expect((await service.send("GET", "/org/settings", { headers })).json.data.default_locale).toBe("de");
    const made = await service.send("POST", "/partners/keys", { headers, body: { partner_name: "P", scopes: ["envelopes:read"] } });
    expect(made.status).toBe(201);
    const trail = (await service.send("GET", "/org/audit-trail", { headers })).json.data;
    expect(trail.at(-1).seq).toBe(1);
  });
});

describe("while a sandbox is reset", () => {
  test("requests that write there are refused, and those that were writing are waited for", async () => {
    const sandbox = await newSandbox(service, live);
    const envelope = await sentEnvelope(service, sandbox);
    const page = await signingSession(service, sandbox, envelope.envelope_id, "ann@example.com");
    expect((await page.see()).status).toBe(200);
    const { refresh_token } = await signedIn(service, live.email);
    const started: { reset?: ReturnType<typeof reset> } = {};
    await service.db.tx(sandbox.org_id, async () => {
      started.reset = reset(live, sandbox);
      await until("the reset to wait", async () => {
        const waiting = await owner("select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'");
        return waiting.length === 1;
      });
      expect(codeOf(await page.consent()), "while it waits").toEqual([409, "sandbox_resetting"]);
    });
    expect((await started.reset)?.status).toBe(202);
    expect(codeOf(await page.consent()), "until the job is done").toEqual([409, "sandbox_resetting"]);
    const switching = await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: sandbox.org_id } });
    expect(codeOf(switching)).toEqual([409, "sandbox_resetting"]);
    await removeData(service.features.sandboxes, sandbox.org_id);
    expect((await page.consent()).status).not.toBe(409);
  });

  test("asking again changes nothing, and several jobs do it once", async () => {
    const sandbox = await newSandbox(service, live);
    const first = await reset(live, sandbox);
    const second = await reset(live, sandbox);
    expect([second.status, second.json.data.resetting_since]).toEqual([202, first.json.data.resetting_since]);
    await Promise.all([1, 2, 3].map(() => removeData(service.features.sandboxes, sandbox.org_id, 5)));
    expect(notEmpty(await countRows(service, sandbox.org_id))).toEqual([]);
    await removeData(service.features.sandboxes, sandbox.org_id);
  });

  test("an unknown sandbox, one of another organization and a member who is no admin are refused", async () => {
    const sandbox = await newSandbox(service, live);
    const other = await service.newOrg();
    for (const ask of [reset, remove]) {
      expect(codeOf(await ask(other, sandbox))).toEqual([404, "sandbox_not_found"]);
      expect(codeOf(await ask(live, live))).toEqual([404, "sandbox_not_found"]);
      expect(codeOf(await ask(sandbox, sandbox))).toEqual([409, "sandbox_follows_live"]);
    }
    expect((await sandbox.admin("GET", "/auth/me")).status).toBe(200);
  });
});

describe("deleting a sandbox", () => {
  test("takes it off every list at once, makes room for another one, and leaves nothing once its files are removed", async () => {
    const org = await service.newOrg();
    const boxes = [];
    for (let n = 0; n < 5; n++) boxes.push(await newSandbox(service, org, `Test ${n}`));
    const [gone] = boxes as [TestOrg, ...TestOrg[]];
    const key = await gone.newKey();
    await newTemplate(key);
    const { status, json } = await remove(org, gone);
    expect([status, json.data]).toEqual([200, { org_id: gone.org_id, deleted: true }]);
    expect((await key.send("GET", "/partner/me")).status).toBe(401);
    expect((await gone.admin("GET", "/auth/me")).status).toBe(401);
    expect(await listed(org)).toHaveLength(4);
    expect((await org.admin("GET", "/auth/me")).json.data.orgs).toHaveLength(5);
    expect(codeOf(await remove(org, gone))).toEqual([404, "sandbox_not_found"]);
    expect((await org.admin("POST", "/org/sandboxes", { body: { name: "Sixth" } })).status).toBe(201);
    const [entry] = (await org.admin("GET", "/org/audit-trail?limit=3")).json.data.filter(
      ({ type }: { type: string }) => type === "sandbox.deleted",
    );
    expect(entry.data).toMatchObject({ sandbox_org_id: gone.org_id, name: "Test 0" });

    await removeData(service.features.sandboxes, gone.org_id);
    const files = await owner<{ sha256: string }>("select sha256 from blobs where org_id = $1", [gone.org_id]);
    expect(files.length).toBeGreaterThan(0);
    expect(notEmpty(await countRows(service, gone.org_id))).toEqual([]);
    await cleanSandboxes(service.features.sandboxes);
    expect(await owner("select from orgs where org_id = $1", [gone.org_id])).toHaveLength(1);
    await owner("update blobs set put_at = now() - interval '25 hours' where org_id = $1", [gone.org_id]);
    await sweepStorage(service.features.storage);
    for (const { sha256 } of files)
      await expect(service.features.storage.blobs.read(gone.org_id, sha256)).rejects.toBeInstanceOf(BlobMissing);
    await cleanSandboxes(service.features.sandboxes);
    const left = await countRows(service, gone.org_id);
    expect(Object.entries(left).filter(([, n]) => n > 0)).toEqual([]);
    // Members who join from now on are members of the others alone.
    expect(await owner("select from members where org_id = $1", [gone.org_id])).toEqual([]);
  });

  test("that was being reset deletes it", async () => {
    const org = await service.newOrg();
    const sandbox = await newSandbox(service, org);
    await reset(org, sandbox);
    expect((await remove(org, sandbox)).status).toBe(200);
    await cleanSandboxes(service.features.sandboxes);
    expect(await owner("select from orgs where org_id = $1", [sandbox.org_id])).toEqual([]);
  });
});

describe("envelopes of a sandbox", () => {
  let sandbox: TestOrg;
  let old: string;
  beforeAll(async () => {
    sandbox = await newSandbox(service, await service.newOrg());
    old = await fill(sandbox);
  });

  test("are removed after 90 days with everything about them, also on hold, and those of the organization stay", async () => {
    const held = await owner<{ envelope_id: string }>(
      "select c.envelope_id from legal_holds h join authoritative_copies c using (org_id, copy_id) where org_id = $1",
      [sandbox.org_id],
    );
    const ids = [old, ...held.map(({ envelope_id }) => envelope_id)];
    expect(ids.length).toBeGreaterThan(1);
    const other = await service.newOrg();
    await sentEnvelope(service, other);
    await owner("update envelopes set created_at = now() - interval '91 days' where envelope_id = any($1) or org_id = $2", [
      ids,
      other.org_id,
    ]);
    const before = await countRows(service, other.org_id);
    const envelopesBefore = (await countRows(service, sandbox.org_id)).envelopes ?? 0;
    await cleanSandboxes(service.features.sandboxes);
    for (const name of (await tablesOfOrgs(service)).filter((one) => !KEEPS_IDS.includes(one))) {
      for (const id of ids) {
        const found = await owner(`select from ${name} t where org_id = $1 and t::text like $2`, [sandbox.org_id, `%${id}%`]);
        expect([name, found.length]).toEqual([name, 0]);
      }
    }
    expect(await countRows(service, other.org_id)).toEqual(before);
    const rest = (await sandbox.admin("GET", "/partner/envelopes?limit=200")).json;
    expect([rest.meta.total, rest.data.length]).toEqual([envelopesBefore - ids.length, envelopesBefore - ids.length]);
    const byStatus = await Promise.all(
      ["sent", "completed", "vaulted", "voided"].map(async (status) => {
        const { json } = await sandbox.admin("GET", `/partner/envelopes?status=${status}`);
        return [status, json.meta.total, json.data.length];
      }),
    );
    for (const [status, total, shown] of byStatus) expect([status, total]).toEqual([status, shown]);
    const vault = (await sandbox.admin("GET", "/partner/vault")).json;
    expect(vault.meta.total).toBe(vault.data.length);
  });

  test("name every column that refers to a file, so that each is released", async () => {
    const columns = await owner<{ place: string; name: string }>(`
      select k.conrelid::regclass::text as place, a.attname as name
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confrelid = 'blobs'::regclass and a.attname <> 'org_id' and k.conrelid <> 'template_documents'::regclass`);
    const [body] = await owner<{ prosrc: string }>("select prosrc from pg_proc where proname = 'remove_old_envelopes'");
    expect(columns.length).toBeGreaterThan(8);
    for (const { place, name } of columns) expect(body?.prosrc).toMatch(new RegExp(`x\\.${name}[^;\n]* from ${place} x`));
  });
});

/** What was told, and what is about several envelopes: events with their deliveries, bulk sends, batches of acts, stored responses. */
const KEEPS_IDS = ["events", "webhook_deliveries", "webhook_attempts", "bulk_rows", "control_batches", "idempotent_answers"];
