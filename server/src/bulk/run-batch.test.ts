import { writeCsv } from "@countersign/csv";
import { beforeEach, describe, expect, test } from "vitest";
import { form } from "../../test/form.ts";
import { newTemplate } from "../../test/lease.ts";
import { testProvider } from "../../test/provider.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import type { BatchId } from "../shared/ids.ts";
import type { BulkDeps } from "./batch.ts";
import { checkBatch } from "./check-batch.ts";
import { eraseBatches } from "./erase-batches.ts";
import { runBatch } from "./run-batch.ts";

/** Without a worker: the tests run each job themselves, so that something else can happen in between. */
const provider = testProvider();
const service = testService({ BULK_ROWS_PER_MINUTE: "1000000" }, provider);

let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeEach(async () => {
  provider.failing = null;
  org = await service.newOrg();
  key = await org.newKey();
  template_id = await newTemplate(key);
});

const HEADER = ["Tenant.name", "Tenant.email", "Landlord.name", "Landlord.email"];
const rowOf = (n: number): string[] => [`Tenant ${n}`, `tenant${n}@example.com`, `Landlord ${n}`, `landlord${n}@example.com`];
const path = (batch_id: string, more = "") => `/partner/bulk-batches/${batch_id}${more}`;
const read = async (batch_id: string) => (await key.send("GET", path(batch_id))).json.data;
const act = (batch_id: string, what: string, body?: object) =>
  key.send("POST", path(batch_id, `/${what}`), body === undefined ? {} : { body });
const check = (batch_id: string) => checkBatch(service, { org_id: org.org_id, batch_id: batch_id as BatchId });

async function checked(count: number): Promise<string> {
  const bytes = Buffer.from(writeCsv([HEADER, ...Array.from({ length: count }, (_, n) => rowOf(n + 1))]));
  const { json } = await key.send("POST", "/partner/bulk-batches", form({ template_id }, { bytes, name: "Leases.csv" }));
  await check(json.data.batch_id);
  return json.data.batch_id;
}

async function started(count: number): Promise<string> {
  const batch_id = await checked(count);
  expect((await act(batch_id, "start", {})).status).toBe(200);
  return batch_id;
}

/** The job, as the queue would run it; its `tries` are those of the job before it. */
async function run(
  batch_id: string,
  { tries = 0, lanes, ...more }: Partial<BulkDeps> & { tries?: number; lanes?: number } = {},
): Promise<void> {
  const [batch] = await service.database.owner<{ run_no: number }>("select run_no from bulk_batches where batch_id = $1", [batch_id]);
  const job = { org_id: org.org_id, batch_id: batch_id as BatchId, run_no: batch?.run_no ?? 0, tries };
  await runBatch({ ...service.features.bulk, ...more }, job, lanes);
}

/** How many there are of everything that a row makes. */
async function made(batch_id: string) {
  const [counts] = await service.database.owner(
    `select (select count(*) from envelopes where batch_id = $1)::int as envelopes,
       (select count(*) from envelopes where batch_id = $1 and status = 'sent')::int as sent,
       (select count(*) from events e join envelopes v using (org_id, envelope_id) where v.batch_id = $1 and e.event_type = 'envelope.created')::int as created_events,
       (select count(*) from events e join envelopes v using (org_id, envelope_id) where v.batch_id = $1 and e.event_type = 'envelope.sent')::int as sent_events,
       (select count(*) from mail_messages m join envelopes v using (org_id, envelope_id) where v.batch_id = $1)::int as invitations`,
    [batch_id],
  );
  return counts;
}
const once = (count: number) => ({
  envelopes: count,
  sent: count,
  created_events: count,
  sent_events: count,
  invitations: count,
});

