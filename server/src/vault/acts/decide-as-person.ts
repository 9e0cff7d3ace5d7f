import type { SystemTx } from "../../db/sql.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { type ActId, isId, type OrgId, type PersonId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import type { ActToDecide, PeopleDeps } from "../people/person.ts";
import { type DecisionCredential, proveDecision } from "../people/prove-decision.ts";
import { isOpen } from "./act.ts";
import { type DecisionInput, recordDecision } from "./decide-act.ts";
import { readDocument } from "./document.ts";
import { listRequestsOfPerson, lookUpActOfPerson } from "./person-store.ts";
import { type ActOfOther, findActOfOther } from "./read-act.ts";
import { findAct } from "./store.ts";
import { summaryOf } from "./summary.ts";

/** An act, and for which of its parties the person decides. */
export interface RequestOfPerson {
  readonly act: ActOfOther;
  readonly party_ids: readonly string[];
}

/** An act of some organization that asks one of the person's parties. 404 for everyone else. */
export async function findActOfPerson(
  deps: Pick<VaultDeps, "db">,
  person_id: PersonId,
  act_id: ActId,
): Promise<RequestOfPerson & { readonly org: OrgId }> {
  const found = await deps.db.system((tx) => lookUpActOfPerson(tx, person_id, act_id));
  if (found === null) throw new Problem("act_not_found");
  const { org_id: org, party_ids } = found;
  return { org, act: await deps.db.tx(org, (tx) => findActOfOther(tx, org, act_id)), party_ids };
}

/** `credential` is null for a refusal: what a passkey signs is the act alone, and would pass for a confirmation. */
type PersonDecision = DecisionInput & { readonly credential: DecisionCredential | null };

/**
 * The person decides for their party. A confirmation needs a passkey that signs the act, or a code that was mailed for it; the proof is
 * checked before the transaction and used up in it. For a refusal the session is enough.
 */
export async function decideAsPerson(
  deps: PeopleDeps,
  caller: PersonCaller,
  act_id: ActId,
  input: PersonDecision,
): Promise<RequestOfPerson> {
  const { person } = caller;
  const { org, act, party_ids } = await findActOfPerson(deps, person.person_id, act_id);
  if (!isOpen(act)) throw new Problem("act_closed", "", { words: { state: act.state } });
  if (input.sha256 !== act.sha256) throw invalidField("sha256", "conflict", "is not the hash of this act");
  const prepared = input.credential === null ? null : await proveDecision.prepare(deps, caller, act, input.credential);
  return deps.db.tx(org, async (tx) => {
    const proven = prepared === null ? null : await proveDecision.save(tx, prepared);
    const { method, proof } = proven === null ? { method: person.began_with, proof: null } : { ...proven, proof: { ...proven.proof } };
    const { actor, ip, user_agent, request_id } = caller;
    const principal = { id: person.person_id, email: person.email.toLowerCase() };
    const isAsked = ({ party_id }: { readonly party_id: string | null }): boolean => party_id !== null && party_ids.includes(party_id);
    const decider = { actor, ip, user_agent, request_id, principal, method, proof, isAsked };
    const decided = await recordDecision(tx, org, act_id, decider, input);
    return { act: { ...decided, org_name: act.org_name }, party_ids };
  });
}

// More than a person can read; the rest is found by its link.
const MAX_REQUESTS = 200;

export async function listRequestsFor(deps: Pick<VaultDeps, "db">, { person }: PersonCaller): Promise<RequestOfPerson[]> {
  const all = await deps.db.system((tx) => listRequestsOfPerson(tx, person.person_id, MAX_REQUESTS));
  const requests: RequestOfPerson[] = [];
  for (const { org_id, act_id } of all) {
    requests.push(
      await deps.db.tx(org_id, async (tx) => ({
        act: await findActOfOther(tx, org_id, act_id),
        party_ids: (await lookUpActOfPerson(tx, person.person_id, act_id))?.party_ids ?? [],
      })),
    );
  }
  return requests;
}

/** For the mail with a code. Null if the person cannot decide on it now. */
export async function lookUpActToDecide(tx: SystemTx, person_id: PersonId, act_id: string): Promise<ActToDecide | null> {
  if (!isId("act", act_id)) return null;
  const found = await lookUpActOfPerson(tx, person_id, act_id);
  if (found === null) return null;
  const act = await tx.forOrg(found.org_id, (inside) => findAct(inside, found.org_id, act_id));
  return isOpen(act) ? { sha256: act.sha256, summary: summaryOf(readDocument(act)) } : null;
}
