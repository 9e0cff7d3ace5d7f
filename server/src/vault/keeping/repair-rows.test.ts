import { userInfo } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../../testing/all.ts";
import { signAll } from "../../../test/ceremony.ts";
import { testDatabase } from "../../../test/database.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { testJobs } from "../../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { runCommand } from "../../../test/process.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { ofField, overwriteValue } from "../../../test/signed-values.ts";
import { until } from "../../../test/until.ts";
import { type EnvelopeId, newId } from "../../shared/ids.ts";

const service = testService();
testJobs(service);
const restored = testDatabase();

let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
  template_id = await newTemplate(key);
});

const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };

async function sentLease(): Promise<EnvelopeId> {
  const envelope_id = (await newEnvelope(key, template_id)) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return envelope_id;
}

const tables = ["documents", "document_versions", "signers", "envelope_fields", "signatures", "signed_values", "adopted_marks"];

/** Copies the rows as a restored backup would have them. Rows that they refer to exist too and are not read. */
async function backUp(envelope_id: EnvelopeId): Promise<void> {
  const copied: string[] = [];
  for (const table of tables) {
    const ofEnvelope = table === "adopted_marks" ? "slug in (select slug from signers where envelope_id = $1)" : "envelope_id = $1";
    // The database makes generated columns itself.
    const [row] = await service.database.owner<{ rows: string; columns: string }>(
      `select coalesce(json_agg(to_jsonb(t)), '[]')::text as rows, (select string_agg(quote_ident(attname), ', ') from pg_attribute
         where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from ${table} t where ${ofEnvelope}`,
      [envelope_id],
    );
    const [columns, rows] = [row?.columns, `$rows$${row?.rows}$rows$::jsonb`];
    copied.push(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, ${rows})`);
  }
  await restored.owner(["set session_replication_role = replica", ...copied, "set session_replication_role = origin"].join(";\n"));
}

const repair = (envelope_id: string, more: string[] = ["--org", org.org_id], env: Record<string, string> = {}) => {
  const given = {
    DATABASE_URL: service.database.url,
    REPAIR_DATABASE_URL: restored.url,
    APP_SECRET: service.config.appSecrets[0].secret,
  };
  return runCommand(["vault", "repair-rows", ...more, envelope_id], { ...given, ...env });
};
const change = (text: string, envelope_id: string) => service.database.owner(text, [envelope_id]);
const entries = async (envelope_id: EnvelopeId, type: string) =>
  (await chainOf(service, org.org_id, envelope_id)).filter((entry) => entry.type === type);
const isSealed = (envelope_id: EnvelopeId) =>
  until("the sealed document", async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).status === 200);

describe("countersign vault repair-rows", () => {
  test("restores rows that differ from the audit trail, names the operator, and the document is produced", async () => {
    const envelope_id = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email, values]]);
    // The backup is older than the last signature: rows that it lacks were not changed.
    await backUp(envelope_id);
    await service.database.owner(overwriteValue(envelope_id, "Rent", "12"));
    await change("update signers set name = 'Eve' where envelope_id = $1 and turn = 1", envelope_id);
    await change(
      "update envelope_fields set areas = jsonb_set(areas, '{0,y}', '0.9') where envelope_id = $1 and name = 'Rent'",
      envelope_id,
    );
    const { code, stdout, stderr } = await repair(envelope_id);
    expect([code, stdout, stderr]).toEqual([0, `The record of ${envelope_id} matches its audit trail. Rows restored: 3.\n`, ""]);
    expect(await entries(envelope_id, "document.rows_repaired")).toMatchObject([
      { actor: { kind: "system" }, data: { what: ["fields", "signers", "values"], rows: 3, operator: userInfo().username } },
    ]);
    expect((await repair(envelope_id)).stdout).toContain("Rows restored: 0.");
    const acts = await entries(envelope_id, "document.rows_repaired");
    expect(
      acts.map(({ data }) => data),
      "each run is recorded",
    ).toMatchObject([{ rows: 3 }, { what: [], rows: 0 }]);
    await signAll(service, org, envelope_id, [[landlord.email]]);
    await isSealed(envelope_id);
  });

  test("restores encrypted values and marks from a backup of before they were encrypted, and encrypts them", async () => {
    const envelope_id = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email, values]]);
    await backUp(envelope_id);
    const marks = "where slug in (select slug from signers where envelope_id = $1 and turn = 1)";
    const typed = Buffer.from(JSON.stringify({ text: "Ann Example", font: "caveat" }));
    await restored.owner(overwriteValue(envelope_id, "Rent", "1200"));
    await restored.owner(
      `update adopted_marks set content = '\\x${typed.toString("hex")}', content_sealed = null ${marks} and sha256 in
      (select mark_sha256 from signatures where envelope_id = $1)`,
      [envelope_id],
    );
    const flipped = (column: string) => `${column} = set_byte(${column}, 30, get_byte(${column}, 30) # 1)`;
    await service.database.owner(
      `update signed_values set ${flipped("value_sealed")} where envelope_id = '${envelope_id}' and ${ofField(envelope_id, "Rent")}`,
    );
    await change(
      `update adopted_marks set ${flipped("content_sealed")} ${marks} and sha256 in (select mark_sha256 from signatures where envelope_id = $1)`,
      envelope_id,
    );
    const { code, stdout, stderr } = await repair(envelope_id);
    expect([code, stdout, stderr]).toEqual([0, `The record of ${envelope_id} matches its audit trail. Rows restored: 2.\n`, ""]);
    expect(await change("select from signed_values where envelope_id = $1 and value is not null", envelope_id)).toEqual([]);
    expect(await change(`select from adopted_marks ${marks} and content is not null`, envelope_id)).toEqual([]);
    await signAll(service, org, envelope_id, [[landlord.email]]);
    await isSealed(envelope_id);
  });

  test("restores deleted rows, removes added ones, and starts the job that had ended", async () => {
    const envelope_id = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email, values]]);
    await backUp(envelope_id);
    await service.database.owner(`delete from signed_values where envelope_id = '${envelope_id}' and ${ofField(envelope_id, "Rent")}`);
    await change(
      "insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, areas) select org_id, envelope_id, 99, 'More', 'text', 'Tenant', false, false, '[]' from envelopes where envelope_id = $1",
      envelope_id,
    );
    expect((await repair(envelope_id)).stdout).toContain("Rows restored: 2.");
    await signAll(service, org, envelope_id, [[landlord.email]]);
    await isSealed(envelope_id);
  });

  test("takes nothing from a copy that also differs from the audit trail, and changes nothing", async () => {
    const envelope_id = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email, values]]);
    await service.database.owner(overwriteValue(envelope_id, "Rent", "12"));
    await backUp(envelope_id);
    await change("update signers set name = 'Eve' where envelope_id = $1 and turn = 1", envelope_id);
    const { code, stderr } = await repair(envelope_id);
    expect([code, stderr]).toEqual([
      1,
      `Nothing was changed. values of ${tenant.email} does not match the audit trail of ${envelope_id}, in this database and in the restored copy.\n`,
    ]);
    expect(await change("select name from signers where envelope_id = $1 and turn = 1", envelope_id)).toEqual([{ name: "Eve" }]);
    expect(await entries(envelope_id, "document.rows_repaired")).toEqual([]);
  });

  test("does not repair an audit trail", async () => {
    const envelope_id = await sentLease();
    await backUp(envelope_id);
    await change(
      "update audit_entry_data set data = data || '{\"prepared_sha256\": \"x\"}' where subject = $1 and data ? 'fields_sha256'",
      envelope_id,
    );
    const { code, stderr } = await repair(envelope_id);
    expect([code, stderr]).toEqual([
      1,
      `Nothing was changed. The audit trail of ${envelope_id} has been changed, and rows can be repaired only from an intact audit trail.\n`,
    ]);
  });

  testInAll("without an envelope, an organization or a copy is a usage error; an unknown envelope is not found", async () => {
    expect((await repair("x")).code).toBe(2);
    expect((await repair(newId("envelope"), [])).code).toBe(2);
    const without = await repair(newId("envelope"), ["--org", org.org_id], { REPAIR_DATABASE_URL: "" });
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("Set REPAIR_DATABASE_URL")]);
    for (const unknown of [await repair(newId("envelope")), await repair(newId("envelope"), ["--org", newId("org")])]) {
      expect([unknown.code, unknown.stderr]).toEqual([1, "Envelope not found\n"]);
    }
  });
});
