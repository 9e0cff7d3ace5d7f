import pg from "pg";
import { locks, tryHoldLock } from "./locks.ts";

// Long enough for a service that is ending or a command that is closing the database.
const WAIT_MS = 5_000;
const POLL_MS = 100;

/** A lock of one connection. It is released when the process ends, even after a crash. */
export interface ServiceLock {
  /** resolves when the connection is lost, which means that the database is gone */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** Takes the lock that permits only one service on this database; null while another service has it. */
export async function takeServiceLock(url: string, waitMs: number = WAIT_MS): Promise<ServiceLock | null> {
  const client = new pg.Client({ connectionString: url, application_name: "countersign service lock" });
  const lost = new Promise<void>((resolve) => {
    client.once("end", () => resolve());
    // A server that shuts down causes two errors: its shutdown message, then the closed connection.
    client.on("error", () => resolve());
  });
  await client.connect();
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (await tryHoldLock(client, locks.service)) return { lost, release: () => client.end() };
    if (Date.now() >= deadline) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await client.end();
  return null;
}
