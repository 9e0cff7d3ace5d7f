import type { Act, ActKind, ActState } from "@countersign/client/types";
import { needName, sentence, stateWords } from "../../act-words.ts";
import { Chip, type Tone } from "../parts/chip.tsx";

const tones: Record<ActState, Tone> = {
  proposed: "waiting",
  confirmed: "waiting",
  registering: "waiting",
  effective: "good",
  refused: "bad",
  cancelled: "plain",
  expired: "plain",
  superseded: "plain",
};

export const ActChip = ({ state }: Pick<Act, "state">) => <Chip tone={tones[state]}>{stateWords[state]}</Chip>;

/** The names of those who have not decided yet. */
export function waitingFor({ needs }: Pick<Act, "needs">): readonly string[] {
  const open = needs.filter(({ asked, decided }) => asked && !decided);
  const isTwo = open.filter(({ role, party_id }) => role === "admin" && party_id === null).length > 1;
  return [...new Set(open.map((need) => (isTwo && need.role === "admin" ? "Two admins of the organization" : needName(need))))];
}

/** "It takes effect when First Example Bank and Sam Sample have confirmed." */
export function whenEffective(act: Act): string {
  const names = waitingFor(act);
  return `It takes effect when ${names.join(" and ")} ${names.length === 1 ? "has" : "have"} confirmed.`;
}

/** The result of proposing, deciding or cancelling. Says that something took effect only if it did. */
export function resultWords(act: Act): string {
  if (act.state === "effective") return sentence(`In effect: ${act.summary}`);
  if (act.state === "proposed") return `${sentence(`Recorded: ${act.summary}`)} ${whenEffective(act)}`;
  return sentence(`${stateWords[act.state]}: ${act.summary}`);
}

export const kindWords: Record<ActKind, string> = {
  designate: "Ask the party to confirm",
  correct_party: "Correct the secured party",
  assign: "Assign to another party",
  release: "Release to another party",
  participate: "Give a party a share",
  pledge: "Pledge to a party",
  release_pledge: "End a pledge",
  designate_custodian: "Designate the custodian",
  move_custody: "Move custody to a member",
  acknowledge_control: "Acknowledge control",
  release_hold: "Release a legal hold",
  transfer_out: "Transfer to another vault",
  export_out: "Hand the original over to a recipient",
  paper_out: "Replace by paper",
  destroy: "Destroy the record",
  recover: "Recover from another vault",
  change_people: "Change the people of a party",
};
