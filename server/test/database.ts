import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { databaseUrl, TEMPLATE, withClient } from "./global-setup.ts";

export interface TestDatabase {
  /** the owner's URL */
  readonly url: string;
  /** as the owner, past every fence: to age a row, or to look at what is really there */
  owner<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

/** A database of its own for a test file, copied from the migrated one. */
export function testDatabase(): TestDatabase {
  const name = `test_${randomBytes(6).toString("hex")}`;
  let pool: pg.Pool;
  const database = {
    url: "",
    owner: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<R>(text, values)).rows,
  };
  beforeAll(async () => {
    await withClient(inject("adminUrl"), (client) => client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`));
    database.url = databaseUrl(inject("adminUrl"), name);
    pool = new pg.Pool({ connectionString: database.url, max: 3 });
    pool.on("error", () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`));
  });
  return database;
}