/** The service, dying at the nth transaction from now on: before its commit, or just after it. */
function dyingAt(nth: number, when: "before" | "after"): Pick<BulkDeps, "db" | "envelopes"> {
  let transactions = 0;
  const { bulk } = service.features;
  const db: BulkDeps["db"] = {
    ...bulk.db,
    tx: async (of, work) => {
      if (++transactions > nth) throw new Error("killed");
      if (transactions < nth) return bulk.db.tx(of, work);
      if (when === "before") {
        await bulk.db
          .tx(of, async (tx) => {
            await work(tx);
            throw new Error("killed");
          })
          .catch(() => undefined);
      } else await bulk.db.tx(of, work);
      throw new Error("killed");
    },
  };
  return { db, envelopes: { ...bulk.envelopes, db } };
}

describe("exactly one envelope for each row", () => {
  test("a run that dies before or after any of its commits is continued by the next one", async () => {
    const batch_id = await started(8);
    for (let nth = 1; nth <= 8; nth++) {
      for (const when of ["before", "after"] as const)
        await run(batch_id, { ...dyingAt(nth, when), lanes: 1 + (nth % 2) }).catch(() => undefined);
    }
    expect((await read(batch_id)).failed).toBe(0);
    await run(batch_id);
    expect(await made(batch_id)).toEqual(once(8));
    expect(await read(batch_id)).toMatchObject({ state: "ended", sent: 8, ready: 0, failed: 0 });
  });

  test("of two runs at once each row is sent by one", async () => {
    const batch_id = await started(10);
    await Promise.all([run(batch_id), run(batch_id), run(batch_id)]);
    expect(await made(batch_id)).toEqual(once(10));
    expect(await read(batch_id)).toMatchObject({ state: "ended", sent: 10, failed: 0 });
    const [entries] = await service.database.owner(
      "select count(*)::int as n from audit_entries where org_id = $1 and type = 'batch.ended'",
      [org.org_id],
    );
    expect(entries).toEqual({ n: 1 });
  });

  test("a check that runs twice, or dies in between, writes the same rows", async () => {
    const bytes = Buffer.from(writeCsv([HEADER, ...Array.from({ length: 1200 }, (_, n) => rowOf(n + 1))]));
    const { json } = await key.send("POST", "/partner/bulk-batches", form({ template_id }, { bytes }));
    const { batch_id } = json.data;
    const job = { org_id: org.org_id, batch_id };
    await expect(checkBatch(dyingAt(3, "after"), job)).rejects.toThrow("killed");
    await Promise.all([check(batch_id), check(batch_id)]);
    expect(await read(batch_id)).toMatchObject({ state: "checked", rows: 1200, ready: 1200, warned: 0 });
  });
});

