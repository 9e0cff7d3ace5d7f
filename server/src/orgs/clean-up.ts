import { repeatBatches } from "../db/repeat-batches.ts";
import type { DomainDeps } from "./domain.ts";
import { deleteExpired, deleteMail, type ExpiredKind, expiredKinds } from "./store.ts";

export type DeletedCounts = Readonly<Record<ExpiredKind | "mail", number>>;

type CleanUpDeps = Pick<DomainDeps, "db" | "mailRetentionDays">;

/** Deletes sessions a day after their end, stored responses after 24 hours, unused quotas, the text of mails with expired links, and more. */
export async function cleanUp({ db, mailRetentionDays }: CleanUpDeps, batch?: number): Promise<DeletedCounts> {
  const counts: [ExpiredKind | "mail", number][] = [];
  const limits = batch === undefined ? {} : { batch };
  for (const kind of expiredKinds)
    counts.push([kind, await repeatBatches((limit) => db.system((tx) => deleteExpired(tx, kind, limit)), limits)]);
  counts.push(["mail", await repeatBatches((limit) => db.system((tx) => deleteMail(tx, mailRetentionDays, limit)), limits)]);
  return Object.fromEntries(counts) as DeletedCounts;
}
