import { createHmac } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certified } from "../../test/certified.ts";
import { memberOf } from "../../test/invitations.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { type SyslogPeer, startSyslog } from "../../test/syslog-peer.ts";
import { until } from "../../test/until.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { systemCaller } from "../shared/caller.ts";
import { advanceLog } from "../transparency/advance-log.ts";
import { push } from "./push.ts";

const certificate = certified("127.0.0.1");
const folder = mkdtempSync(join(tmpdir(), "syslog-ca-"));
const ca = join(folder, "ca.pem");
writeFileSync(ca, certificate.cert);

const service = testService({ AUDIT_SYSLOG_CA_FILE: ca });
let receiver: Receiver;
let syslog: SyslogPeer;
beforeAll(async () => {
  [receiver, syslog] = await Promise.all([startReceiver(), startSyslog(certificate)]);
});
afterAll(() => Promise.all([receiver.close(), syslog.close()]));

const sinks = () => service.features.auditSinks;
const run = async () => {
  await advanceLog(service.features.log);
  await push(sinks());
};
const customer = ({ admin }: TestOrg, name: string) => admin("POST", "/partner/customers", { body: { name } });

async function newSink({ admin }: TestOrg, values: object = {}) {
  const { status, json } = await admin("POST", "/org/audit-sinks", {
    body: { kind: "webhook", target: receiver.url, from: "beginning", ...values },
  });
  expect(status, JSON.stringify(json)).toBe(201);
  return json.data;
}

interface Line {
  readonly leaf_index: number;
  readonly org_id: string;
  readonly type: string;
}
const linesIn = (body: Buffer | string): Line[] =>
  body
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const received = ({ org_id }: TestOrg): Line[] =>
  receiver.requests.flatMap(({ body }) => linesIn(body)).filter((line) => line.org_id === org_id);
const exported = async ({ admin }: TestOrg) => linesIn((await admin("GET", "/org/audit-log?limit=10000")).text).slice(0, -1);
const sinkOf = async ({ admin }: TestOrg) => (await admin("GET", "/org/audit-sinks")).json.data[0];
const failingMails = ({ org_id }: TestOrg) =>
  service.database.owner(
    "select payload ->> 'subject' as subject, payload ->> 'text' as text from outbox where payload ->> 'kind' = 'audit_sink_failing' and payload ->> 'org_id' = $1",
    [org_id],
  );
/** Makes the next attempt due. */
const due = ({ org_id }: TestOrg) => service.database.owner("update audit_sinks set next_attempt_at = now() where org_id = $1", [org_id]);

