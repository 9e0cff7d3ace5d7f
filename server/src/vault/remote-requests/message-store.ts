import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId, RemoteVaultId } from "../../shared/ids.ts";
import type { SignedMessage } from "../links/link.ts";
import type { ActMessageKind, Question, Side } from "./request.ts";

/** The SQL of messages about acts, of either side. */

export interface KeptActMessage extends SignedMessage {
  readonly kind: ActMessageKind;
  readonly at: Date;
}

/** Keeps the first of its kind. */
export async function keepActMessage(
  tx: Tx,
  org: OrgId,
  { vault_id, act_id, party_id }: Omit<Question, "org_id">,
  kind: ActMessageKind,
  { bytes, signature }: SignedMessage,
): Promise<void> {
  await tx.query(sql`
    insert into act_messages (org_id, vault_id, act_id, party_id, kind, bytes, signature)
    values (${org}, ${vault_id}, ${act_id}, ${party_id}, ${kind}, ${bytes}, ${signature}) on conflict do nothing`);
}

export async function lookUpActMessage(
  read: Read,
  org: OrgId,
  { vault_id, act_id, party_id }: Omit<Question, "org_id">,
  kind: ActMessageKind,
): Promise<KeptActMessage | null> {
  const { rows } = await read.query<KeptActMessage>(sql`
    select kind, bytes, signature, at from act_messages
    where org_id = ${org} and vault_id = ${vault_id} and act_id = ${act_id} and party_id = ${party_id} and kind = ${kind}`);
  return rows[0] ?? null;
}

/** Those about an act, to all installations that it asks; or about one request, whose vault may use the same ids as another. */
export async function listActMessages(
  read: Read,
  org: OrgId,
  { act_id, vault_id }: { readonly act_id: string; readonly vault_id?: RemoteVaultId },
): Promise<KeptActMessage[]> {
  const ofVault = vault_id === undefined ? sql`` : sql`and vault_id = ${vault_id}`;
  const { rows } = await read.query<KeptActMessage>(sql`
    select kind, bytes, signature, at from act_messages where org_id = ${org} and act_id = ${act_id} ${ofVault} order by at, kind`);
  return rows;
}

export interface DueQuestion extends Question {
  readonly side: Side;
}

export async function findDueActMessages(tx: Tx, limit: number): Promise<DueQuestion[]> {
  const { rows } = await tx.query<DueQuestion>(sql`
    select org_id, vault_id, act_id, party_id, side from find_due_act_messages(${limit})`);
  return rows;
}
