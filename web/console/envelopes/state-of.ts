import type { Recipient, RecipientStatus } from "@countersign/client/types";
import type { Standing } from "../parts/avatar.tsx";
import type { Tone } from "../parts/chip.tsx";
import { en as words } from "../words/recipients/en.ts";

const tones: Record<Exclude<RecipientStatus, "pending">, Tone> = {
  signed: "good",
  approved: "good",
  confirmed: "good",
  delivered: "good",
  declined: "bad",
  locked: "bad",
  cancelled: "plain",
  viewed: "going",
};

/** How far a person has come, in words. `isOwn`: it is the user's own turn */
export function stateOf({ kind, status }: Recipient, isAtTurn: boolean, isOwn = false): readonly [Tone, string] {
  if (isOwn) return ["waiting", words.yourTurn];
  if (kind === "approver" && status === "declined") return ["bad", words.rejected];
  if (status !== "pending") return [tones[status], words.statuses[status]];
  if (kind === "cc") return ["plain", words.getsResult];
  return isAtTurn ? ["waiting", words.theirTurn] : ["plain", words.notYet];
}

/** The badge of a person who acts. */
export function standingOf({ status }: Recipient, isAtTurn: boolean): Standing {
  if (status === "signed" || status === "approved" || status === "confirmed") return "done";
  if (status === "declined" || status === "locked") return "refused";
  return isAtTurn ? "waiting" : "later";
}
