import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { ensureLogins } from "../src/db/logins.ts";
import { databaseUrl, TEMPLATE, withClient } from "./global-setup.ts";

export interface TestDatabase {
  /** the owner's URL */
  readonly url: string;
  /** of the login that serves, and of the queue's */
  readonly appUrl: string;
  readonly queueUrl: string;
  /** the settings of a process that serves or works on it; the owner's is not among them */
  readonly env: Readonly<Record<string, string>>;
  /** as the owner, past every fence: to age a row, or to look at what is really there */
  owner<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

/** What is set on a login is set for one database: a copy needs it anew. */
export async function makeLogins(name: string): Promise<Pick<TestDatabase, "url" | "appUrl" | "queueUrl" | "env">> {
  const url = databaseUrl(inject("adminUrl"), name);
  await ensureLogins(url);
  const [appUrl, queueUrl] = [databaseUrl(inject("appUrl"), name), databaseUrl(inject("queueUrl"), name)];
  return { url, appUrl, queueUrl, env: { DATABASE_APP_URL: appUrl, DATABASE_QUEUE_URL: queueUrl } };
}

/** A database of its own for a test file, copied from the migrated one. */
export function testDatabase(): TestDatabase {
  const name = `test_${randomBytes(6).toString("hex")}`;
  let pool: pg.Pool;
  const database = {
    url: "",
    appUrl: "",
    queueUrl: "",
    env: {},
    owner: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<R>(text, values)).rows,
  };
  beforeAll(async () => {
    await withClient(inject("adminUrl"), (client) => client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`));
    Object.assign(database, await makeLogins(name));
    pool = new pg.Pool({ connectionString: database.url, max: 3 });
    pool.on("error", () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`));
  });
  return database;
}