describe("stopping", () => {
  test("cancel skips the rows that were not begun, and the row in hand is still sent", async () => {
    const batch_id = await started(5);
    // Dies after the first envelope was created and before it was sent.
    await run(batch_id, { ...dyingAt(2, "after"), lanes: 1 }).catch(() => undefined);
    expect(await made(batch_id)).toEqual({ ...once(0), envelopes: 1, created_events: 1 });
    const cancelled = (await act(batch_id, "cancel")).json.data;
    expect(cancelled).toMatchObject({ state: "cancelled", ready: 1, skipped: 4, sent: 0, ended_at: null });
    expect((await act(batch_id, "retry")).headers["x-error-code"]).toBe("batch_wrong_state");
    await run(batch_id);
    expect(await made(batch_id)).toEqual(once(1));
    expect(await read(batch_id)).toMatchObject({ state: "cancelled", ready: 0, skipped: 4, sent: 1, ended_at: expect.any(String) });

    expect((await act(batch_id, "cancel")).headers["x-error-code"]).toBe("batch_wrong_state");
    await act(batch_id, "retry");
    await check(batch_id);
    expect(await read(batch_id)).toMatchObject({ state: "checked", ready: 4, skipped: 0, sent: 1, ended_at: null });
    await act(batch_id, "start", {});
    await run(batch_id);
    expect(await made(batch_id)).toEqual(once(5));
  });

  test("cancel and run at once: what was sent is counted, the rest is skipped", async () => {
    const batch_id = await started(20);
    const running = run(batch_id);
    await act(batch_id, "cancel");
    await running;
    await run(batch_id);
    const { state, sent, skipped, ready, failed } = await read(batch_id);
    expect([state, sent + skipped, ready, failed]).toEqual(["cancelled", 20, 0, 0]);
    expect(await made(batch_id)).toEqual(once(sent));
  });

  test("one batch of an organization runs at a time; the next one begins when it ends, is paused or is cancelled", async () => {
    const [first, second, third, fourth] = [await started(1), await started(1), await started(1), await started(1)];
    const states = async () => [await read(first), await read(second), await read(third), await read(fourth)].map(({ state }) => state);
    expect(await states()).toEqual(["running", "queued", "queued", "queued"]);
    await act(second, "cancel");
    expect(await states()).toEqual(["running", "cancelled", "queued", "queued"]);
    await run(first);
    expect(await states()).toEqual(["ended", "cancelled", "running", "queued"]);
    await act(third, "cancel");
    expect(await states()).toEqual(["ended", "cancelled", "cancelled", "running"]);
    await run(fourth);
    expect(await states()).toEqual(["ended", "cancelled", "cancelled", "ended"]);
  });

  test("of many starts at once one runs", async () => {
    const batches = [await checked(1), await checked(1), await checked(1), await checked(1)];
    const answers = await Promise.all([...batches, ...batches].map((batch_id) => act(batch_id, "start", {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    const states = await Promise.all(batches.map(async (batch_id) => (await read(batch_id)).state));
    expect(states.sort()).toEqual(["queued", "queued", "queued", "running"]);
  });

  test("a changed template pauses the batch and notifies; after retry its rows are checked against the new one", async () => {
    const batch_id = await started(3);
    await run(batch_id, { ...dyingAt(5, "after"), lanes: 1 }).catch(() => undefined);
    const area = { page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 };
    const fields = [{ name: "Deposit", type: "text", role: "Tenant", required: false, placement: { mode: "absolute", areas: [area] } }];
    const placed = await key.send("POST", `/partner/templates/${template_id}/fields`, { body: { fields } });
    expect(placed.status, placed.text).toBe(200);
    await run(batch_id);
    const paused = await read(batch_id);
    expect(paused).toMatchObject({ state: "paused", reason: "template_changed", failed: 0 });
    expect([paused.sent > 0, paused.ready > 0]).toEqual([true, true]);
    const [news] = (await org.admin("GET", "/notifications")).json.data;
    expect([news.kind, news.text, news.batch_id]).toEqual(["action_needed", "The bulk send Leases is paused", batch_id]);

    expect((await act(batch_id, "start", {})).headers["x-error-code"]).toBe("template_changed");
    await act(batch_id, "retry");
    await check(batch_id);
    expect((await read(batch_id)).state).toBe("checked");
    await act(batch_id, "start", {});
    await run(batch_id);
    expect(await read(batch_id)).toMatchObject({ state: "ended", sent: 3, ready: 0 });
    expect(await made(batch_id)).toEqual(once(3));
  });

  test("a failure of ours is tried again; twenty rows in a row pause the batch, and none of them has failed", async () => {
    const batch_id = await started(25);
    await service.database.owner("update bulk_batches set faults = 0 where batch_id = $1", [batch_id]);
    provider.failing = { kind: "unreachable", reason: "test" };
    await run(batch_id, { lanes: 1 });
    expect(await read(batch_id)).toMatchObject({ state: "running", ready: 25, failed: 0 });
    const [later] = await service.database.owner(
      "select payload ->> 'tries' as tries, run_at > now() as waits from outbox where task = 'bulk.run' and run_at is not null and payload ->> 'batch_id' = $1",
      [batch_id],
    );
    expect(later).toEqual({ tries: "1", waits: true });
    for (let rows = 1; rows < 20; rows++) {
      await run(batch_id, { tries: 2, lanes: 1 });
      expect(await read(batch_id)).toMatchObject({ state: "running", failed: rows });
    }
    await run(batch_id, { tries: 2, lanes: 1 });
    expect(await read(batch_id)).toMatchObject({ state: "paused", reason: "provider_unreachable", failed: 0, ready: 25 });
    provider.failing = null;
    await act(batch_id, "start", {});
    await run(batch_id);
    expect(await made(batch_id)).toEqual(once(25));
  });

  test("a draft that was discarded in the meantime fails its row alone, and a second try makes a new envelope", async () => {
    const batch_id = await started(2);
    await run(batch_id, { ...dyingAt(2, "after"), lanes: 1 }).catch(() => undefined);
    const [draft] = (await key.send("GET", `/partner/envelopes?batch_id=${batch_id}`)).json.data;
    await key.send("DELETE", `/partner/envelopes/${draft.envelope_id}`);
    await run(batch_id);
    const [failed] = (await key.send("GET", path(batch_id, "/rows?state=failed"))).json.data;
    expect([failed.errors[0].code, failed.envelope_id]).toEqual(["envelope_wrong_status", draft.envelope_id]);
    await act(batch_id, "retry");
    await check(batch_id);
    await act(batch_id, "start", {});
    await run(batch_id);
    expect(await read(batch_id)).toMatchObject({ state: "ended", sent: 2, failed: 0 });
    expect(await made(batch_id)).toMatchObject({ envelopes: 3, sent: 2, sent_events: 2 });
  });
});

test("a run sends as many rows at once as the pace permits in ten seconds, and the rest later", async () => {
  const batch_id = await started(4);
  await run(batch_id, { rowsPerMinute: 18 });
  expect(await read(batch_id)).toMatchObject({ state: "running", sent: 3, ready: 1 });
  await run(batch_id, { rowsPerMinute: 18 });
  expect(await read(batch_id)).toMatchObject({ sent: 3 });
  const waits = await service.database.owner<{ seconds: number }>(
    "select extract(epoch from run_at - now())::float as seconds from outbox where task = 'bulk.run' and run_at is not null and payload ->> 'batch_id' = $1",
    [batch_id],
  );
  expect(waits).toHaveLength(2);
  for (const { seconds } of waits) expect(seconds).toSatisfy((value: number) => value > 5 && value <= 10);
  await service.database.owner("update bulk_batches set paced_until = now() where batch_id = $1", [batch_id]);
  await run(batch_id, { rowsPerMinute: 18 });
  expect(await read(batch_id)).toMatchObject({ state: "ended", sent: 4 });
});

test("the contents of rows are deleted 30 days after the last change; numbers and envelopes stay", async () => {
  const [ended, unstarted] = [await started(1), await checked(1)];
  await run(ended);
  const young = await checked(1);
  await service.database.owner("update bulk_batches set changed_at = now() - interval '31 days' where batch_id = any($1)", [
    [ended, unstarted],
  ]);
  await eraseBatches(service.features.bulk);
  const [row] = (await key.send("GET", path(ended, "/rows"))).json.data;
  expect([row.state, row.cells, typeof row.envelope_id]).toEqual(["sent", null, "string"]);
  expect(await read(ended)).toMatchObject({ state: "ended", sent: 1, erased_at: expect.any(String) });
  expect(await read(unstarted)).toMatchObject({ state: "cancelled", skipped: 1, ready: 0, erased_at: expect.any(String) });
  expect((await act(unstarted, "retry")).headers["x-error-code"]).toBe("batch_rows_erased");
  expect((await key.send("GET", path(unstarted, "/rows.csv"))).headers["x-error-code"]).toBe("batch_rows_erased");
  const [kept] = (await key.send("GET", path(young, "/rows"))).json.data;
  expect([kept.state, kept.cells]).toEqual(["ready", rowOf(1)]);
});
