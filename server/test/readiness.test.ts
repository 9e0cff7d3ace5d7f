import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { onePage } from "../../pdf/fixtures/pages.ts";
import { makeAuthority } from "../../pdf/fixtures/time-stamp-authority.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { holdInstallation, releaseInstallation } from "../src/db/mode.ts";
import type { Level } from "../src/http/health.ts";
import { listenForProbes, type Probes } from "../src/http/probes.ts";
import { startWorker, type Worker } from "../src/jobs/worker.ts";
import { makeLogger } from "../src/logger.ts";
import { queueMail } from "../src/mail/queue-mail.ts";
import { sendMail } from "../src/mail/send-mail.ts";
import { writeLetter } from "../src/mail/write-letter.ts";
import { jobHandlers } from "../src/main.ts";
import { healthOf, type Life, sealingOf } from "../src/readiness.ts";
import { sealDocument } from "../src/seals/seal-document.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { LogFault } from "../src/transparency/checkpoint.ts";
import { verifyLog } from "../src/transparency/verify-log.ts";
import { type DeliveryLoop, startDelivering } from "../src/webhooks/delivery-loop.ts";
import { testDatabase } from "./database.ts";
import { mountedDisk, unmountDisk } from "./disk.ts";
import { record } from "./log.ts";
import { pem, testFolder } from "./openssl.ts";
import { type Proxy as DatabaseProxy, proxyTo } from "./proxy.ts";
import { AT_ONCE, testService } from "./service.ts";
import { startSmtpPeer } from "./smtp.ts";
import { startAuthority } from "./time-stamp-authority.ts";
import { until } from "./until.ts";

/**
 * Section "Health" of docs/operations.md: every check is made to fail by a real fault, and looked at in both roles over HTTP. Tenancy is in
 * db/fence.test.ts, seals in seals/readiness.test.ts, `service` in probes.all.test.ts, because those need processes or logins of their own.
 */

/** What the process takes for the time; it never goes back. Its loops go on, and say this time when they turn. */
let ahead_ms = 0;
const realNow = Date.now;
vi.spyOn(Date, "now").mockImplementation(() => realNow() + ahead_ms);
afterAll(() => vi.restoreAllMocks());
const later = (seconds: number) => {
  ahead_ms += seconds * 1000;
};

const folder = testFolder();
const authority = await makeAuthority({ at: new Date() });
const stamps = await startAuthority((request) => authority.answer(request));
const inbox = await startSmtpPeer();

const database = testDatabase();
let app: DatabaseProxy;
let queue: DatabaseProxy;
// After the database was made, and before the service connects to it.
beforeAll(async () => {
  [app, queue] = [await proxyTo(database.appUrl), await proxyTo(database.queueUrl)];
  Object.assign(database, { appUrl: app.url, queueUrl: queue.url });
});
afterAll(async () => {
  await Promise.all([app.close(), queue.close(), stamps.close(), inbox.stop()]);
});
const env = {
  SMTP_URL: inbox.url,
  MAIL_FROM: "sign@example.com",
  TSA_URL: stamps.url,
  TSA_CA_FILE: folder.put("tsa.pem", pem(authority.root)),
};
const service = testService(env, undefined, undefined, database);

const quiet = { info: () => undefined, error: () => undefined };
let worker: Worker;
let delivering: DeliveryLoop;
const lives = {
  serve: { isStopping: false, serves: true, turns: null },
  worker: { isStopping: false, serves: false, turns: () => ({ ...worker.turns(), delivery: delivering.turnedAt() }) },
} satisfies Record<string, Life>;
type Role = keyof typeof lives;
const roles = Object.keys(lives) as Role[];
let probes: Record<Role, Probes>;

const listen = (life: Life, dataDir = service.config.dataDir) => {
  const logger = makeLogger("silent");
  const parts = { db: service.db, features: service.features, logger, sealing: sealingOf(service.features, logger) };
  const health = healthOf({ ...parts, config: { ...service.config, dataDir }, life, checks: AT_ONCE });
  const metrics = async () => ({ type: "text/plain", text: "" });
  return listenForProbes({ port: 0, host: "127.0.0.1", health, metrics, onFailure: () => undefined });
};

beforeAll(async () => {
  const handlers = jobHandlers(service.features);
  worker = await startWorker({ url: database.queueUrl, handlers, log: quiet, schedule: [] });
  delivering = startDelivering(service.features.webhooks, quiet);
  probes = { serve: await listen(lives.serve), worker: await listen(lives.worker) };
});
afterAll(async () => {
  await Promise.all(Object.values(probes).map((one) => one.close()));
  await Promise.all([worker.stop(), delivering.stop()]);
});

