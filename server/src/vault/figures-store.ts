import { type Read, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Standing } from "./store.ts";

/** What the vault holds, in figures. */

type Counts = Readonly<Partial<Record<Standing, number>>>;

export interface VaultFigures {
  readonly by_standing: Counts;
  /** those of them that are tampered */
  readonly tampered: Counts;
}

interface Row {
  readonly standing: Standing;
  readonly is_tampered: boolean;
  readonly n: number;
}

/**
 * The list of the vault, counted by standing. Both counts are read from indexes: the first has the standing of every record, and the second
 * only the tampered ones, of which there should be none.
 */
export async function countVault(read: Read, org: OrgId): Promise<VaultFigures> {
  const { rows } = await read.query<Row>(sql`
    select standing, false as is_tampered, count(*)::int as n from authoritative_copies
    where org_id = ${org} and vault_no is not null group by standing
    union all
    select standing, true, count(*)::int from authoritative_copies
    where org_id = ${org} and vault_no is not null and state = 'tampered' group by standing`);
  const counts = (tampered: boolean): Counts =>
    Object.fromEntries(rows.filter(({ is_tampered }) => is_tampered === tampered).map(({ standing, n }) => [standing, n]));
  return { by_standing: counts(false), tampered: counts(true) };
}
