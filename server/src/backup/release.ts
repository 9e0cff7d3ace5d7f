import { appendAudit, type NewEntry } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import { countWaiting, holdInstallation, lookUpHeld, releaseInstallation, type Waiting } from "../db/mode.ts";
import type { SystemTx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { cancelMailBefore } from "../mail/store.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { lookUpContradiction } from "../transparency/keep-checkpoint.ts";
import { listOrgIds } from "../transparency/note-store.ts";
import { cancelAllPending } from "../webhooks/delivery-store.ts";
import { BackupRefused } from "./backup.ts";
import { recordRestored } from "./record-restored.ts";

export interface ReleaseDeps {
  readonly db: Db;
  readonly storage: StorageDeps;
}

/** What would leave, and what speaks against it. */
export interface Outlook {
  readonly held: { readonly since: Date; readonly by: string };
  readonly waiting: readonly Waiting[];
  /** entries of this log and of the checkpoint in the document store, if this log does not continue that one: an older backup was restored */
  readonly older: { readonly here: number; readonly kept: number } | null;
}

export async function lookAhead({ db, storage }: ReleaseDeps): Promise<Outlook> {
  const { held, waiting } = await db.system(async (tx) => ({ held: await lookUpHeld(tx), waiting: await countWaiting(tx) }));
  if (held === null) throw new BackupRefused("The installation is not held.");
  return { held, waiting, older: await lookUpContradiction({ db, storage }) };
}

export interface Choices {
  /** messages that were queued before this time are withdrawn */
  readonly cancel_mail_before: Date | null;
  readonly cancel_deliveries: boolean;
}

export interface Released {
  readonly messages: number;
  readonly deliveries: number;
}

/** Ends the mode `held`. What is cancelled and the end of the mode are committed together, with an entry in every audit trail. */
export async function release(
  { db }: Pick<ReleaseDeps, "db">,
  by: NewEntry["by"],
  { cancel_mail_before, cancel_deliveries }: Choices,
): Promise<Released> {
  return db.system(async (tx) => {
    await recordRestored(tx, tx.forOrg);
    const messages = cancel_mail_before === null ? 0 : await cancelMailBefore(tx, cancel_mail_before);
    let deliveries = 0;
    if (cancel_deliveries) for (const org of await listOrgIds(tx)) deliveries += await tx.forOrg(org, (own) => cancelAllPending(own, org));
    if (!(await releaseInstallation(tx))) throw new BackupRefused("The installation is not held.");
    // Otherwise messages would wait for the next full minute.
    await enqueue(tx, "mail.resume", {});
    const data = { cancelled_messages: messages, cancelled_deliveries: deliveries };
    await recordEverywhere(tx, { type: "installation.released", by, data });
    return { messages, deliveries };
  });
}

/** False if it is held already. */
export async function hold({ db }: Pick<ReleaseDeps, "db">, by: NewEntry["by"], operator: string): Promise<boolean> {
  return db.system(async (tx) => {
    if (!(await holdInstallation(tx, operator))) return false;
    await recordEverywhere(tx, { type: "installation.held", by, data: {} });
    return true;
  });
}

async function recordEverywhere(tx: SystemTx, entry: NewEntry): Promise<void> {
  for (const org of await listOrgIds(tx)) await tx.forOrg(org, (own) => appendAudit(own, org, entry));
}
