import { appendAudit } from "../../../audit/append-audit.ts";
import type { WidgetCaller } from "../../../shared/caller.ts";
import { Problem } from "../../../shared/problems.ts";
import { ACTING, asRecipient, look, notNow, recipientOf } from "../../builtin/ceremony.ts";
import { markLocked } from "../../store.ts";
import type { SigningDeps } from "../../submission.ts";
import { type Identity, identityOf } from "../identity.ts";
import { refuseUnasked } from "../refuse-unasked.ts";
import { type Challenge, insertResult, lookUpChallenge } from "./kba-store.ts";
import { partnerQuestions } from "./partner-questions.ts";

export interface Answers {
  readonly challenge_id: string;
  readonly answers: readonly { readonly id: number; readonly value: string }[];
}

export interface Judged {
  readonly challenge: Challenge;
  readonly outcomes: readonly { readonly question: number; readonly right: boolean }[];
}

/**
 * Checks which answers are right. Outside the transaction, because comparing is slow on purpose. The result is only returned after it
 * was recorded, and a challenge can be answered once.
 */
async function judgeAnswers(deps: SigningDeps, who: WidgetCaller, { challenge_id, answers }: Answers): Promise<Judged> {
  const slug = recipientOf(who);
  const { challenge, material } = await deps.db.tx(who.org, async (tx) => {
    refuseUnasked(await look(deps, tx, who), "kba");
    const found = await lookUpChallenge(tx, who.org, slug, who.holder.signing_session, challenge_id);
    const set = await partnerQuestions.materialFor(deps, tx, who.org, slug);
    // Answered, expired, or about questions that have changed since. It costs no attempt, and the page asks again.
    if (found === null || set === null || set.set_no !== found.set_no) throw overtaken();
    return { challenge: found, material: set };
  });
  const given = new Map(answers.map(({ id, value }) => [id, value]));
  if (given.size !== answers.length || answers.some(({ id }) => !material.questions.some(({ question_no }) => question_no === id))) {
    const details = [{ location: "body", field: "answers", code: "unknown_field", message: "must answer each question once" }] as const;
    throw new Problem("invalid_request", "kba answers", { details });
  }
  const right = await material.check({ proofs: deps.proofs, org: who.org }, given);
  return {
    challenge,
    outcomes: material.questions.map(({ question_no }, index) => ({ question: question_no, right: right[index] === true })),
  };
}

const overtaken = () => notNow("challenge_over", "stale", "ask for the questions again");

/** With two questions both answers must be right; with more, one can be wrong. */
const isPass = (outcomes: Judged["outcomes"]): boolean => outcomes.filter(({ right }) => !right).length <= (outcomes.length > 2 ? 1 : 0);

/** Records the outcome, never an answer. The second failure locks the signer out until the sender lets them try again. */
function recordAnswers(deps: SigningDeps, who: WidgetCaller, { challenge, outcomes }: Judged): Promise<Identity> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  return asRecipient(deps, who, ACTING, async (tx, before, slug) => {
    refuseUnasked(before, "kba");
    // Of several answers to one challenge, the first one counts, right or wrong.
    if ((await lookUpChallenge(tx, org, slug, signing_session, challenge.challenge_id)) === null) throw overtaken();
    const passed = isPass(outcomes);
    await insertResult(tx, org, slug, challenge, passed, outcomes);
    const questions = outcomes.map(({ question, right }) => ({ question, right }));
    const data = { provider: partnerQuestions.name, set: challenge.set_no, questions, signing_session };
    await appendAudit(tx, org, { type: passed ? "kba.passed" : "kba.failed", by: who, envelope_id, data });
    const after = await identityOf(deps, tx, org, before.envelope, before.you, who.holder);
    if (after.state !== "locked") return after;
    await markLocked(tx, org, slug);
    await appendAudit(tx, org, { type: "kba.locked", by: who, envelope_id, data: { signing_session } });
    await deps.onSubmission(tx, org, { kind: "locked", envelope_id, slug, by: who, signing_session });
    return after;
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const answerQuestions = { judge: judgeAnswers, record: recordAnswers };
