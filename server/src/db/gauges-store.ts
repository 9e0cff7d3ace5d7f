import { type SystemTx, sql } from "./sql.ts";

export interface CountedGauge {
  readonly name: string;
  readonly task: string | null;
  readonly value: number;
}

/** Counts of the whole installation, for metrics. */
export async function countGauges(tx: SystemTx): Promise<CountedGauge[]> {
  const { rows } = await tx.query<CountedGauge & { [column: string]: unknown }>(sql`select name, task, value from operations_gauges()`);
  return rows;
}
