import type { Json } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { hasEntry, lookUpMinters } from "../../audit/entries.ts";
import type { Tx } from "../../db/sql.ts";
import { SYSTEM_ID, type WidgetCaller } from "../../shared/caller.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import { type ProvenRecord, provenRecord } from "../proven-record.ts";
import { type FinalValue, finalValuesIn, stateHash } from "../signed-content.ts";
import { markNameShown } from "../store.ts";
import { refuseEnded, type SentEnvelope, type SigningDeps } from "../submission.ts";
import { type Ceremony, canViewDocument, ceremonyOf, look, refuseOtherSession } from "./ceremony.ts";
import { type Filled, filledIn } from "./filled.ts";
import { insertSession } from "./store.ts";

/** Everything that the page needs to start. */
export interface Opened extends Ceremony {
  readonly server_time: Date;
  readonly logo: Uint8Array | null;
  readonly token_renewable: boolean;
  /** null if the holder cannot see it */
  readonly content: Content | null;
}

export interface Content {
  readonly document: ProvenRecord["document"];
  /** compared with the audit chain */
  readonly recipients: ProvenRecord["recipients"];
  readonly state_sha256: string;
  /** values in the document that other people entered */
  readonly others: readonly FinalValue[];
  /** what this signer or approver has entered; null for people who fill in nothing */
  readonly filled: Filled | null;
}

/**
 * Everything that the page needs to start. Opening is recorded once per signing session. When the page asks again, for example while it
 * waits for a turn, the envelope is not locked. Changes made directly in the database are detected before anything is shown.
 */
export function openSigning(deps: SigningDeps, who: WidgetCaller): Promise<Opened> {
  return notingMismatch(deps, who.org, () =>
    deps.db.tx(who.org, async (tx) => {
      const before = await look(deps, tx, who);
      const known = await wasOpened(tx, who, before);
      const ceremony = known ? before : await recordOpening(deps, tx, who);
      if (ceremony.you !== null && ceremony.you.renamed_at !== null) await markNameShown(tx, who.org, ceremony.you);
      const isShown = canViewDocument(ceremony);
      const record = isShown || !known ? await provenRecord(deps, tx, who.org, who.holder.envelope_id) : null;
      const content = isShown && record !== null ? await contentOf(deps, tx, who, ceremony, record) : null;
      const token_renewable = await isOfForm(tx, who, ceremony.envelope);
      return { ...ceremony, server_time: tx.now, logo: await deps.lookUpLogo(tx, who.org), token_renewable, content };
    }),
  );
}

async function contentOf(
  deps: SigningDeps,
  tx: Tx,
  { org }: WidgetCaller,
  { state, you }: Ceremony,
  record: ProvenRecord,
): Promise<Content> {
  const { document, recipients, signed } = record;
  const final = finalValuesIn(document, signed);
  const filled = you !== null && you.kind !== "viewer" && state === "ready" ? await filledIn(deps, tx, org, you, document) : null;
  const isOwn = ({ step, slug }: FinalValue) => slug === null && step.role === you?.role && filled !== null;
  return { document, recipients, state_sha256: stateHash(document, final), others: final.filter((one) => !isOwn(one)), filled };
}

async function recordOpening(deps: SigningDeps, tx: Tx, who: WidgetCaller): Promise<Ceremony> {
  const { org, holder } = who;
  const { envelope_id, user_email, credential, signing_session, slug } = holder;
  const envelope = await deps.lockEnvelope(tx, org, envelope_id);
  refuseEnded(envelope);
  // The page sends its first calls at once. A call that waited for the lock finds the entry of the other.
  const isNew = slug === null ? !(await hasViewed(tx, who)) : await insertSession(tx, who, slug);
  if (isNew) {
    const type = slug === null ? "viewer.opened" : who.actor.kind === "recipient" ? "recipient.opened" : "signer.opened";
    const data = { user_email, credential, signing_session, ...(await openedWith(tx, who)) };
    await appendAudit(tx, org, { type, by: who, envelope_id, data });
  }
  return ceremonyOf(deps, tx, who, envelope);
}

/** Whether the token is one that a public form gave its visitor: no key or member asked for it. */
export async function isOfForm(tx: Tx, { org, holder }: WidgetCaller, { form }: Pick<SentEnvelope, "form">): Promise<boolean> {
  const { envelope_id, credential, token_sha256 } = holder;
  if (form === null || credential !== "embed_token") return false;
  return (await lookUpMinters(tx, org, envelope_id, token_sha256)) === SYSTEM_ID;
}

/** How the person who opened it got the link or token. The certificate shows it. */
async function openedWith(tx: Tx, { org, holder }: WidgetCaller): Promise<Record<string, Json>> {
  const { link, envelope_id, token_sha256 } = holder;
  if (link === null) return { issued_by: await lookUpMinters(tx, org, envelope_id, token_sha256) };
  const { kind, message_id, mail_sent_at, issued_by } = link;
  if (kind === "mailed") return { link_kind: kind, message_id, mail_sent_at: mail_sent_at?.toISOString() ?? null };
  return { link_kind: kind, ...(issued_by !== null && { issued_by }) };
}

/** Whether the page was opened in this session. */
async function wasOpened(tx: Tx, who: WidgetCaller, { own }: Pick<Ceremony, "own">): Promise<boolean> {
  if (who.holder.slug === null) return hasViewed(tx, who);
  refuseOtherSession(who, own);
  return own !== null && own.session !== null;
}

/** Viewers have no row, because nothing that they do can be evidence. */
function hasViewed(tx: Tx, { org, holder }: WidgetCaller): Promise<boolean> {
  const { envelope_id, user_email, signing_session } = holder;
  return hasEntry(tx, org, { type: "viewer.opened", envelope_id, user_email, signing_session });
}

/**
 * Every action of a signer belongs to a signing session, which starts with the first call of the page. Throws RecordMismatch, as opening
 * does.
 */
export async function ensureOpened(deps: SigningDeps, tx: Tx, who: WidgetCaller, before: Pick<Ceremony, "own">): Promise<void> {
  if (await wasOpened(tx, who, before)) return;
  await recordOpening(deps, tx, who);
  await provenRecord(deps, tx, who.org, who.holder.envelope_id);
}
