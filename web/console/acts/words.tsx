import type { Act, ActKind, ActState } from "@countersign/client/types";
import { needName, sentence, stateWords } from "../../act-words.ts";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en } from "../words/act-states/en.ts";

const w = en.shared;

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
  return [...new Set(open.map((need) => (isTwo && need.role === "admin" ? w.twoAdmins : needName(need))))];
}

/** "It takes effect when First Example Bank and Sam Sample have confirmed." */
export function whenEffective(act: Act): string {
  const names = waitingFor(act);
  return w.itTakesEffect(names);
}

/** The result of proposing, deciding or cancelling. Says that something took effect only if it did. */
export function resultWords(act: Act): string {
  if (act.state === "effective") return sentence(w.inEffect(act.summary));
  if (act.state === "proposed") return `${sentence(w.recorded(act.summary))} ${whenEffective(act)}`;
  return sentence(`${stateWords[act.state]}: ${act.summary}`);
}

export const kindWords: Record<ActKind, string> = {
  designate: w.askTheParty,
  correct_party: w.correctTheSecured,
  assign: w.assignToAnother,
  release: w.releaseToAnother,
  participate: w.giveAParty,
  pledge: w.pledgeToA,
  release_pledge: w.endAPledge,
  designate_custodian: w.designateTheCustodian,
  move_custody: w.moveCustodyTo,
  acknowledge_control: w.acknowledgeControl,
  release_hold: w.releaseALegal,
  transfer_out: w.transferToAnother,
  export_out: w.handTheOriginal,
  paper_out: w.replaceByPaper,
  destroy: w.destroyTheRecord,
  recover: w.recoverFromAnother,
  change_people: w.changeThePeople,
};
