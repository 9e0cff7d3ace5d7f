import pg from "pg";

// Any number works as long as nobody else uses it in this database.
const SERVICE_LOCK = 5_012_002;

// A service that is just ending, or a command that is closing the database, is waited for; a living one is not.
const WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** A lock of one connection: it dies with the process, however that dies. */
export interface ServiceLock {
  /** resolves when the connection is lost, which means that the database is */
  readonly lost: Promise<void>;
}

/** The right to be the one service of this database, or null while another has it. */
export async function takeServiceLock(url: string, waitMs: number = WAIT_MS): Promise<ServiceLock | null> {
  const client = new pg.Client({ connectionString: url, application_name: "countersign service lock" });
  const lost = new Promise<void>((resolve) => {
    client.once("end", () => resolve());
    // A server that ends reports twice: its farewell, then the broken connection.
    client.on("error", () => resolve());
  });
  await client.connect();
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [SERVICE_LOCK]);
    if (rows[0]?.held === true) return { lost };
    if (Date.now() >= deadline) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  await client.end();
  return null;
}
