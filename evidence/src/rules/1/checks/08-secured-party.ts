import type { AssignmentFacts, Facts } from "../../../facts.ts";
import { hashOfJson } from "../chain-facts.ts";
import type { Check } from "./check.ts";
import { type Condition, entriesOf, failed, judgeBy } from "./wording.ts";

export const securedParty: Check = {
  number: 8,
  id: "secured_party",
  weight: 13,
  legal_reference: "UCC 9-105(b)(2), (b)(4)",
  requirement: "The record identifies the secured party as assignee, and the assignee changes only with that party's consent.",
  judge: (facts) =>
    judgeBy(facts, [isNamed, isRegistered, isConsented], (all) => {
      const name = all.envelope.secured_party?.name.trim();
      const since = entriesOf(all, "assignment.recorded").find(({ seq }) => seq === effective(all).at(-1)?.entry_seq)?.at;
      // Before vaulting there is no register: the name is taken into it with the copy.
      return since === undefined
        ? `${name} is named and becomes assignee when the envelope is vaulted.`
        : `${name} is assignee since ${since}.`;
    }),
};

const DESIGNATE =
  "PUT …/secured-party for a first designation or POST …/assignments for a change, then evaluate again (POST …/compliance).";

const PLACEHOLDERS: readonly string[] = ["tbd", "tba", "n/a", "na", "none", "null", "undefined", "unknown", "xxx"];

/** Whether it says who: two letters or digits, and nothing that stands for a name that is to come. */
export function namesSomebody(text: string): boolean {
  const name = text.trim();
  const letters = name.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= 2 && !PLACEHOLDERS.includes(name.toLowerCase());
}

const isNamed: Condition = ({ envelope }) => {
  const name = envelope.secured_party?.name.trim() ?? "";
  if (name === "") return failed("No secured party is named on the envelope.", DESIGNATE);
  if (namesSomebody(name)) return null;
  return failed(`The secured party's name is a placeholder ("${name}").`, DESIGNATE);
};

const effective = ({ assignments }: Facts): AssignmentFacts[] =>
  assignments.filter(({ state }) => state === "effective").sort((a, b) => a.seq - b.seq);

const isRegistered: Condition = (facts) => {
  if (facts.copy === null && facts.assignments.length === 0) return null;
  const rows = effective(facts);
  const latest = rows.at(-1);
  const isMatch = latest !== undefined && latest.party_sha256 === hashOfJson(facts.envelope.secured_party);
  if (isMatch && rows.every((row) => isInChain(facts, row)) && entriesOf(facts, "assignment.recorded").length === rows.length) return null;
  return failed("The assignee register does not match the envelope.", DESIGNATE);
};

const isInChain = (facts: Facts, { entry_seq, party_sha256 }: AssignmentFacts): boolean =>
  entriesOf(facts, "assignment.recorded").some(({ seq, said }) => seq === entry_seq && said?.party_sha256 === party_sha256);

const isConsented: Condition = (facts) => {
  const silent = effective(facts).find((row, index) => index > 0 && row.consent === null);
  if (silent === undefined) return null;
  return failed(`The assignee was changed without recorded consent (entry ${silent.entry_seq}).`, DESIGNATE);
};
