import { rowsOf, writeCsv } from "@countersign/csv";
import { beforeAll, describe, expect, test } from "vitest";
import { form } from "../../test/form.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { newTemplate, plainPdf } from "../../test/lease.ts";
import { mailTo } from "../../test/mail.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { handover } from "../../test/three-documents.ts";

const service = testService({ BULK_ROWS_PER_MINUTE: "1000000" });
testJobs(service);

let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
  template_id = await newTemplate(key);
});

const HEADER = ["Tenant.name", "Tenant.email", "Landlord.name", "Landlord.email", "field.rent", "envelope_name"];
let made = 0;
/** People that no other row has. */
function people(): string[] {
  made++;
  return [`Tenant ${made}`, `tenant${made}@example.com`, `Landlord ${made}`, `landlord${made}@example.com`];
}
const row = (rent = "950", name = "Lease"): string[] => [...people(), rent, name];

interface Sent {
  readonly csv?: string;
  readonly options?: object;
  readonly template?: string;
  readonly by?: TestKey;
}
const upload = ({ csv = "", options = {}, template = template_id, by = key }: Sent) =>
  by.send(
    "POST",
    "/partner/bulk-batches",
    form({ template_id: template, options: JSON.stringify(options) }, { bytes: Buffer.from(csv), name: "Leases.csv" }),
  );

async function checked(given: Sent) {
  const { status, json } = await upload(given);
  expect(status, JSON.stringify(json)).toBe(201);
  await jobsDone(service);
  return read(json.data.batch_id, given.by);
}
const checkedRows = (rows: readonly (readonly string[])[], more: Sent = {}) => checked({ csv: writeCsv([HEADER, ...rows]), ...more });

const read = async (batch_id: string, by = key) => (await by.send("GET", `/partner/bulk-batches/${batch_id}`)).json.data;
const act = (batch_id: string, what: string, body?: object, by = key) =>
  by.send("POST", `/partner/bulk-batches/${batch_id}/${what}`, body === undefined ? {} : { body });
const rowsIn = async (batch_id: string, query = "") =>
  (await key.send("GET", `/partner/bulk-batches/${batch_id}/rows?limit=200${query}`)).json.data;

async function ended(batch_id: string, by = key) {
  await jobsDone(service);
  return read(batch_id, by);
}

test("a template with several documents gives each row all of them, with their fields", async () => {
  const several = await newTemplate(key);
  const more = await key.send("POST", `/partner/templates/${several}/documents`, form({ name: "Handover" }, { bytes: handover }));
  expect([more.status, more.json.error]).toEqual([201, undefined]);
  const { batch_id } = await checkedRows([row(), row()], { template: several });
  expect((await act(batch_id, "start", {})).status).toBe(200);
  expect(await ended(batch_id)).toMatchObject({ state: "ended", sent: 2, failed: 0 });
  const { data } = (await key.send("GET", `/partner/envelopes?batch_id=${batch_id}`)).json;
  expect(data).toHaveLength(2);
  for (const { envelope_id } of data) {
    const at = `/partner/envelopes/${envelope_id}`;
    const { documents } = (await key.send("GET", `${at}/documents`)).json.data;
    expect(documents.map(({ name, first_page }: Record<string, unknown>) => [name, first_page])).toEqual([
      ["Lease", 1],
      ["Handover", 2],
    ]);
    const { fields } = (await key.send("GET", `${at}/fields`)).json.data;
    const ofSecond = fields.filter(({ document }: { document?: number }) => document === 2);
    expect(ofSecond.map(({ name, role }: Record<string, unknown>) => [name, role])).toEqual([["Sign", "Landlord"]]);
  }
});

