import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { rolesOf } from "../signing/field.ts";
import { isActing } from "../signing/submission.ts";
import { changeSent } from "./change-sent.ts";
import { type Choices, chosenOf } from "./choices.ts";
import { keptParty } from "./create-envelope.ts";
import { findFields, listDocuments, prefill } from "./document-store.ts";
import { drafts, type Envelope, type EnvelopeDeps, open, type SecuredParty } from "./envelope.ts";
import { giveOwner } from "./give-owner.ts";
import { refuseUnknownMakers } from "./maker.ts";
import { planRecipients, withoutGaps } from "./plan-recipients.ts";
import { readPrefilled } from "./prefilled.ts";
import {
  type DraftRecipient,
  type GivenRecipients,
  keptRecipients,
  type RecipientInput,
  recipientsOf,
  refuseUnfitRecipients,
  refuseUnknownRecipientRoles,
  rolesOfSigners,
  savedRecipients,
} from "./recipient-input.ts";
import { refuseSentToDrafter } from "./require-own-draft.ts";
import { setTags } from "./set-tags.ts";
import type { SignerInput } from "./signer-input.ts";
import { type EnvelopeColumns, findEnvelope, hasAssignee, json, lockRow, updateEnvelope, wrongStatus } from "./store.ts";
import { writeWords } from "./words-store.ts";

export interface EnvelopeChange extends Choices {
  readonly envelope_name?: string;
  readonly external_id?: string | null;
  readonly kba_required?: boolean;
  readonly auto_vault_enabled?: boolean;
  readonly secured_party?: SecuredParty | null;
  readonly maker_roles?: readonly string[];
  readonly signers?: readonly SignerInput[];
  readonly recipients?: readonly DraftRecipient[];
  readonly tags?: readonly string[];
  readonly owner_user_id?: UserId;
  readonly expires_at?: string;
  /** null takes a value away */
  readonly prefilled_data?: Readonly<Record<string, unknown>>;
}

/**
 * Changes a draft. Members that the request leaves out stay unchanged. Expiry and reminders can be changed while people act, tags and owner
 * in any status.
 */
export function changeEnvelope(
  deps: Pick<EnvelopeDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  change: EnvelopeChange,
  unchanged: (now: Envelope) => void,
): Promise<Envelope> {
  const { org } = caller;
  const given = recipientsOf(change);
  if (given !== undefined) refuseUnfitRecipients(given, "body");
  return deps.db.tx(org, async (tx) => {
    const now = await lockRow(tx, org, envelope_id);
    unchanged(now);
    refuseSentToDrafter(caller, now);
    const { tags, owner_user_id, ...others } = change;
    if (isForSent(others, now)) await changeSent(tx, caller, now, others);
    else {
      const columns = columnsOf(change, given, now);
      const isDraftChange = Object.keys(columns).length > 0 || change.prefilled_data !== undefined || Object.keys(change).length === 0;
      if (isDraftChange) await changeDraft(tx, caller, now, change, given, columns);
    }
    if (tags !== undefined) await setTags(tx, caller, now, tags);
    if (owner_user_id !== undefined) await giveOwner(tx, caller, now, owner_user_id);
    return findEnvelope(tx, org, envelope_id);
  });
}

/** A date of expiry belongs to an envelope that was sent: a draft has a number of days. Reminders belong to both. */
function isForSent(change: EnvelopeChange, { status }: Envelope): boolean {
  if (change.expires_at === undefined) return open.includes(status) && Object.keys(change).join() === "reminders";
  const isOther = Object.keys(change).some((member) => member !== "expires_at" && member !== "reminders");
  if (!open.includes(status) || isOther) throw wrongStatus("change", status);
  return true;
}

/** Under the lock of the draft. */
export async function changeDraft(
  tx: Tx,
  caller: Caller,
  now: Envelope,
  change: EnvelopeChange,
  given: GivenRecipients | undefined,
  columns: EnvelopeColumns,
): Promise<void> {
  const { org } = caller;
  const { envelope_id, status } = now;
  if (!drafts.includes(status)) throw wrongStatus("change", status);
  if (change.secured_party !== undefined && (await hasAssignee(tx, org, envelope_id))) throw new Problem("secured_party_on_record");
  const fields = await findFields(tx, org, envelope_id);
  const roles = rolesOf(fields.filter((field) => field.role !== null) as { role: string }[]);
  if (given !== undefined) {
    const named = (await listDocuments(tx, org, envelope_id)).flatMap((document) => document.roles);
    refuseUnknownRecipientRoles(given, { named, placed: roles }, "body");
  }
  const ofSigners = rolesOfSigners(given?.people ?? savedRecipients(now.signers));
  refuseUnknownMakers(change.maker_roles ?? [], { record_type: now.record_type, roles: [...new Set([...roles, ...ofSigners])] });
  const prefilled = change.prefilled_data === undefined ? null : readPrefilled(change.prefilled_data, fields);
  if (prefilled !== null) await prefill(tx, org, envelope_id, prefilled);
  if (Object.keys(columns).length === 0 && prefilled === null) return;
  await updateEnvelope(tx, org, envelope_id, columns);
  if (SEARCHED.some((column) => column in columns)) await writeWords(tx, org, envelope_id);
  await appendAudit(tx, org, {
    type: "envelope.changed",
    by: caller,
    envelope_id,
    data: { fields: [...namesOf(columns), ...(prefilled === null ? [] : ["prefilled_data"])] },
  });
}

const SEARCHED = ["envelope_name", "external_id", "signers"] as const satisfies readonly (keyof EnvelopeColumns)[];

/** The members that the request contains. */
const namesOf = (columns: object): string[] => [
  ...new Set(Object.keys(columns).map((column) => (column.startsWith("remind_") ? "reminders" : column))),
];

function columnsOf(change: EnvelopeChange, given: GivenRecipients | undefined, now: Envelope): EnvelopeColumns {
  const { envelope_name, external_id, kba_required, auto_vault_enabled, secured_party, maker_roles } = change;
  const named: { readonly [C in keyof EnvelopeColumns]: EnvelopeColumns[C] | undefined } = {
    envelope_name,
    external_id,
    kba_required,
    auto_vault_enabled,
    secured_party: secured_party === undefined ? undefined : json(secured_party === null ? null : keptParty(secured_party)),
    maker_roles,
    signers: given === undefined ? undefined : JSON.stringify(keptRecipients(withoutGaps(given.people))),
    ...chosenOf(change),
    ...orderOf(change, given, now),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as EnvelopeColumns;
}

/** With steps, the people decide the order. Without them, an order that was made from steps ends with those. */
function orderOf(change: EnvelopeChange, given: GivenRecipients | undefined, now: Envelope): Pick<EnvelopeColumns, "signing_order"> {
  if (given === undefined && change.signing_order === undefined) return {};
  const people = given?.people ?? savedRecipients(now.signers);
  const before = given !== undefined && now.signing_order === "steps" && !isStepped(people) ? "sequential" : now.signing_order;
  const { signing_order } = planRecipients(people, change.signing_order ?? before);
  if (given === undefined && signing_order !== change.signing_order) {
    throw invalidField("signing_order", "conflict", "the recipients have steps. Send recipients without steps to choose another order");
  }
  return signing_order === now.signing_order && change.signing_order === undefined ? {} : { signing_order };
}

const isStepped = (people: readonly RecipientInput[]): boolean =>
  people.some((person) => isActing(person) && typeof person.step === "number");
