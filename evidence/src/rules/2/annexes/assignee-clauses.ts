// Who the register names as assignee, and on whose word that changed.

import type { ActFacts, AssignmentFacts2, Facts2 } from "../../../facts-2.ts";
import { counted } from "../../1/checks/wording.ts";
import { designatingAct, designationOf } from "../checks/08-secured-party.ts";
import { attested, type Graded, proven } from "../checks/check.ts";
import { approvalOf, effectiveRows, gradeOfApproval, memberOf, weakest } from "../control.ts";
import type { Finding } from "./annex.ts";
import { brokenTrail, found, notShown, seqsOfAct, type Told } from "./clause.ts";

const NO_ASSIGNEE = "The register of assignees is empty.";

/** Whom the register names now. */
export function namedAssignee({ facts, checks }: Told): Finding {
  const rows = effectiveRows(facts);
  const last = rows.at(-1);
  const check = checks.find(({ id }) => id === "secured_party");
  if (last === undefined) return notShown(NO_ASSIGNEE, check?.detail ?? NO_ASSIGNEE);
  const { name, identifier } = last.party;
  const who = identifier === undefined || identifier === "" ? name : `${name} (${identifier})`;
  const place = `in its latest row, number ${last.seq}, recorded by entry ${last.entry_seq}`;
  const fact = `The register of assignees names ${who} ${place}. The register is kept with the audit trail; the pages of the document were not searched for the name.`;
  const act = designatingAct(facts, last);
  const entries = [last.entry_seq, ...(act === undefined ? [] : seqsOfAct(facts, act))];
  if (check?.satisfied !== true) return notShown(fact, check?.detail ?? NO_ASSIGNEE, entries);
  return found(fact, designationOf(facts, last, undefined), entries);
}

/** One change of the assignee or transfer of the record, and on whose word it happened. */
type Change = { readonly words: string; readonly graded: Graded; readonly isConfirmed: boolean; readonly entries: readonly number[] };

/** Each change of the register after its first row. */
export function changesOfAssignee(facts: Facts2): Change[] {
  const rows = effectiveRows(facts);
  return rows.slice(1).map((row, index) => changeOf(facts, row, rows[index] as AssignmentFacts2));
}

function changeOf(facts: Facts2, row: AssignmentFacts2, before: AssignmentFacts2): Change {
  const method = memberOf(row.consent, "method");
  const act = facts.acts.find(({ act_id }) => act_id === memberOf(row.consent, "act_id"));
  const entries = [row.entry_seq, ...(act === undefined ? [] : seqsOfAct(facts, act))];
  const to = `Row ${row.seq} names ${row.party.name}`;
  const isNamed = memberOf(act?.document.present_party, "name") === before.party.name;
  const confirmed = act === undefined || !isNamed ? null : confirmationBy(act, before.party_id, before.party.name);
  if (confirmed !== null) return { words: `${to}: ${confirmed.words}.`, graded: confirmed.graded, isConfirmed: true, entries };
  const words =
    method === "correction"
      ? `${before.party.name} did not confirm this correction of its row`
      : method === "act" && act === undefined && facts.origin !== undefined
        ? "this happened at the vault before, whose acts are in origin/"
        : method === "act"
          ? `${before.party.name} was not asked, or did not confirm it itself`
          : `the depositor states that ${before.party.name} consented`;
  return { words: `${to}: ${words}.`, graded: attested(`${capital(words)}.`), isConfirmed: false, entries };
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function confirmationBy(act: ActFacts, party_id: string | null, name: string): { words: string; graded: Graded } | null {
  const approval = approvalOf(act, party_id);
  if (approval === null) return null;
  return {
    words: `${approval.email} confirmed ${act.act_id} for ${name} (${approval.method})`,
    graded: gradeOfApproval(approval, act, name),
  };
}

const TRANSFERS = ["assign", "release", "transfer_out", "export_out", "paper_out"];

/** Acts by which the record went from one party, or from this vault, to another. */
export function transfersOfControl(facts: Facts2): Change[] {
  return facts.acts.filter(({ kind }) => TRANSFERS.includes(kind)).map((act) => transferOf(facts, act));
}

function transferOf(facts: Facts2, act: ActFacts): Change {
  const { present_party } = act.document;
  const name = memberOf(present_party, "name");
  const entries = seqsOfAct(facts, act);
  const what = `${act.act_id} (${act.kind.replaceAll("_", " ")})`;
  const confirmed = name === null ? null : confirmationBy(act, memberOf(present_party, "party_id"), name);
  if (confirmed !== null) return { words: `${what}: ${confirmed.words}.`, graded: confirmed.graded, isConfirmed: true, entries };
  const words = name === null ? "no assignee was on record, and the organization decided" : `${name} did not confirm it`;
  return { words: `${what}: ${words}.`, graded: attested(`${capital(words)}.`), isConfirmed: false, entries };
}

const NO_CHANGE = "No change of the assignee is recorded.";
const NO_TRANSFER = "No transfer of the record to another party or vault is recorded.";

/** How a record came from another vault is that vault's to tell. */
const noTransfer = ({ facts }: Told): string =>
  facts.origin === undefined ? NO_TRANSFER : "Since it came to this vault, no transfer to another party or vault is recorded.";

/** What was changed, on whose word. Without a change that is all there is to say, and the trail itself shows it. */
export function consentToChanges(told: Told): Finding {
  const silent = proven("The audit trail verifies and has no entry that changes the assignee.");
  return historyOf(told, changesOfAssignee(told.facts), NO_CHANGE, silent);
}

const RULE = "That a change needs the confirmation of the assignee on record is a rule of this service, which no entry has put to use yet.";

/** As before. A power that was not used rests on the rules of this service. */
export const powerToPrevent = (told: Told): Finding => historyOf(told, changesOfAssignee(told.facts), NO_CHANGE, attested(RULE));
export const powerToTransfer = (told: Told): Finding => historyOf(told, transfersOfControl(told.facts), noTransfer(told), attested(RULE));

/** `none` and `silent`: what is said, and how it is graded, if there was no change. */
function historyOf(told: Told, changes: readonly Change[], none: string, silent: Graded): Finding {
  const { facts } = told;
  const rows = effectiveRows(facts);
  const broken = brokenTrail(told);
  const entries = [...rows.slice(0, 1).map(({ entry_seq }) => entry_seq), ...changes.flatMap((change) => change.entries)];
  const fact = changes.length === 0 ? none : changes.map(({ words }) => words).join(" ");
  if (broken !== null) return notShown(fact, broken, entries);
  if (rows.length === 0) return notShown(fact, NO_ASSIGNEE, entries);
  const grades = changes.map(({ graded }) => graded);
  return found(fact, weakest(grades, silent), entries);
}

/** Changes and transfers that the party before did not confirm. */
export function withoutAssignee(told: Told): Finding {
  const { facts } = told;
  const all = [...changesOfAssignee(facts), ...transfersOfControl(facts)];
  const without = all.filter(({ isConfirmed }) => !isConfirmed);
  const fact =
    all.length === 0
      ? `${NO_CHANGE} ${noTransfer(told)}`
      : `Of ${counted(all.length, "change of the assignee or transfer", "changes of the assignee and transfers")}, ${without.length} took effect without a confirmation of the assignee before. ${without.map(({ words }) => words).join(" ")}`.trim();
  const entries = all.flatMap((change) => change.entries);
  const broken = brokenTrail(told);
  if (broken !== null) return notShown(fact, broken, entries);
  return found(
    fact,
    weakest(
      all.map(({ graded }) => graded),
      proven("The audit trail verifies and has no such entry."),
    ),
    entries,
  );
}
