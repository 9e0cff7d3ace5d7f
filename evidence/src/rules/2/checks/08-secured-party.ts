import type { ActFacts, AssignmentFacts2, Facts2 } from "../../../facts-2.ts";
import { securedParty as inRules1 } from "../../1/checks/08-secured-party.ts";
import { failed } from "../../1/checks/wording.ts";
import { approvalOf, effectiveRows, gradeOfApproval, memberOf, partyInDocument, weakest } from "../control.ts";
import { namesParty } from "../names-party.ts";
import { attested, type Graded, type GradedCheck } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

const CORRECT = "Propose an act correct_party with the real party (POST …/acts); it is evaluated again when it takes effect.";

const graded = fromRules1(inRules1, (facts) => {
  const rows = effectiveRows(facts);
  return weakest(
    rows.flatMap((row, index) => [...changeOf(facts, row, rows[index - 1]), designationOf(facts, row, rows[index + 1])]),
    UNCONFIRMED,
  );
});

export const securedParty: GradedCheck = {
  ...graded,
  judge: (facts) => {
    const name = facts.envelope.secured_party?.name.trim() ?? "";
    const finding = graded.judge(facts);
    if (!finding.satisfied || namesParty(name)) return finding;
    return failed(`The secured party's name is a placeholder ("${name}").`, CORRECT);
  },
};

const UNCONFIRMED = attested("The depositor names the secured party; it did not confirm with a credential of its own.");

const UNCONFIRMED_HERE = attested("The party has not confirmed at this vault; what it confirmed at the vault before is in origin/.");

/** Whether the party of a row confirmed that the record is assigned to it. A row that was corrected stands for no one. */
export function designationOf(facts: Facts2, row: AssignmentFacts2, next: AssignmentFacts2 | undefined): Graded {
  if (memberOf(next?.consent, "method") === "correction") return designationOf(facts, next as AssignmentFacts2, undefined);
  const act = designatingAct(facts, row);
  const approval = act === undefined ? null : approvalOf(act, row.party_id);
  if (act !== undefined && approval !== null) return gradeOfApproval(approval, act, row.party.name);
  return facts.origin === undefined ? UNCONFIRMED : UNCONFIRMED_HERE;
}

/**
 * The latest act since the row in which its party was asked whether the record is assigned to it. What was signed is the name in the act: an
 * act that names another party than the row says nothing about it.
 */
export function designatingAct({ acts }: Facts2, { party_id, party, entry_seq }: AssignmentFacts2): ActFacts | undefined {
  const kinds = ["designate", "assign", "release"];
  return acts.findLast(
    (act) =>
      kinds.includes(act.kind) &&
      party_id !== null &&
      partyInDocument(act) === party_id &&
      memberOf(act.document.party, "name") === party.name &&
      act.entry_seq > entry_seq,
  );
}

/** Whether the party before agreed to a change. The first row changes nothing, and a correction is judged by whom it names. */
function changeOf(facts: Facts2, row: AssignmentFacts2, before: AssignmentFacts2 | undefined): Graded[] {
  if (before === undefined) return [];
  const method = memberOf(row.consent, "method");
  const act = facts.acts.find(({ act_id }) => act_id === memberOf(row.consent, "act_id"));
  const approval =
    act === undefined || memberOf(act.document.present_party, "name") !== before.party.name ? null : approvalOf(act, before.party_id);
  if (act !== undefined && approval !== null) return [gradeOfApproval(approval, act, before.party.name)];
  if (method === "correction") return [];
  if (method === "act" && act === undefined && facts.origin !== undefined)
    return [attested(`${row.party.name} followed ${before.party.name} at the vault before; its acts are in origin/.`)];
  if (method === "act") return [attested(`${before.party.name} was not asked about the change, or did not confirm it itself.`)];
  return [
    attested(`The depositor states that ${before.party.name} consented to the change; it did not confirm with a credential of its own.`),
  ];
}