describe("the check", () => {
  test("names every problem with its row and column, and nothing is sent", async () => {
    const bad = people();
    const csv = writeCsv([
      HEADER,
      row(),
      [bad[0] ?? "", "no address", ...bad.slice(2), "a lot", "Lease"],
      [...people().slice(0, 2), "", "", "", ""],
    ]);
    const batch = await checked({ csv, options: { name: "Leases of May" } });
    expect(batch).toEqual({
      batch_id: batch.batch_id,
      name: "Leases of May",
      template_id,
      state: "checked",
      reason: null,
      options: {},
      rows: 3,
      ready: 1,
      invalid: 2,
      sent: 0,
      failed: 0,
      skipped: 0,
      warned: 0,
      created_at: expect.any(String),
      started_at: null,
      ended_at: null,
      erased_at: null,
      file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      columns: HEADER,
      problems: [],
    });
    const invalid = await rowsIn(batch.batch_id, "&state=invalid");
    expect(invalid.map(({ row_no, errors }: { row_no: number; errors: { column: string }[] }) => [row_no, errors])).toEqual([
      [
        3,
        [
          {
            column: "Tenant.email",
            code: "invalid_format",
            message: "must be an e-mail address, for example ann@example.com",
          },
          { column: "field.rent", code: "invalid_value", message: expect.any(String) },
        ],
      ],
      [4, [expect.objectContaining({ column: "Landlord.email" }), expect.objectContaining({ column: "Landlord.name" })]],
    ]);
    const { json } = await key.send("GET", `/partner/envelopes?batch_id=${batch.batch_id}`);
    expect(json.data).toEqual([]);
    expect(await service.database.owner("select from bulk_files where batch_id = $1", [batch.batch_id])).toEqual([]);
  });

  test("a wrong value says nothing about values that are right", async () => {
    const own = await newTemplate(key, plainPdf);
    const field = (name: string, type: string, y: number, more: object = {}) => ({
      name,
      type,
      role: "Tenant",
      placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y, w: 0.3, h: 0.04 }] },
      ...more,
    });
    const fields = [field("Rent", "number", 0.1), field("Currency", "text", 0.2, { settings: { sender_fills: true } })];
    expect((await key.send("POST", `/partner/templates/${own}/fields`, { body: { fields } })).status).toBe(200);
    const header = ["Tenant.name", "Tenant.email", "Tenant.locale", "field.rent", "field.currency"];
    const batch = await checked({ csv: writeCsv([header, [...people().slice(0, 2), "xx", "a lot", "EUR"]]), template: own });
    expect((await rowsIn(batch.batch_id))[0].errors).toEqual([
      { column: "Tenant.locale", code: "invalid_value", message: "must be one of: en, es, fr, de" },
      { column: "field.rent", code: "invalid_value", message: "must be a number such as 1200.50" },
    ]);
  });

  test.each<[string, string, (string | null)[]]>([
    ["an unknown column", "Tenant.name,Tenant.email,Landlord.name,Landlord.email,Rent\na,a@example.com,b,b@example.com,1", ["Rent"]],
    ["missing columns", "Tenant.name,Tenant.email\na,a@example.com", ["Landlord.name", "Landlord.email"]],
    ["a column that appears twice", `${HEADER.join(",")},tags,TAGS\n${"x,".repeat(6)}`, ["TAGS"]],
    ["the signature of a signer", `${HEADER.join(",")},field.tenant_signature\n`.concat("x"), ["field.tenant_signature"]],
    ["tabs", `${HEADER.join("\t")}\n`.concat("x"), [null]],
    ["no rows", `${HEADER.join(",")}\r\n\r\n`, [null]],
    ["an open quote", `${HEADER.join(",")}\n"Ann`, [null]],
    ["more than 10,000 rows", `${HEADER.join(",")}\n${"a\n".repeat(10_001)}`, [null]],
    ["nothing at all", " ", [null]],
  ])("%s refuses the file", async (_name, csv, columns) => {
    const { state, problems, rows } = await checked({ csv });
    expect([state, problems.map(({ column }: { column: string }) => column), rows]).toEqual(["refused", columns, 0]);
  });

  test("a file that is not UTF-8 is refused instead of sending broken names", async () => {
    const bytes = Buffer.from(writeCsv([HEADER, ["M\u00fcller", ...row().slice(1)]]), "latin1");
    const { json } = await key.send("POST", "/partner/bulk-batches", form({ template_id }, { bytes }));
    expect((await ended(json.data.batch_id)).problems).toEqual([
      { column: null, message: "The file is not in UTF-8. Save it as CSV UTF-8" },
    ]);
  });

  test("a byte order mark, semicolons, CRLF, blank lines and column names in another case are accepted", async () => {
    const lines = [HEADER.map((name) => name.toUpperCase()), row(), [], row()].map((cells) => cells.join(";"));
    const { state, ready, rows } = await checked({ csv: `\ufeff${lines.join("\r\n")}\r\n` });
    expect([state, ready, rows]).toEqual(["checked", 2, 2]);
  });

  test("two rows with the same people and values are a warning, and both are ready", async () => {
    const twice = row();
    const batch = await checkedRows([twice, row(), [...twice.slice(0, 5), "Another name"]]);
    expect([batch.ready, batch.warned]).toEqual([3, 1]);
    const [last] = (await rowsIn(batch.batch_id)).slice(-1);
    expect(last.warnings).toEqual([{ column: null, code: "duplicate", message: "has the same people and values as row 2" }]);
  });

  test("the example file of a template passes the check", async () => {
    const example = await key.send("GET", `/partner/templates/${template_id}/bulk.csv`);
    const [header, ...rows] = rowsOf(example.text);
    expect(header).toEqual([
      ...[
        "envelope_name",
        "external_id",
        "Tenant.name",
        "Tenant.email",
        "Tenant.locale",
        "Landlord.name",
        "Landlord.email",
        "Landlord.locale",
      ],
      ...["field.tenant_name", "field.rent", "field.start", "field.pet", "field.floor", "tags", "message"],
    ]);
    expect(rows).toHaveLength(1);
    const batch = await checked({ csv: example.text });
    expect([batch.state, batch.ready, await rowsIn(batch.batch_id, "&state=invalid")]).toEqual(["checked", 1, []]);
  });

  test("rows with problems are downloaded, corrected and uploaded again; a formula's apostrophe is not part of the text", async () => {
    const [name = "", , ...others] = row();
    const first = await checkedRows([[name, "broken", ...others.slice(0, 3), "=SUM(1)"], row()]);
    const file = await key.send("GET", `/partner/bulk-batches/${first.batch_id}/rows.csv?state=invalid`);
    const [header, wrong] = rowsOf(file.text);
    expect([header, wrong?.[5], wrong?.[6]]).toEqual([
      [...HEADER, "errors"],
      "'=SUM(1)",
      "Tenant.email must be an e-mail address, for example ann@example.com",
    ]);
    const again = await checked({ csv: file.text.replace("broken", "repaired@example.com") });
    expect([again.ready, again.invalid]).toEqual([1, 0]);
    await act(again.batch_id, "start", {});
    await jobsDone(service);
    const { json } = await key.send("GET", `/partner/envelopes?batch_id=${again.batch_id}`);
    expect(json.data.map(({ envelope_name }: { envelope_name: string }) => envelope_name)).toEqual(["=SUM(1)"]);
  });

  test("identity questions, an unknown template and a file of more than 10 MB are refused at once", async () => {
    const kba = await upload({ csv: "x", options: { kba_required: true } });
    expect([kba.status, kba.json.details[0].field]).toEqual([422, "options.kba_required"]);
    expect((await upload({ csv: "x", template: "tmpl_x" })).status).toBe(404);
    const large = await upload({ csv: "x".repeat(10_485_761) });
    expect([large.status, large.headers["x-error-code"]]).toEqual([413, "bulk_file_too_large"]);
  });
});

