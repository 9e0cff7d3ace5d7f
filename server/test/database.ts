import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { ensureLogins } from "../src/db/logins.ts";
import { databaseUrl, TEMPLATE, withClient } from "./global-setup.ts";

export interface TestDatabase {
  /** the owner's URL */
  readonly url: string;
  /** the URLs of the serve login and the queue login */
  readonly appUrl: string;
  readonly queueUrl: string;
  /** the settings of a process that serves or works with it, without the owner's URL */
  readonly env: Readonly<Record<string, string>>;
  /** as the owner, without row-level security: to change the age of a row, or to see what is really stored */
  owner<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

/** Settings of a login are per database, so a copy needs them again. */
export async function makeLogins(name: string): Promise<Pick<TestDatabase, "url" | "appUrl" | "queueUrl" | "env">> {
  const url = databaseUrl(inject("adminUrl"), name);
  await ensureLogins(url);
  const [appUrl, queueUrl] = [databaseUrl(inject("appUrl"), name), databaseUrl(inject("queueUrl"), name)];
  return { url, appUrl, queueUrl, env: { DATABASE_APP_URL: appUrl, DATABASE_QUEUE_URL: queueUrl } };
}

/** A separate database for a test file: copied from the migrated one, or an empty one that `fill` prepares as its owner. */
export function testDatabase(fill?: (url: string) => Promise<void>): TestDatabase {
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
    const copied = fill === undefined ? `template ${TEMPLATE} strategy file_copy` : "";
    await withClient(inject("adminUrl"), (client) => client.query(`create database ${name} ${copied}`));
    await fill?.(databaseUrl(inject("adminUrl"), name));
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
