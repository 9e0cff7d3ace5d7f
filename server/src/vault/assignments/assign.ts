import { hashOfJson, namesSomebody } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { keptParty } from "../../envelopes/create-envelope.ts";
import type { SecuredParty, Status } from "../../envelopes/envelope.ts";
import { lockRow, wrongStatus } from "../../envelopes/store.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lockCopyById, lookUpCopy } from "../copy-store.ts";
import type { Assignment, Consent } from "./assignment.ts";
import { recordAssignee } from "./record-assignee.ts";
import { lookUpAssignee } from "./store.ts";

/** Names the first secured party. A party that is already on record can only be replaced with its consent. */
export function designateParty(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  party: SecuredParty,
): Promise<Assignment> {
  const { org } = caller;
  refusePlaceholderName(party, "name");
  return deps.db.tx(org, async (tx) => {
    await lockAssignable(tx, org, envelope_id);
    if ((await lookUpAssignee(tx, org, envelope_id)) !== null) throw new Problem("secured_party_on_record");
    return recordAssignee(tx, caller, envelope_id, { party, consent: null });
  });
}

export interface ConsentGiven {
  readonly method: "written" | "email_confirmation";
  readonly given_by: { readonly name: string; readonly email?: string };
  readonly statement?: string;
  readonly given_at: string;
}

/** `present_seq`: the register entry of the party that consents. Another assignment may have been recorded in the meantime. */
export interface AssignmentInput {
  readonly party: SecuredParty;
  readonly consent: ConsentGiven;
  readonly present_seq?: number | undefined;
}

/** Assigns the record to another party. The caller attests that the present party consents. */
export async function assignRecord(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  { party, consent: given, present_seq }: AssignmentInput,
): Promise<Assignment> {
  const { org } = caller;
  const consent = consentOf(given);
  refusePlaceholderName(party, "secured_party.name");
  return deps.db.tx(org, async (tx) => {
    await lockAssignable(tx, org, envelope_id);
    if (new Date(consent.given_at) > tx.now) throw invalidField("consent.given_at", "out_of_range", "must not be in the future");
    const present = await lookUpAssignee(tx, org, envelope_id);
    if (present === null) throw new Problem("secured_party_missing");
    if (present_seq !== undefined && present_seq !== present.seq) throw new Problem("assignee_changed");
    if (hashOfJson(keptParty(party)) === present.party_sha256)
      throw invalidField("secured_party", "conflict", "is already the secured party");
    return recordAssignee(tx, caller, envelope_id, { party, consent });
  });
}

/** Register entries are permanent, so a name that check 8 would not accept is refused here. */
function refusePlaceholderName({ name }: SecuredParty, field: string): void {
  if (!namesSomebody(name)) throw invalidField(field, "invalid_value", "must name the party, with at least two letters or digits");
}

function consentOf({ method, given_by, statement, given_at }: ConsentGiven): Consent {
  if (method === "email_confirmation") {
    const message = "must be written. Confirmation by e-mail is not available in this version";
    throw invalidField("consent.method", "invalid_value", message);
  }
  // Normalizes the time to one format.
  const at = new Date(given_at).toISOString();
  return { method, given_by: { name: given_by.name, email: given_by.email ?? null }, statement: statement ?? null, given_at: at };
}

const ended: readonly Status[] = ["voided", "declined", "expired"];

/** An escrowed or exported copy was packed together with its register, so a later entry would not be visible where the copy is. */
async function lockAssignable(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  const { status } = await lockRow(tx, org, envelope_id);
  if (ended.includes(status)) throw wrongStatus("assign", status);
  const copy = await lookUpCopy(tx, org, envelope_id);
  if (copy !== null) requireState(await lockCopyById(tx, org, copy.copy_id), "active", "tampered");
}
