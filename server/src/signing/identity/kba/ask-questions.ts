import type { Tx } from "../../../db/sql.ts";
import type { WidgetCaller } from "../../../shared/caller.ts";
import { look, notNow, recipientOf } from "../../builtin/ceremony.ts";
import { ensureOpened } from "../../builtin/open-signing.ts";
import { notingMismatch } from "../../noting-mismatch.ts";
import type { SigningDeps } from "../../submission.ts";
import { refuseUnasked } from "../refuse-unasked.ts";
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
    const { attempts_left } = refuseUnasked(ceremony, "kba");
    const material = await partnerQuestions.materialFor(deps, tx, who.org, slug);
    if (material === null) throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
    await ensureOpened(deps, tx, who, ceremony);
    const { set_no, questions } = material;
    const open = await lookUpOpen(tx, who, slug, set_no);
    const challenge = open ?? (await insertChallenge(tx, who, slug, set_no));
    return { ...challenge, questions, attempts_left: attempts_left ?? 0 };
  };
  return notingMismatch(deps, who.org, () => deps.db.tx(who.org, ask));
}
