import { sql, type Tx } from "../db/sql.ts";
import type { UserId } from "../shared/ids.ts";

/** The SQL for changes of a person's e-mail address. These rows belong to a person, not to an org. */

export interface NewEmailChange {
  readonly user_id: UserId;
  readonly new_email: string;
  readonly life_seconds: number;
}

/** Replaces the change that waits. False if another account has the address; then nothing waits. */
export async function addEmailChange(tx: Tx, token_hash: Buffer, { user_id, new_email, life_seconds }: NewEmailChange): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`
    select begin_email_change(${token_hash}, ${user_id}, ${new_email}, make_interval(secs => ${life_seconds})) as done`);
  return rows[0]?.done === true;
}

export async function deleteEmailChange(tx: Tx, user_id: UserId): Promise<void> {
  await tx.query(sql`select cancel_email_change(${user_id})`);
}

export interface EmailMove {
  readonly user_id: UserId;
  readonly from: string;
  readonly to: string;
}

/** `taken`: another account has the address by now. Null if the link is not valid. */
export async function confirmChange(
  tx: Tx,
  token_hash: Buffer,
  undo_hash: Buffer,
  undo_seconds: number,
): Promise<EmailMove | "taken" | null> {
  const { rows } = await tx.query<EmailMove & { outcome: "changed" | "taken" }>(sql`
    select outcome, user_id, old_email as from, new_email as to
    from confirm_email_change(${token_hash}, ${undo_hash}, make_interval(secs => ${undo_seconds}))`);
  return moveOf(rows[0]);
}

export interface UndoneMove extends EmailMove {
  /** when the change was requested that is reversed */
  readonly requested_at: Date;
}

/** Gives the account its old address again. */
export async function undoChange(tx: Tx, undo_hash: Buffer): Promise<UndoneMove | "taken" | null> {
  const { rows } = await tx.query<UndoneMove & { outcome: "undone" | "taken" }>(sql`
    select outcome, user_id, undone_email as from, email as to, requested_at from undo_email_change(${undo_hash})`);
  return moveOf(rows[0]);
}

function moveOf<Move extends EmailMove>(row: (Move & { readonly outcome: string }) | undefined): Move | "taken" | null {
  if (row === undefined) return null;
  return row.outcome === "taken" ? "taken" : row;
}