describe("sending", () => {
  test("begins with at least one row that is ready, also if invalid rows are accepted", async () => {
    const { batch_id } = await checkedRows([row("none", "First")]);
    const refused = await act(batch_id, "start", { accept_invalid: true });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "batch_without_ready_rows"]);
  });

  test("each ready row becomes one envelope with one event of each kind and one invitation, and the author is notified", async () => {
    const rows = [row("800", "First"), row("900", "Second"), row("none", "Third")];
    const options = { tags: ["May"], message: "Please sign soon", expires_in_days: 7 };
    const batch = await checkedRows(rows, { options });
    const refused = await act(batch.batch_id, "start", {});
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "batch_has_invalid_rows"]);
    const started = await act(batch.batch_id, "start", { accept_invalid: true }, { ...key, send: org.admin });
    expect([started.status, started.json.data.state]).toEqual([200, "running"]);
    const after = await ended(batch.batch_id);
    expect([after.state, after.sent, after.ready, after.invalid, after.failed]).toEqual(["ended", 2, 0, 1, 0]);
    expect([typeof after.started_at, typeof after.ended_at]).toEqual(["string", "string"]);

    const { json } = await key.send("GET", `/partner/envelopes?batch_id=${batch.batch_id}&sort=envelope_name&expand=recipients,tags`);
    type Listed = { envelope_id: string; envelope_name: string; status: string; tags: string[]; recipients: { email: string }[] };
    expect(
      json.data.map(({ envelope_name, status, tags, recipients }: Listed) => [envelope_name, status, tags, recipients.map((r) => r.email)]),
    ).toEqual([
      ["First", "sent", ["May"], [rows[0]?.[1], rows[0]?.[3]]],
      ["Second", "sent", ["May"], [rows[1]?.[1], rows[1]?.[3]]],
    ]);
    for (const { envelope_id } of json.data as Listed[]) {
      const envelope = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
      expect([envelope.metadata.batch_id, envelope.metadata.message]).toEqual([batch.batch_id, "Please sign soon"]);
      const events = await service.database.owner<{ body: Buffer }>("select body from events where envelope_id = $1 order by event_id", [
        envelope_id,
      ]);
      const bodies = events.map(({ body }) => JSON.parse(body.toString()));
      expect(bodies.map(({ event_type, data }) => [event_type, data.batch_id])).toEqual([
        ["envelope.created", batch.batch_id],
        ["envelope.sent", batch.batch_id],
      ]);
    }
    expect(await mailTo(service, rows[0]?.[1] ?? "", "signing_invitation")).toHaveLength(1);
    expect(await mailTo(service, rows[0]?.[3] ?? "", "signing_invitation")).toHaveLength(0);
    const sentRows = await rowsIn(batch.batch_id, "&state=sent");
    expect(new Set(sentRows.map(({ envelope_id }: Listed) => envelope_id))).toEqual(
      new Set(json.data.map(({ envelope_id }: Listed) => envelope_id)),
    );
    const values = await service.database.owner(
      "select prefilled from envelope_fields join envelopes using (org_id, envelope_id) where batch_id = $1 and name = 'Rent' order by 1",
      [batch.batch_id],
    );
    expect(values).toEqual([{ prefilled: "800" }, { prefilled: "900" }]);

    const news = (await org.admin("GET", "/notifications")).json.data.filter(
      ({ batch_id }: { batch_id: string }) => batch_id === batch.batch_id,
    );
    expect(news).toEqual([
      expect.objectContaining({ kind: "batch_ended", text: "The bulk send Leases has ended: 2 sent", envelope_id: null }),
    ]);
    const mails = (await mailTo(service, org.email, "batch_ended")).filter(({ text }) => text.includes(batch.batch_id));
    expect(mails.map(({ subject, text }) => [subject, text.includes("2 envelopes were sent.")])).toEqual([
      ["Bulk send finished: Leases", true],
    ]);
    const trail = (await org.admin("GET", "/org/audit-trail?limit=20")).json.data as { type: string; data: { batch_id: string } }[];
    const types = trail.filter(({ data }) => data.batch_id === batch.batch_id).map(({ type }) => type);
    expect(types).toEqual(["batch.ended", "batch.started"]);
  });

  test("a batch with auto-vault needs the current terms, and every envelope has their acceptance", async () => {
    const batch = await checkedRows([row(), row()], { options: { auto_vault_enabled: true } });
    expect((await act(batch.batch_id, "start", {})).headers["x-error-code"]).toBe("certification_required");
    const old = { certification: { accepted: true, terms_version: "2020-01" } };
    expect((await act(batch.batch_id, "start", old)).headers["x-error-code"]).toBe("certification_terms_outdated");
    await act(batch.batch_id, "start", { certification: { accepted: true, terms_version: "2026-01" } });
    expect((await ended(batch.batch_id)).sent).toBe(2);
    const [accepted] = await service.database.owner(
      "select count(*)::int as n from certification_acceptances join envelopes using (org_id, envelope_id) where batch_id = $1",
      [batch.batch_id],
    );
    expect(accepted).toEqual({ n: 2 });
  });

  test("a row whose customer cannot be told from others fails alone, and a second try sends it", async () => {
    const [own, twin] = [row(), row()];
    const email = own[1] ?? "";
    for (const name of ["Ann", "Ben"]) await key.send("POST", "/partner/customers", { body: { name, email } });
    const batch = await checkedRows([own, twin]);
    await act(batch.batch_id, "start", {});
    const after = await ended(batch.batch_id);
    expect([after.state, after.sent, after.failed]).toEqual(["ended", 1, 1]);
    const [failed] = await rowsIn(batch.batch_id, "&state=failed");
    expect([failed.row_no, failed.errors[0].code, failed.envelope_id]).toEqual([2, "several_customers", null]);

    await key.send("POST", "/partner/customers", { body: { name: own[0], email } });
    const retried = await act(batch.batch_id, "retry");
    expect([retried.status, retried.json.data.state]).toEqual([200, "checking"]);
    expect(await ended(batch.batch_id)).toMatchObject({ state: "checked", ready: 1, sent: 1, failed: 0 });
    await act(batch.batch_id, "start", {});
    expect(await ended(batch.batch_id)).toMatchObject({ state: "ended", ready: 0, sent: 2, failed: 0 });
    expect((await act(batch.batch_id, "retry")).headers["x-error-code"]).toBe("batch_without_rows_to_retry");
  });

  test("people and defaults of the template apply: a named landlord, a cc, steps and auto-vault", async () => {
    const own = await newTemplate(key);
    const roles = [
      { kind: "signer", role: "Tenant", step: 1 },
      { kind: "signer", role: "Landlord", step: 1, name: "Lou Landlord", email: "lou@example.com" },
      { kind: "cc", name: "Archive", email: "archive@example.com" },
    ];
    const changed = await key.send("PATCH", `/partner/templates/${own}`, { body: { roles, defaults: { auto_vault_enabled: true } } });
    expect(changed.status, changed.text).toBe(200);
    const csv = writeCsv([["Tenant.name", "Tenant.email"], people().slice(0, 2)]);
    const batch = await checked({ csv, template: own });
    expect([batch.state, batch.ready, batch.options]).toEqual(["checked", 1, { auto_vault_enabled: true }]);
    expect((await act(batch.batch_id, "start", {})).headers["x-error-code"]).toBe("certification_required");
    await act(batch.batch_id, "start", { certification: { accepted: true, terms_version: "2026-01" } });
    await jobsDone(service);
    const { json } = await key.send("GET", `/partner/envelopes?batch_id=${batch.batch_id}&expand=recipients`);
    type Person = { kind: string; email: string; step: number | null };
    expect(json.data[0].recipients.map(({ kind, email, step }: Person) => [kind, email, step])).toEqual([
      ["signer", expect.stringMatching(/^tenant/), 1],
      ["signer", "lou@example.com", 1],
      ["cc", "archive@example.com", null],
    ]);
    const named = [
      ["Tenant.name", "Tenant.email", "Landlord.name", "Landlord.email"],
      [...people().slice(0, 2), "Lee", ""],
    ];
    const mixed = await checked({ csv: writeCsv(named), template: own });
    expect([mixed.ready, (await rowsIn(mixed.batch_id))[0].errors[0].column]).toEqual([0, "Landlord.email"]);
    await key.send("PATCH", `/partner/templates/${own}`, { body: { defaults: { kba_required: true } } });
    const asked = await checked({ csv, template: own });
    expect([asked.state, asked.problems[0].message]).toEqual(["refused", expect.stringContaining("identity questions")]);
  });
});
