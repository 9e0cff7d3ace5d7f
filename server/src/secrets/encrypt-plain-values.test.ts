import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signAll, signingSession } from "../../test/ceremony.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { secondProcess } from "../../test/second-process.ts";
import { type TestOrg, type TestService, testService } from "../../test/service.ts";
import { signedValues } from "../../test/signed-values.ts";
import type { Db } from "../db/connect.ts";
import { DatabaseAway } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { storageJobs } from "../storage/jobs.ts";
import { buildKms } from "./build-kms.ts";
import { encryptPlainValues } from "./encrypt-plain-values.ts";
import { orgKeys } from "./org-keys.ts";
import { orgValues } from "./org-values.ts";

// As releases before the encryption stored values.
const service = testService({ ENCRYPT_BLOBS: "false" });

const entered = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const questions = [
  { text: "Which flat did you visit?", answer: "second floor" },
  { text: "Who recommended us?", answer: "my sister" },
];

/** What a worker that has just started encrypts with. */
const worker = (db: Db = service.db) => ({
  db,
  values: orgValues({ orgKeys: orgKeys({ db, kms: buildKms(service.config.kms, deriveKeys(service.config.appSecrets)) }), isOn: true }),
});
const left = async () => Number((await service.database.owner<{ n: string }>("select count_values_to_encrypt() as n"))[0]?.n);

const leftOf = async ({ org }: Lease) =>
  (await service.database.owner("select 1 from plain_values where org_id = $1", [org.org_id])).length;

interface Lease {
  readonly org: TestOrg;
  /** half signed: the tenant has signed, and the landlord has a draft */
  readonly envelope_id: EnvelopeId;
  readonly draft: SigningSession;
  /** its tenant must answer questions */
  readonly asked: SigningSession;
}

async function newLease(): Promise<Lease> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const template_id = await newTemplate(key);
  const [half, other] = [await newEnvelope(key, template_id), await newEnvelope(key, template_id, { kba_required: true })];
  const sent = await key.send("POST", `/partner/envelopes/${half}/send`, { body: { signers: [tenant, landlord] } });
  const body = { signers: [{ ...tenant, kba: { questions } }, landlord] };
  const withQuestions = await key.send("POST", `/partner/envelopes/${other}/send`, { body });
  expect([sent.status, withQuestions.status]).toEqual([200, 200]);
  await signAll(service, org, half, [[tenant.email, entered]]);
  const draft = await signingSession(service, org, half, landlord.email);
  await makeReady(draft, {}, "Sam Example");
  const asked = await signingSession(service, org, other, tenant.email);
  return { org, envelope_id: half as EnvelopeId, draft, asked };
}

/** Everything that was entered is shown as it was entered. */
async function isReadable({ org, envelope_id, draft, asked }: Lease): Promise<void> {
  const values = (await signedValues(service, org.org_id, envelope_id)).map(({ value }) => value);
  expect(values).toEqual(["Ann Example", "1200", "2026-03-01", "true", "second"]);
  const opened = await draft.open();
  expect([opened.status, opened.json.data.fields.map(({ value }: { value: unknown }) => value)]).toEqual([200, [true]]);
  const { json } = await asked.send("GET", "/kba");
  expect(json.data.questions.map(({ text }: { text: string }) => text)).toEqual(questions.map(({ text }) => text));
}

/** As for a process that ends: nothing after it is done. */
class Killed extends DatabaseAway {}

/** A database for a process that ends when this many statements have been answered; a commit is one of them. */
function dyingAfter(last: number): { db: Db; statements: () => number } {
  let count = 0;
  const answered = <T>(value: T): T => {
    count += 1;
    if (count === last) throw new Killed(null);
    return value;
  };
  const counted = <X extends Tx>(tx: X): X => ({
    ...tx,
    query: async (statement: Parameters<Tx["query"]>[0]) => answered(await tx.query(statement)),
  });
  const { db } = service;
  return {
    db: {
      ...db,
      tx: async (org, run) => answered(await db.tx(org, (tx) => run(counted(tx)))),
      system: async (run) => answered(await db.system((tx) => run(counted(tx)))),
    },
    statements: () => count,
  };
}

let leases: readonly [Lease, Lease];
beforeAll(async () => {
  leases = [await newLease(), await newLease()];
});

