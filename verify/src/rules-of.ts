import { type Facts, type Facts2, type Link, type Milestone, milestonesOf, rules2 } from "@countersign/evidence";

export type AnyFacts = Facts | Facts2;

export const isFacts2 = (facts: AnyFacts): facts is Facts2 => facts.type === "countersign/facts/2";

/** What the entries say, as the rules of these facts read them. A release to another vault counts as an export. */
export const milestonesUnder = (facts: AnyFacts, links: readonly Link[]): Milestone[] =>
  isFacts2(facts) ? rules2.withTransfersSettled(rules2.milestonesOf(links)) : milestonesOf(links);
