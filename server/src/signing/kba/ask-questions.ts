import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { type Ceremony, look, notNow, recipientOf } from "../builtin/ceremony.ts";
import { ensureOpened } from "../builtin/open-signing.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import type { SigningDeps } from "../submission.ts";
import { type Challenge, insertChallenge, lookUpOpen } from "./kba-store.ts";
import { partnerQuestions } from "./partner-questions.ts";

export interface Asked extends Challenge {
  readonly questions: readonly { readonly question_no: number; readonly question: string }[];
  readonly attempts_left: number;
}

/** Returns the questions, valid for ten minutes. Asking again returns the same ones. A challenge that expires costs no attempt. */
export function askQuestions(deps: SigningDeps, who: WidgetCaller): Promise<Asked> {
  const slug = recipientOf(who);
  const ask = async (tx: Tx): Promise<Asked> => {
    const ceremony = await look(deps, tx, who);
    refuseUnasked(ceremony);
    const material = await partnerQuestions.materialFor(tx, who.org, slug);
    if (material === null) throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
    await ensureOpened(deps, tx, who);
    const { set_no, questions } = material;
    const open = await lookUpOpen(tx, who, slug, set_no);
    const challenge = open ?? (await insertChallenge(tx, who, slug, set_no));
    return { ...challenge, questions, attempts_left: ceremony.identity.attempts_left ?? 0 };
  };
  return notingMismatch(deps, who.org, () => deps.db.tx(who.org, ask));
}

/** Throws unless there is a question to answer: it is the signer's turn, questions are required, and they are not locked out. */
export function refuseUnasked({ state, identity }: Ceremony): void {
  if (state === "waiting") throw notNow("not_your_turn", "not_your_turn", "others must act before you");
  if (identity.state === "not_required") throw notNow("identity_unavailable", "identity_unavailable", "no questions are asked here");
  if (identity.state === "unavailable") {
    throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
  }
  if (identity.state === "locked") throw notNow("signer_locked", "locked", "the sender must let you try again");
}