describe("values that were stored before they were encrypted", () => {
  const processes: TestService[] = [];
  afterAll(async () => {
    for (const { app } of processes) await app.close();
  });

  test("are in every column that the job knows, and stay as they are with ENCRYPT_BLOBS=false", async () => {
    const plain = await service.database.owner<{ place: string }>("select distinct place from plain_values order by 1");
    expect(plain.map(({ place }) => place)).toEqual([
      "adopted_marks.content_sealed",
      "kba_questions.question_sealed",
      "signed_values.value_sealed",
      "signing_drafts.values_sealed",
    ]);
    const before = await left();
    expect(await encryptPlainValues({ db: service.db, values: service.features.envelopes.values })).toEqual({
      encrypted: 0,
      waiting: [],
      failed: [],
    });
    expect([await left(), before]).toEqual([before, 2 * (5 + 4 + 2 + 2)]);
  });

  test("a value that changes while the job encrypts it keeps the change", async () => {
    const [one] = leases;
    let saved = 0;
    const late: Db = {
      ...service.db,
      tx: (org, run) =>
        service.db.tx(org, (tx) =>
          run({
            ...tx,
            query: async (statement) => {
              if (
                org === one.org.org_id &&
                statement.text.includes("encrypt_values") &&
                statement.values[0] === "signing_drafts.values_sealed"
              ) {
                for (const value of [false, true]) saved = (await one.draft.fill({ "Landlord signature": value })).json.data.revision;
              }
              return tx.query(statement);
            },
          }),
        ),
    };
    const before = await left();
    expect(await encryptPlainValues({ ...worker(), db: late })).toEqual({ encrypted: before - 1, waiting: [], failed: [] });
    expect((await one.draft.open()).json.data.revision).toBe(saved);
    expect(await left()).toBe(1);
    for (const lease of leases) await isReadable(lease);
  });

  test("of an organization that fails do not keep the others from theirs, nor documents; the job ends as failed", async () => {
    const [first, second] = [await newLease(), await newLease()].sort((a, b) => (a.org.org_id < b.org.org_id ? -1 : 1)) as [Lease, Lease];
    await service.database.owner(`
      create function refuse_for_test() returns trigger language plpgsql as $$ begin raise 'refused for a test'; end $$;
      create trigger refuse_for_test before update on signed_values for each row when (old.org_id = '${first.org.org_id}')
        execute function refuse_for_test()`);
    const { db, features } = service;
    const job = () => storageJobs({ ...features.storage, ...worker(), db })["storage.encrypt"]();
    await expect(job()).rejects.toThrow(`1 could not be encrypted, of which the first: values of ${first.org.org_id}`);
    expect(await leftOf(second)).toBe(0);
    expect(await leftOf(first)).toBeGreaterThan(0);
    for (const lease of [first, second]) await isReadable(lease);
    await service.database.owner("drop trigger refuse_for_test on signed_values; drop function refuse_for_test()");
    await job();
    expect(await leftOf(first)).toBe(0);
  });

  test("are encrypted by a job that dies after each of its statements; after each death everything is readable, and the next run goes on", async () => {
    const more = [await newLease(), await newLease()];
    let deaths = 0;
    for (let last = 1; ; last++) {
      const { db, statements } = dyingAfter(last);
      const run = await encryptPlainValues({ ...worker(), db }, { values: 2 }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        return null;
      });
      for (const lease of [...leases, ...more]) await isReadable(lease);
      if (run !== null) {
        expect(statements()).toBeLessThan(last);
        break;
      }
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(10);
    expect(await left()).toBe(0);
    const plain = await service.database.owner(
      `select (select count(*)::int from signed_values where value is not null or value_sealed is null) as values,
         (select count(*)::int from adopted_marks where content is not null or content_sealed is null) as marks,
         (select count(*)::int from kba_questions where question is not null or question_sealed is null) as questions,
         (select count(*)::int from signing_drafts where "values" <> '{}') as drafts`,
    );
    expect(plain).toEqual([{ values: 0, marks: 0, questions: 0, drafts: 0 }]);
  }, 120_000);

  test("are read by a process that has just started, which completes the signature", async () => {
    const [one] = leases;
    const next = await secondProcess(service);
    processes.push(next);
    const late = await signingSession({ ...next, features: next.features }, one.org, one.envelope_id, landlord.email);
    await makeReady(late, {}, "Sam Example");
    const done = await late.complete();
    expect([done.status, done.json.error]).toEqual([200, undefined]);
    // What it wrote is encrypted, and a process that does not encrypt reads it.
    expect(await left()).toBe(0);
    expect((await signedValues(service, one.org.org_id, one.envelope_id)).map(({ value }) => value)).toContain("1200");
  });
});

test("every column whose name ends in _sealed is under the key of the organization, and the job knows those that were plain", async () => {
  const columns = await service.database.owner<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and column_name like '%\\_sealed' order by 1`,
  );
  const [definitions] = await service.database.owner<{ view: string; update: string }>(
    "select pg_get_viewdef('plain_values'::regclass) as view, pg_get_functiondef('encrypt_values'::regproc) as update",
  );
  const namedIn = (text = "") => [...new Set(text.match(/(?<=')[a-z_]+\.[a-z_]+_sealed(?=')/g))].sort();
  expect(namedIn(definitions?.view)).toEqual(namedIn(definitions?.update));
  // The secrets of audit sinks were never plain.
  expect(columns.map(({ place }) => place)).toEqual(["audit_sinks.secret_sealed", ...namedIn(definitions?.view)].sort());
});
