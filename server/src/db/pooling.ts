// Behind a pooler in transaction mode, a connection is another one after each transaction. Locks and settings of a connection are then
// lost, or found by others. So the service must know of such a pooler, and the queue and the owner cannot use one.
import pg from "pg";
import { WrongLogin } from "./fence.ts";

export const WRONG_POOLING = {
  DATABASE_APP_URL:
    "DATABASE_APP_URL leads to a pooler in transaction mode. Set DATABASE_POOLING=transaction, or use the pooler in session mode.",
  DATABASE_QUEUE_URL:
    "DATABASE_QUEUE_URL leads to a pooler in transaction mode, which the job queue cannot use. Connect to PostgreSQL directly or in session mode.",
  DATABASE_URL:
    "DATABASE_URL leads to a pooler in transaction mode, which loses the locks of a migration. Connect to PostgreSQL directly or in session mode.",
} as const;

/**
 * Throws WrongLogin if two connections are one on the server: the second begins a transaction while the first is idle. A pooler that is busy
 * can give them different ones, so passing this is not a proof.
 */
export async function requireSessions(url: string, setting: keyof typeof WRONG_POOLING): Promise<void> {
  const [idle, busy] = [newClient(url), newClient(url)];
  try {
    await Promise.all([idle.connect(), busy.connect()]);
    const first = await backendOf(idle);
    await busy.query("begin");
    const second = await backendOf(busy);
    await busy.query("rollback");
    if (first === second) throw new WrongLogin(WRONG_POOLING[setting]);
  } catch (error) {
    // The error message names the setting to check.
    throw Object.assign(error as object, { login: setting });
  } finally {
    await Promise.all([idle.end(), busy.end()]);
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: "countersign pooling" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  return client;
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}