afterEach(() => {
  app.open();
  queue.open();
});

type Ready = readonly [status: number, level: "ready" | Level, failing: Readonly<Record<string, string>>];

async function get(one: Probes, path: string): Promise<[number, { status: string; checks: Record<string, string> }]> {
  const answer = await fetch(`http://127.0.0.1:${one.port}${path}`);
  return [answer.status, (await answer.json()) as { status: string; checks: Record<string, string> }];
}

async function readyOf(one: Probes): Promise<Ready> {
  const [status, body] = await get(one, "/readyz");
  const failing = Object.fromEntries(Object.entries(body.checks).filter(([, says]) => says !== "ok"));
  return [status, body.status as Ready[1], failing];
}

const ready = (role: Role) => readyOf(probes[role]);
const alive = async (role: Role) => (await get(probes[role], "/healthz"))[0];
const READY: Ready = [200, "ready", {}];
const notReady = (failing: Ready[2]): Ready => [503, "not ready", failing];
const degraded = (failing: Ready[2]): Ready => [200, "degraded", failing];

const both = async () => ({ serve: await ready("serve"), worker: await ready("worker") });
const inBoth = (expected: Ready) => ({ serve: expected, worker: expected });
/** Of both, for checks whose test moves the time: the worker's loops are late until they have turned. */
const says = (check: string) => Promise.all(roles.map(async (role) => (await get(probes[role], "/readyz"))[1].checks[check]));
const healed = () =>
  until("both to be ready again", async () =>
    (await Promise.all(roles.map(ready))).every(([status, level]) => status === 200 && level === "ready"),
  );

test("both roles are ready, each with its own checks", async () => {
  const common = ["service", "database", "tenancy", "migrations", "mode", "disk", "storage", "seals", "log", "mail", "time_stamps"];
  expect(Object.keys((await get(probes.serve, "/readyz"))[1].checks)).toEqual(common);
  expect(Object.keys((await get(probes.worker, "/readyz"))[1].checks)).toEqual([...common, "loops"]);
  expect(await both()).toEqual(inBoth(READY));
});

test("without the database both are not ready, and nothing is restarted however long it takes", async () => {
  app.shut();
  queue.shut();
  const away = "unknown while the database is away";
  const failing = { database: "the database cannot be reached", migrations: away, mode: away, log: away };
  expect((await both()).serve).toEqual(notReady(failing));
  later(31);
  expect(await ready("worker")).toEqual(
    notReady({ ...failing, loops: expect.stringMatching(/^no turn of relay, heartbeat, .*delivery for 30 seconds$/) as unknown as string }),
  );
  later(3_600);
  expect(await Promise.all(roles.map(alive))).toEqual([200, 200]);
  app.open();
  queue.open();
  await healed();
  expect(await Promise.all(roles.map(alive))).toEqual([200, 200]);
});

test("a database that takes no bytes and sends none restarts nothing either", async () => {
  app.hang();
  queue.hang();
  later(200);
  expect(await Promise.all(roles.map(alive))).toEqual([200, 200]);
  app.open();
  queue.open();
  await healed();
});

test("a worker that cannot reach its queue is not ready after 30 seconds, and to be restarted after 120; serve goes on", async () => {
  expect(await alive("worker")).toBe(200);
  queue.shut();
  later(20);
  expect(await both()).toEqual(inBoth(READY));
  later(11);
  await until("the other loops to turn", async () => (await ready("worker"))[2].loops === "no turn of relay, heartbeat for 30 seconds");
  expect(await both()).toEqual({ serve: READY, worker: notReady({ loops: "no turn of relay, heartbeat for 30 seconds" }) });
  expect(await alive("worker")).toBe(200);
  later(90);
  await until("it to be restarted", async () => (await alive("worker")) === 503);
  expect((await get(probes.worker, "/healthz"))[1].status).toMatch(/^no turn of relay, heartbeat\b.* for 120 seconds$/);
  expect(await alive("serve")).toBe(200);
  queue.open();
  await healed();
  expect(await alive("worker")).toBe(200);
});

test("a held installation gets no visitors, and its worker says so and goes on", async () => {
  await service.db.system((tx) => holdInstallation(tx, "the test"));
  const mode = expect.stringMatching(/^held since .* by the test: nothing is sent\. To end it: countersign release$/) as unknown as string;
  expect(await both()).toEqual({ serve: notReady({ mode }), worker: degraded({ mode }) });
  await service.db.system((tx) => releaseInstallation(tx));
  expect(await both()).toEqual(inBoth(READY));
});

