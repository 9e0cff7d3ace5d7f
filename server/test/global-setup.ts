import { rm } from "node:fs/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { newMemoryFolder } from "../../testing/memory-folder.ts";
import { startEmbedded } from "../src/db/embedded.ts";
import { ensureEmbeddedLogins } from "../src/db/logins.ts";
import { migrate } from "../src/db/migrate.ts";
import { migrateQueue } from "../src/jobs/queue-schema.ts";

export const TEMPLATE = "countersign_template";

// Durability is tested elsewhere. Here it would only cost time.
const NOT_DURABLE = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

declare module "vitest" {
  interface ProvidedContext {
    adminUrl: string;
    appUrl: string;
    queueUrl: string;
  }
}

/** One real PostgreSQL for the whole run, with one migrated database that every test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await newMemoryFolder("countersign-test-");
  const server = await startEmbedded({ dataDir, settings: { ...NOT_DURABLE, max_connections: "300" } });
  await withClient(server.url, (client) => client.query(`create database ${TEMPLATE}`));
  const template = databaseUrl(server.url, TEMPLATE);
  await ensureEmbeddedLogins(server.url, server.logins);
  await migrate(template);
  await migrateQueue(template);
  project.provide("adminUrl", server.url);
  project.provide("appUrl", server.appUrl);
  project.provide("queueUrl", server.queueUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
