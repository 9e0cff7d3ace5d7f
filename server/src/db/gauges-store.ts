import { type SystemTx, sql } from "./sql.ts";

export interface CountedGauge {
  readonly name: string;
  readonly task: string | null;
  readonly value: number;
}

/** Counts of the whole installation, for metrics. */
export async function countGauges(tx: SystemTx): Promise<CountedGauge[]> {
  // Without a backup its age is that of the database, so that an installation that was never backed up raises the alert too.
  const { rows } = await tx.query<CountedGauge & { [column: string]: unknown }>(sql`
    select name, task, value from operations_gauges()
    union all
    select 'backup_age_seconds', null, extract(epoch from now() - coalesce(
      (select backed_up_at from installation_mode), (select min(applied_at) from schema_migrations)))::double precision`);
  return rows;
}
