import type { MayLeave } from "../shared/departures.ts";
import type { Db } from "./connect.ts";
import { named, type Read, sql, type Tx } from "./sql.ts";

/** A held installation works as always, but nothing leaves it (docs/operations.md, "Held"). */
export interface Held {
  readonly since: Date;
  /** who held it: a user of the operating system, or `restore` */
  readonly by: string;
}

/** Null: it is not held. */
export async function lookUpHeld(read: Read): Promise<Held | null> {
  const { rows } = await read.query<{ held_since: Date | null; held_by: string | null }>(
    named("look-up-held")`select held_since, held_by from installation_mode`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the table installation_mode has no row");
  return row.held_since === null || row.held_by === null ? null : { since: row.held_since, by: row.held_by };
}

/** False if it is held already. */
export async function holdInstallation(tx: Tx, by: string): Promise<boolean> {
  const { rows } = await tx.query<{ held: boolean }>(sql`select hold_installation(${by}) as held`);
  return rows[0]?.held === true;
}

/** False if it is not held. */
export async function releaseInstallation(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ released: boolean }>(sql`select release_installation() as released`);
  return rows[0]?.released === true;
}

export interface Waiting {
  readonly what: string;
  readonly waiting: number;
  readonly oldest: Date | null;
}

export async function countWaiting(read: Read): Promise<Waiting[]> {
  const { rows } = await read.query<Waiting>(sql`select what, waiting::int, oldest from waiting_to_leave()`);
  return rows;
}

// A thousand deliveries a second must not ask a thousand times. Who holds an installation waits this long before nothing leaves any more.
export const REMEMBERED_MS = 1_000;

/** Asks the database at most once a second. If it is away, so is the answer. */
export function mayLeaveOf(db: Db): MayLeave {
  let asked_at = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (performance.now() - asked_at > REMEMBERED_MS) {
      asked_at = performance.now();
      answer = db.system(async (tx) => (await lookUpHeld(tx)) === null);
      answer.catch(() => {
        asked_at = Number.NEGATIVE_INFINITY;
      });
    }
    return answer;
  };
}
