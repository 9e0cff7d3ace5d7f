import type { Facts2 } from "../../../facts-2.ts";
import { custodian as inRules1 } from "../../1/checks/03-custodian.ts";
import { approvalOf, effectiveRows, gradeOfApproval, memberOf } from "../control.ts";
import { attested, type Graded } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

export const custodian = fromRules1(inRules1, (facts) => custodianDesignation(facts) ?? BY_DEPOSITOR);

const BY_DEPOSITOR = attested("The depositing organization designated the custodian; no designation by the secured party is recorded.");

/** The latest act by which the present secured party named the present custodian; null if there is none. */
export function custodianDesignation(facts: Facts2): Graded | null {
  const party = effectiveRows(facts).at(-1);
  const user_id = facts.permissions.find(({ state }) => state === "active")?.user_id;
  const kinds = ["designate_custodian", "move_custody"];
  const act = facts.acts.findLast(({ kind, document }) => kinds.includes(kind) && memberOf(document.user, "user_id") === user_id);
  const approval = act === undefined || party === undefined ? null : approvalOf(act, party.party_id);
  return act === undefined || party === undefined || approval === null ? null : gradeOfApproval(approval, act, party.party.name);
}