describe("a webhook sink", () => {
  test("receives every entry of the organization once, in the order of the log, as the lines of the export, signed", async () => {
    const org = await service.newOrg();
    const { secret } = await newSink(org);
    await customer(org, "Ann Example");
    await run();
    await customer(org, "Sam Sample");
    await run();
    await run();
    expect(received(org)).toEqual(await exported(org));
    const [first] = receiver.requests.filter(({ body }) => body.includes(org.org_id));
    expect(first?.headers["content-type"]).toBe("application/x-ndjson");
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = first?.headers ?? {};
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(signature).toBe(
      `v1,${createHmac("sha256", key)
        .update(`${id}.${at}.`)
        .update(first?.body ?? "")
        .digest("base64")}`,
    );
    expect(await sinkOf(org)).toMatchObject({ state: "ok", failing_since: null, last_error: null, last_success_at: expect.any(String) });
  });

  test("is added once with an Idempotency-Key, also if the organization had no key of its own before", async () => {
    const org = await service.newOrg();
    const body = { kind: "webhook", target: receiver.url };
    const add = () => org.admin("POST", "/org/audit-sinks", { headers: { "idempotency-key": "add" }, body });
    expect([(await add()).status, (await add()).status]).toEqual([201, 409]);
    const { sink_id } = await sinkOf(org);
    const { status, json } = await org.admin("POST", `/org/audit-sinks/${sink_id}/test`, { headers: { "idempotency-key": "test" } });
    expect([status, json.data.accepted]).toEqual([200, true]);
    expect((await org.admin("GET", "/org/audit-sinks")).json.meta.total).toBe(1);
  });

  test("gets at most 500 lines in a request", async () => {
    const org = await service.newOrg();
    const by = systemCaller(org.org_id);
    await service.db.tx(org.org_id, async (tx) => {
      for (let n = 0; n < 520; n++) await appendAudit(tx, org.org_id, { type: "customer.updated", by, data: {} });
    });
    await newSink(org);
    await run();
    const sizes = receiver.requests.map(({ body }) => linesIn(body)).filter(([line]) => line?.org_id === org.org_id);
    expect(sizes.map(({ length }) => length)).toEqual([500, (await exported(org)).length - 500]);
    expect(received(org)).toEqual(await exported(org));
  });

  test("does not wait for another one that does not answer", async () => {
    const org = await service.newOrg();
    const by = systemCaller(org.org_id);
    await service.db.tx(org.org_id, async (tx) => {
      for (let n = 0; n < 520; n++) await appendAudit(tx, org.org_id, { type: "customer.updated", by, data: {} });
    });
    const [slow, quick] = await Promise.all([startReceiver(), startReceiver()]);
    // The slow one is first in every order.
    await newSink(org, { target: slow.url });
    await newSink(org, { target: quick.url });
    await advanceLog(service.features.log);
    const all = await exported(org);
    const linesTo = ({ requests }: Receiver) => requests.flatMap(({ body }) => linesIn(body));
    const everything = until("the quick sink to have everything", async () => linesTo(quick).length === all.length);
    slow.always({ status: 200, after: everything });
    await push(sinks());
    await everything;
    expect([linesTo(quick), linesTo(slow)]).toEqual([all, all]);
    const states = (await org.admin("GET", "/org/audit-sinks")).json.data;
    expect(states).toMatchObject([
      { state: "ok", failing_since: null },
      { state: "ok", failing_since: null },
    ]);
    await Promise.all([slow.close(), quick.close()]);
  });

  test("gets only what is recorded from now on, unless it asks for the beginning", async () => {
    const org = await service.newOrg();
    for (let n = 0; n < 3; n++) await customer(org, `Ann ${n}`);
    await advanceLog(service.features.log);
    await newSink(org, { from: "now" });
    await run();
    expect(received(org).map(({ type }) => type)).toEqual(["audit_sink.created"]);
  });

  test("that fails keeps its position, is tried again later, says why, and misses nothing", async () => {
    const org = await service.newOrg();
    await newSink(org);
    receiver.always(500);
    await run();
    expect(await sinkOf(org)).toMatchObject({
      state: "failing",
      after: null,
      last_error: "status_500",
      next_attempt_at: expect.any(String),
    });
    const tries = receiver.requests.length;
    await run();
    expect(receiver.requests.length, "before its time").toBe(tries);
    receiver.always(200);
    receiver.requests.length = 0;
    await due(org);
    await run();
    expect(received(org)).toEqual(await exported(org));
    expect(await sinkOf(org)).toMatchObject({ state: "ok", last_error: null });
  });

  test("that has failed for an hour is reported to the admins once", async () => {
    const org = await service.newOrg();
    await newSink(org);
    receiver.always("reset");
    await run();
    expect(await failingMails(org)).toEqual([]);
    await service.database.owner("update audit_sinks set failing_since = now() - interval '61 minutes' where org_id = $1", [org.org_id]);
    for (let n = 0; n < 2; n++) {
      await due(org);
      await run();
    }
    receiver.always(200);
    expect(await failingMails(org)).toEqual([
      {
        subject: `The audit export to ${new URL(receiver.url).host} has been failing for an hour`,
        text: expect.stringMatching(/connection error\.\n\n.*\n\nThe console shows the state under Settings, Audit export\.$/),
      },
    ]);
  });

  test("whose secret cannot be read is failing, says what to do, is reported after an hour, and stops no other", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { sink_id } = await newSink(org);
    await newSink(other);
    await service.database.owner(
      "update audit_sinks set secret_sealed = (select secret_sealed from audit_sinks where org_id = $2) where org_id = $1",
      [org.org_id, other.org_id],
    );
    receiver.requests.length = 0;
    // The operator sees a failed job.
    await expect(run()).rejects.toThrow(`the secret of ${sink_id} of ${org.org_id} cannot be read`);
    expect(received(other)).toEqual(await exported(other));
    expect(received(org)).toEqual([]);
    expect(await sinkOf(org)).toMatchObject({
      state: "failing",
      last_error: "secret_unreadable",
      failing_since: expect.any(String),
      next_attempt_at: expect.any(String),
    });
    const { json } = await org.admin("POST", `/org/audit-sinks/${sink_id}/test`);
    expect(json.data).toEqual({ sink_id, accepted: false, error: "secret_unreadable" });
    await service.database.owner("update audit_sinks set failing_since = now() - interval '61 minutes' where org_id = $1", [org.org_id]);
    await due(org);
    await expect(run()).rejects.toThrow("cannot be read");
    expect(await failingMails(org)).toEqual([
      expect.objectContaining({ text: expect.stringContaining("Remove the system in the console and add it again") }),
    ]);
    await run();
  });

  test("stops at a position that the log does not have, as after an older backup was restored, until it is told where to go on", async () => {
    const org = await service.newOrg();
    const { sink_id } = await newSink(org);
    await service.database.owner("update audit_sinks set after = 99999999 where org_id = $1", [org.org_id]);
    await run();
    expect(await sinkOf(org)).toMatchObject({ state: "failing", last_error: "position_unknown" });
    expect((await org.admin("PATCH", `/org/audit-sinks/${sink_id}`, { body: { from: "beginning" } })).status).toBe(200);
    receiver.requests.length = 0;
    await run();
    expect(received(org)).toEqual(await exported(org));
  });

  test("is tested with a line that is no entry", async () => {
    const org = await service.newOrg();
    const { sink_id } = await newSink(org, { enabled: false });
    const tried = async () => (await org.admin("POST", `/org/audit-sinks/${sink_id}/test`)).json.data;
    expect(await tried()).toEqual({ sink_id, accepted: true, error: null });
    expect(linesIn(receiver.requests.at(-1)?.body ?? "")).toMatchObject([{ type: "audit_sink.test", org_id: org.org_id }]);
    receiver.next(404);
    expect(await tried()).toEqual({ sink_id, accepted: false, error: "status_404" });
  });
});

