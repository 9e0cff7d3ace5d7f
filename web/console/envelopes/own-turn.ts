import type { Envelope, Recipient } from "@countersign/client/types";
import { me } from "../session.ts";
import { isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";

/** The user as the recipient whose turn it is. Null if it is not the user's turn, or if the user must be unlocked first. */
export function ownTurn({ status }: Envelope, recipients: readonly Recipient[]): Recipient | null {
  const turn = isOpen(status) ? atTurn(recipients) : [];
  return turn.find((one) => one.status !== "locked" && one.email.toLowerCase() === me().user.email.toLowerCase()) ?? null;
}
