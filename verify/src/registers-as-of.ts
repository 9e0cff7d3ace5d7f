import { type Link, type ReplayedAssignment, registersOf } from "@countersign/evidence";
import { type AnyFacts, milestonesUnder } from "./rules-of.ts";

/** The request is for a time after the bundle was made, about which the bundle says nothing. */
export class AsOfTooLate extends Error {
  override readonly name = "AsOfTooLate";
}

/**
 * Who was custodian and who was the secured party at a time, in words, replayed from the entries up to it with the rules of the facts. For
 * links that passed all steps. Throws AsOfTooLate if the bundle is older.
 * @example registersAsOf(facts, links, "2026-03-05T03:30:00.000Z", "2026-03-05T04:30:00.000Z")
 */
export function registersAsOf(facts: AnyFacts, links: readonly Link[], at: string, bundle_at: string): string[] {
  if (at > bundle_at) throw new AsOfTooLate(`The bundle is as of ${bundle_at} and says nothing about ${at}.`);
  const until = milestonesUnder(facts, links).filter((milestone) => milestone.at <= at);
  const registers = registersOf(until);
  if (registers === null) throw new Error("a part of the registers cannot be replayed, although the whole can");
  const count = links.filter(({ entry }) => entry.at <= at).length;
  const hasLeft = until.some(({ type }) => type === "vault.exported");
  const custodian = registers.custody.find(({ state }) => state === "active");
  const none = hasLeft ? "No custodian: the copy had left the vault." : "No custodian: the document was not in the vault.";
  return [
    `As of ${at}, after ${count} of ${links.length} entries:`,
    custodian === undefined ? none : `Custodian ${custodian.user_id} (${custodian.permission_id}).`,
    securedParty(registers.assignments.at(-1)),
  ];
}

function securedParty(assignment: ReplayedAssignment | undefined): string {
  const { name } = Object(assignment?.party) as { name?: unknown };
  if (assignment === undefined || typeof name !== "string") return "No secured party.";
  return `Secured party ${name}, recorded by entry ${assignment.entry_seq}.`;
}