test("a schema that is too old makes both not ready", async () => {
  const [newest] = await database.owner<{ name: string; checksum: string }>(
    "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
  );
  expect(await both()).toEqual(inBoth(notReady({ migrations: "1 migrations are missing: run countersign migrate" })));
  await database.owner("insert into schema_migrations (name, checksum) values ($1, $2)", [newest?.name, newest?.checksum]);
  expect(await both()).toEqual(inBoth(READY));
});

test("without the document store both are degraded", async () => {
  const blobs = join(service.config.dataDir, "blobs");
  // The check of the store is cached in itself.
  later(6);
  await mkdir(blobs, { recursive: true });
  await rename(blobs, `${blobs}.away`);
  await writeFile(blobs, "a file, where a folder should be");
  expect(await both()).toEqual(inBoth(degraded({ storage: "the blob store cannot be reached or written to" })));
  rmSync(blobs);
  await rename(`${blobs}.away`, blobs);
  later(6);
  expect(await both()).toEqual(inBoth(READY));
});

test("a log whose rows were changed makes both degraded", async () => {
  const { log } = service.features;
  const org = await service.newOrg();
  await record(service, org.org_id, "env_1", 3);
  await advanceLog(log);
  const change = (hash: string) =>
    database.owner<{ was: string }>(
      "update log_leaves new set hash = $1 from log_leaves old where new.leaf_index = 0 and old.leaf_index = 0 returning old.hash as was",
      [hash],
    );
  const [leaf] = await change("0".repeat(64));
  await expect(verifyLog(log)).rejects.toThrow(LogFault);
  expect(await both()).toEqual(
    inBoth(degraded({ log: "rows of the log were changed or lost, so the log is stopped; the service's own log says which rows" })),
  );
  await change(leaf?.was ?? "");
  await verifyLog(log);
  expect(await both()).toEqual(inBoth(READY));
});

test("a mail server that is down is reported after ten minutes of failures, until it takes a message", async () => {
  const send = async () => {
    const letter = writeLetter({ kind: "notice", subject: "A subject", opening: ["A text"], closing: [] });
    const message = { ...letter, to: "ann@example.com", org_name: "Acme", expires_at: new Date(realNow() + 7 * 86_400_000) };
    const { mail } = service.features;
    const message_id = await service.db.system((tx) => queueMail(mail, tx, null, message));
    await sendMail(mail, message_id);
  };
  await inbox.stop();
  await send();
  later(590);
  expect(await says("mail")).toEqual(["ok", "ok"]);
  later(10);
  const mail = "every request to the mail server has failed for ten minutes";
  expect([await says("mail"), await ready("serve")]).toEqual([[mail, mail], degraded({ mail })]);
  await inbox.start();
  expect(await says("mail")).toEqual([mail, mail]);
  await send();
  expect(inbox.messages).toHaveLength(1);
  await healed();
});

test("a time-stamp authority that is down is reported after ten minutes of failures, until it answers", async () => {
  const org = await service.newOrg();
  const seal = async () => (await sealDocument(service.features.seals, org.org_id, writePdf(onePage()), { reason: "Copy" })).seal;
  stamps.always(503);
  expect((await seal()).tsa_error).toBeDefined();
  later(590);
  expect(await says("time_stamps")).toEqual(["ok", "ok"]);
  later(10);
  const time_stamps = "every request to the time-stamp authority has failed for ten minutes";
  expect([await says("time_stamps"), await ready("serve")]).toEqual([[time_stamps, time_stamps], degraded({ time_stamps })]);
  stamps.always((request) => authority.answer(request));
  expect((await seal()).tsa_error).toBeUndefined();
  await healed();
});

const disk = mountedDisk("600m");

describe.skipIf(disk === null)("with a disk of 600 MB (needs mount)", () => {
  const path = disk ?? "";
  afterAll(() => unmountDisk(path));

  test("both are degraded below 1 GB, and not ready below 200 MB", async () => {
    const onDisk = { serve: await listen(lives.serve, path), worker: await listen(lives.worker, path) };
    const there = async () => ({ serve: await readyOf(onDisk.serve), worker: await readyOf(onDisk.worker) });
    expect(await there()).toEqual(inBoth(degraded({ disk: "the disk of DATA_DIR has less than 1 GB left" })));
    execFileSync("mount", ["-o", "remount,size=150m", path]);
    expect(await there()).toEqual(inBoth(notReady({ disk: "the disk of DATA_DIR is full" })));
    await Promise.all(Object.values(onDisk).map((one) => one.close()));
  });
});
