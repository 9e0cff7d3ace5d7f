import { hashOfJson, namesSomebody } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { keptParty } from "../../envelopes/create-envelope.ts";
import type { SecuredParty, Status } from "../../envelopes/envelope.ts";
import { lockRow, wrongStatus } from "../../envelopes/store.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { type Control, canConfirm, controlOf } from "../acts/control.ts";
import { proposeDesignation } from "../acts/propose-designation.ts";
import { raiseControlVersion, setController } from "../acts/register-store.ts";
import { supersedeOpenActs } from "../acts/take-effect.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lockCopyById, lookUpCopy } from "../copy-store.ts";
import { listPeople } from "../parties/store.ts";
import { refuseGated } from "../registry/refuse-gated.ts";
import type { Assignment, WrittenConsent } from "./assignment.ts";
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
    const control = await lockAssignable(tx, org, envelope_id);
    if ((await lookUpAssignee(tx, org, envelope_id)) !== null) throw new Problem("secured_party_on_record");
    if (control !== null && control.pledges.length > 0) throw new Problem("confirmation_required");
    return recordChange(tx, caller, envelope_id, control, { party, consent: null });
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

/**
 * Assigns the record to another party. The caller attests that the present party consents. Where parties must confirm for themselves, an act
 * `assign` is needed instead.
 */
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
    const control = await lockAssignable(tx, org, envelope_id);
    if (new Date(consent.given_at) > tx.now) throw invalidField("consent.given_at", "out_of_range", "must not be in the future");
    const present = await lookUpAssignee(tx, org, envelope_id);
    if (present === null) throw new Problem("secured_party_missing");
    if (control !== null) await refuseUnconfirmed(tx, control);
    if (present_seq === undefined) throw invalidField("present_seq", "required", "is needed: the seq of the party that consents");
    if (present_seq !== present.seq) throw new Problem("assignee_changed");
    if (hashOfJson(keptParty(party)) === present.party_sha256)
      throw invalidField("secured_party", "conflict", "is already the secured party");
    await refuseOtherConsent(tx, org, present, consent);
    return recordChange(tx, caller, envelope_id, control, { party, consent });
  });
}

/** Written consent on the caller's word is not enough where parties confirm for themselves, or where a pledge stands. */
async function refuseUnconfirmed(tx: Tx, control: Control): Promise<void> {
  await refuseGated(tx, control.org, "assign");
  if (control.pledges.length > 0) throw new Problem("confirmation_required");
  if (control.policy === "attested") return;
  if (!(await canConfirm(tx, control.org, control.party))) {
    throw new Problem("party_not_enrolled", "", { words: { party: control.assignee?.party.name ?? "" } });
  }
  throw new Problem("confirmation_required");
}

/** The consent is that of the present party: not from before it was one, and from one of its people if it has any. */
async function refuseOtherConsent(tx: Tx, org: OrgId, { party_id, recorded_at }: Assignment, consent: WrittenConsent): Promise<void> {
  // A consent is usually dated without a time of day.
  if (new Date(consent.given_at).getTime() < startOfDay(recorded_at)) {
    throw invalidField("consent.given_at", "out_of_range", "is before the present party was recorded");
  }
  const people = party_id === null ? [] : await listPeople(tx, org, party_id);
  const email = consent.given_by.email?.toLowerCase();
  if (people.length > 0 && !people.some((person) => person.email.toLowerCase() === email)) {
    throw invalidField("consent.given_by.email", "invalid_value", "must be the address of a person who acts for the present party");
  }
}

const startOfDay = (at: Date): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());

/** A vaulted record changes its version of control, and the party is asked if it has an e-mail address. */
async function recordChange(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  control: Control | null,
  change: { readonly party: SecuredParty; readonly consent: WrittenConsent | null },
): Promise<Assignment> {
  const row = await recordAssignee(tx, caller, envelope_id, change);
  if (control === null) return row;
  const { org, copy, envelope } = control;
  await raiseControlVersion(tx, org, copy);
  await setController(tx, org, envelope_id, null);
  await supersedeOpenActs(tx, control);
  const raised = { ...copy, control_version: copy.control_version + 1 };
  await proposeDesignation(tx, caller, await controlOf(tx, org, envelope, raised));
  return (await lookUpAssignee(tx, org, envelope_id)) ?? row;
}

/** Register entries are permanent, so a name that check 8 would not accept is refused here. */
function refusePlaceholderName({ name }: SecuredParty, field: string): void {
  if (!namesSomebody(name)) throw invalidField(field, "invalid_value", "must name the party, with at least two letters or digits");
}

function consentOf({ method, given_by, statement, given_at }: ConsentGiven): WrittenConsent {
  if (method === "email_confirmation") {
    const message = "must be written. A party that has people confirms an act of kind assign itself";
    throw invalidField("consent.method", "invalid_value", message);
  }
  // Normalizes the time to one format.
  const at = new Date(given_at).toISOString();
  return { method, given_by: { name: given_by.name, email: given_by.email ?? null }, statement: statement ?? null, given_at: at };
}

const ended: readonly Status[] = ["voided", "declined", "expired"];

/** An escrowed or exported copy was packed together with its register, so a later entry would not be visible where the copy is. */
async function lockAssignable(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Control | null> {
  const envelope = await lockRow(tx, org, envelope_id);
  if (ended.includes(envelope.status)) throw wrongStatus("assign", envelope.status);
  const found = await lookUpCopy(tx, org, envelope_id);
  if (found === null) return null;
  const copy = await lockCopyById(tx, org, found.copy_id);
  requireState(copy, "active", "tampered");
  return controlOf(tx, org, envelope, copy);
}
