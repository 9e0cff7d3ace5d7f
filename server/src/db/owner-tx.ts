import pg from "pg";
import { PrepareFirst } from "./errors.ts";
import type { Sql, Tx } from "./sql.ts";

const MAX_RUNS = 4;

/**
 * One transaction on a separate connection with the login of the URL. Row-level security does not apply to an owner. After `PrepareFirst` it
 * runs again, as every transaction does.
 */
export async function ownerTx<T>(url: string, run: (tx: Tx) => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await runOnce(url, run);
    } catch (error) {
      if (!(error instanceof PrepareFirst) || runs === MAX_RUNS) throw error;
      await error.prepare();
    }
  }
}

async function runOnce<T>(url: string, run: (tx: Tx) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "countersign repair", connectionTimeoutMillis: 5_000 });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("set local timezone = 'UTC'");
    const { rows } = await client.query<{ now: Date }>("select now()");
    const query: Tx["query"] = async <R extends pg.QueryResultRow>(statement: Parameters<Tx["query"]>[0]) => {
      const result = await client.query<R>({ text: statement.text, values: [...(statement as Sql).values] });
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    };
    const result = await run({ now: (rows[0] as { now: Date }).now, query });
    await client.query("commit");
    return result;
  } finally {
    // Closing the connection rolls back a transaction that was not committed.
    await client.end();
  }
}
