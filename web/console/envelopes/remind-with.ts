import type { Recipient } from "@countersign/client/types";
import { call } from "../api.ts";
import { en as words } from "../words/recipients/en.ts";
import { isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { namesOf } from "./names-of.ts";
import type { EnvelopeData } from "./use-envelope.ts";

/** Reminds the people whose turn it is, or some of them, and says who was not. */
export function remindWith(data: Pick<EnvelopeData, "envelope" | "recipients">, onDone: (words: string) => Promise<void>) {
  const { envelope_id, status } = data.envelope;
  const turn = isOpen(status) ? atTurn(data.recipients) : [];
  return async (emails?: readonly string[]): Promise<void> => {
    const body = emails === undefined ? {} : { emails };
    const { reminded } = await call("remind_signers", { params: { envelope_id }, body });
    const isReminded = ({ email }: Recipient) => reminded.includes(email);
    const skipped = turn.filter((one) => !isReminded(one) && (emails === undefined || emails.includes(one.email)));
    const byHand = skipped.filter(({ delivery }) => delivery === "link");
    const recent = skipped.filter(({ delivery }) => delivery !== "link");
    const texts = [
      words.reminded(namesOf(turn.filter(isReminded))),
      ...(recent.length === 0 ? [] : [words.remindedBefore(namesOf(recent))]),
      ...(byHand.length === 0 ? [] : [words.remindedByHand(namesOf(byHand))]),
    ];
    await onDone(texts.join(" "));
  };
}
