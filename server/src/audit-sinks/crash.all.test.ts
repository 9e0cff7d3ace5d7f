import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startReceiver } from "../../test/receiver.ts";
import { testService } from "../../test/service.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { systemCaller } from "../shared/caller.ts";
import { advanceLog } from "../transparency/advance-log.ts";

const service = testService();
const SCRIPT = fileURLToPath(new URL("../../../chaos/push-once.mjs", import.meta.url));

/** A process that sends to the sinks and dies after this many statements; 0: never. Returns how it ended and what it printed. */
const pushOnce = (statements: number) =>
  new Promise<{ readonly signal: string | null; readonly out: string }>((done, failed) => {
    const [{ version, secret }] = service.config.appSecrets;
    const env = { ...process.env, ...service.database.env, APP_SECRETS: `${version}:${secret}`, DATA_DIR: service.config.dataDir };
    execFile(process.execPath, [SCRIPT, String(statements)], { env }, (error, out, err) => {
      if (error !== null && error.signal === null) failed(new Error(err, { cause: error }));
      else done({ signal: error?.signal ?? null, out: out.trim() });
    });
  });

test("a sink that is sent to by processes which are killed after each of their statements gets every entry, in order, without a gap", async () => {
  const [org, receiver] = [await service.newOrg(), await startReceiver()];
  const body = { kind: "webhook", target: receiver.url, from: "beginning" };
  expect((await org.admin("POST", "/org/audit-sinks", { body })).status).toBe(201);
  const by = systemCaller(org.org_id);
  let killed = 0;
  for (let statements = 1; ; statements++) {
    await service.db.tx(org.org_id, (tx) => appendAudit(tx, org.org_id, { type: "customer.updated", by, data: {} }));
    await advanceLog(service.features.log);
    const { signal } = await pushOnce(statements);
    if (signal === null) break;
    expect(signal).toBe("SIGKILL");
    killed += 1;
  }
  // Reading, sending and noting the position take at least this many.
  expect(killed).toBeGreaterThan(8);
  const { text } = await org.admin("GET", "/org/audit-log?limit=10000");
  const wanted = text.trimEnd().split("\n").slice(0, -1);
  const received = receiver.requests.flatMap((request) => request.body.toString().trimEnd().split("\n"));
  const firsts = received.filter((line, index) => received.indexOf(line) === index);
  expect(firsts).toEqual(wanted);
  // A process died between the answer and the position, so a line came twice, and its `leaf_index` tells.
  expect(received.length).toBeGreaterThan(wanted.length);
  await receiver.close();
}, 300_000);
