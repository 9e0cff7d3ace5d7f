import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type Send } from "../../test/client.ts";
import { testService } from "../../test/service.ts";
import type { Db } from "../db/connect.ts";
import type { Read, SystemTx, Tx } from "../db/sql.ts";
import { buildFeatures } from "../features.ts";
import { makeLogger } from "../logger.ts";
import { buildHttp } from "../main.ts";

// Without a worker, the jobs of the endpoint stay in the outbox.
const service = testService();

const statements: string[] = [];

/** The real database, with a list of its statements. */
function recorded(db: Db): Db {
  const noting = <R extends Read>(read: R): R => ({
    ...read,
    query: (statement: Parameters<Read["query"]>[0]) => {
      statements.push(statement.text);
      return read.query(statement);
    },
  });
  return {
    ...db,
    lease: (run) => db.lease((read) => run(noting(read))),
    tx: (org, run) => db.tx(org, (tx) => run(noting<Tx>(tx))),
    system: (run) => db.system((tx) => run(noting<SystemTx>(tx))),
  };
}

let app: Awaited<ReturnType<typeof buildHttp>>;
let send: Send;

beforeAll(async () => {
  const { config, features } = service;
  const db = recorded(service.db);
  const noted = buildFeatures(config, db, undefined, features.pdf, features.proofs);
  app = await buildHttp({ config, db, features: noted, logger: makeLogger("silent") });
  send = client(await app.listen({ port: 0, host: "127.0.0.1" }));
});
afterAll(() => app.close());

/** The work of one request: its statements, and its rows for the worker. */
async function costOf(path: string, body: object, status: number) {
  const { owner } = service.database;
  await owner("delete from quotas where subject like 'reset:%' or subject like 'link:%'");
  const [last] = await owner("select coalesce(max(outbox_id), 0) as id from outbox");
  statements.length = 0;
  expect((await send("POST", path, { body })).status).toBe(status);
  const rows = await owner("select task, pg_column_size(payload) as size from outbox where outbox_id > $1", [last?.id]);
  return { statements: [...statements], rows };
}

test.each([
  ["/auth/password-reset", "accounts.send-reset"],
  ["/auth/known-browser/request", "accounts.send-browser-link"],
])("%s runs the same statements and writes a row of the same size, whether or not the address has an account", async (path, task) => {
  const { email } = await service.newOrg();
  const known = await costOf(path, { email }, 202);
  const unknown = await costOf(path, { email: "a.much.longer.address.of.no.one@department.example.org" }, 202);
  expect(known.statements.length).toBeGreaterThan(2);
  expect(unknown.statements).toEqual(known.statements);
  expect(known.rows).toEqual([{ task, size: expect.any(Number) }]);
  expect(unknown.rows).toEqual(known.rows);
});

test("neither address is stored as plain text", async () => {
  const { email } = await service.newOrg();
  await costOf("/auth/password-reset", { email }, 202);
  const rows = await service.database.owner<{ payload: object }>("select payload from outbox");
  expect(JSON.stringify(rows)).not.toContain(email);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(email).toString("base64").slice(0, 12));
});
