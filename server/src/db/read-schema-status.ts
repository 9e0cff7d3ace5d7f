import pg from "pg";
import { listOpenBackfills, listProcesses, type OpenBackfill, type RunningProcess } from "./heartbeats.ts";
import { type Applied, isContract, LIST_APPLIED, type Migration, newestOf, pendingAfter, worksWithOf } from "./migrate.ts";

export interface SchemaStatus {
  /** the number of the newest migration of the database; null if it has none */
  readonly database: string | null;
  readonly program: number;
  /** to be applied by `migrate` */
  readonly missing: readonly string[];
  /** to be applied by `migrate --contract` */
  readonly waiting: readonly { readonly name: string; readonly works_with: number }[];
  readonly processes: readonly RunningProcess[];
  readonly backfills: readonly OpenBackfill[];
}

/** Reads only. A database that is newer than the program is refused. */
export async function readSchemaStatus(ownerUrl: string, wanted: readonly Migration[]): Promise<SchemaStatus> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "countersign migrate" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('schema_migrations') is not null as known");
    const isEmpty = rows[0]?.known !== true;
    const applied = isEmpty ? [] : (await client.query<Applied>(LIST_APPLIED)).rows;
    const pending = pendingAfter(applied, wanted);
    const has = async <T>(table: string, list: (of: pg.Client) => Promise<T[]>): Promise<T[]> => {
      const { rows: found } = await client.query("select to_regclass($1) is not null as known", [table]);
      return found[0]?.known === true ? list(client) : [];
    };
    return {
      database: applied.at(-1)?.name ?? null,
      program: newestOf(wanted),
      missing: pending.filter((one) => !isContract(one)).map(({ name }) => name),
      waiting: pending.filter(isContract).map((one) => ({ name: one.name, works_with: worksWithOf(one) ?? 0 })),
      processes: await has("worker_heartbeats", listProcesses),
      backfills: await has("backfills", listOpenBackfills),
    };
  } finally {
    await client.end();
  }
}