describe("a syslog sink", () => {
  test("receives every entry over TLS as a message of RFC 5424", async () => {
    const org = await service.newOrg();
    const { secret } = await newSink(org, { kind: "syslog", target: syslog.url });
    expect(secret).toBeNull();
    await customer(org, "Zoë Éxample");
    await run();
    const wanted = await exported(org);
    const messages = (await syslog.received(wanted.length)).filter((message) => message.includes(org.org_id));
    expect(messages.map((message) => JSON.parse(message.slice(message.indexOf("{"))))).toEqual(wanted);
    expect(messages.at(-1)).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ countersign - customer\.created - \{/);
    expect(await sinkOf(org)).toMatchObject({ kind: "syslog", state: "ok" });
  });

  test("whose certificate is not trusted gets nothing", async () => {
    const [org, stranger] = [await service.newOrg(), await startSyslog(certified("127.0.0.1"))];
    await newSink(org, { kind: "syslog", target: stranger.url });
    await run();
    expect(await sinkOf(org)).toMatchObject({ state: "failing", last_error: "tls_error" });
    expect(stranger.messages).toEqual([]);
    await stranger.close();
  });
});

describe("the operator's syslog", () => {
  test("receives the entries of all organizations, from the first run on", async () => {
    const [one, other] = [await service.newOrg(), await service.newOrg()];
    const peer = await startSyslog(certificate);
    const deps = { ...sinks(), operatorSyslog: peer.url };
    await advanceLog(service.features.log);
    await push(deps);
    expect(peer.messages).toEqual([]);
    await customer(one, "Ann");
    await customer(other, "Sam");
    await advanceLog(service.features.log);
    await push(deps);
    await push(deps);
    const lines = (await peer.received(2)).map((message) => JSON.parse(message.slice(message.indexOf("{"))));
    expect(lines).toMatchObject([
      { org_id: one.org_id, type: "customer.created" },
      { org_id: other.org_id, type: "customer.created" },
    ]);
    await peer.close();
  });
});

describe("/org/audit-sinks", () => {
  test("adds, changes and removes sinks, records it, and never shows or stores a readable secret", async () => {
    const org = await service.newOrg();
    const { secret, ...made } = await newSink(org);
    expect(await sinkOf(org)).toEqual(made);
    const changed = await org.admin("PATCH", `/org/audit-sinks/${made.sink_id}`, { body: { enabled: false } });
    expect(changed.json.data).toMatchObject({ enabled: false, state: "off" });
    await run();
    expect(received(org)).toEqual([]);
    const [row] = await service.database.owner<{ row: string }>(
      "select encode(secret_sealed, 'escape') as row from audit_sinks where org_id = $1",
      [org.org_id],
    );
    expect(row?.row).not.toContain(secret.slice("whsec_".length, 20));
    expect((await org.admin("DELETE", `/org/audit-sinks/${made.sink_id}`)).json.data).toEqual({ sink_id: made.sink_id, deleted: true });
    expect((await org.admin("DELETE", `/org/audit-sinks/${made.sink_id}`)).status).toBe(404);
    const trail = (await org.admin("GET", "/org/audit-trail")).json.data.map(({ type }: { type: string }) => type);
    expect(trail.filter((type: string) => type.startsWith("audit_sink."))).toEqual([
      "audit_sink.deleted",
      "audit_sink.changed",
      "audit_sink.created",
    ]);
  });

  test("has three sinks at most, also when more are added at once", async () => {
    const org = await service.newOrg();
    const body = { kind: "webhook", target: receiver.url };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => org.admin("POST", "/org/audit-sinks", { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
  });

  test.each([
    ["webhook", "http://169.254.169.254/latest"],
    ["webhook", "syslog+tls://logs.example.com:6514"],
    ["syslog", "https://logs.example.com"],
    ["syslog", "syslog+tls://10.0.0.1:6514"],
    ["syslog", "syslog+tls://me:secret@logs.example.com"],
    ["syslog", "syslog+tls://logs.example.com/path"],
  ])("refuses %s to %s", async (kind, target) => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("POST", "/org/audit-sinks", { body: { kind, target } });
    expect([status, json.details?.[0]?.field]).toEqual([422, "target"]);
  });

  test("is for those who may export the audit log, after a confirmation", async () => {
    const org = await service.newOrg();
    const [auditor, viewer] = [await memberOf(service, org, "auditor"), await memberOf(service, org, "viewer")];
    const body = { kind: "webhook", target: receiver.url };
    expect((await viewer("GET", "/org/audit-sinks")).status).toBe(403);
    expect((await auditor("POST", "/org/audit-sinks", { body })).status).toBe(201);
    await service.database.owner("update sessions set confirmed_at = null where org_id = $1", [org.org_id]);
    const { status, json } = await auditor("POST", "/org/audit-sinks", { body });
    expect([status, json.details[0].code]).toEqual([403, "reauthentication_required"]);
  });
});
