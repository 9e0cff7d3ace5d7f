import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { ACTING, asRecipient, look, notNow, recipientOf } from "../builtin/ceremony.ts";
import { markLocked } from "../store.ts";
import type { Recipient, SigningDeps } from "../submission.ts";
import { type IdentityStep, identityOf } from "./identity.ts";
import type { Against, MethodName, Outcome } from "./method.ts";
import { refuseUnasked } from "./refuse-unasked.ts";
import { type CodeChallenge, insertCodeResult, listRequirementStates, lookUpCodeChallenge, personOf } from "./store.ts";

export interface ChallengeAnswer {
  readonly challenge_id: string;
  /** in the form of the method */
  readonly given: unknown;
}

export interface JudgedAnswer extends Pick<Against, "kept"> {
  readonly challenge_id: string;
  readonly outcome: Outcome;
}

const overtaken = () => notNow("challenge_over", "stale", "request a new code");

/** Whether the answer is right. Outside the transaction, because judging is slow on purpose. It is only told after it was recorded. */
async function judgeAnswer(
  deps: SigningDeps,
  who: WidgetCaller,
  name: MethodName,
  { challenge_id, given }: ChallengeAnswer,
): Promise<JudgedAnswer> {
  const slug = recipientOf(who);
  const method = deps.identityMethods[name];
  const against = await deps.db.tx(who.org, async (tx): Promise<Against> => {
    const ceremony = await look(deps, tx, who);
    refuseUnasked(ceremony, name);
    const challenge = await lookUpCodeChallenge(tx, who, { slug, method }, challenge_id);
    const states = await listRequirementStates(deps.identityMethods, tx, who.org, slug, who.holder.signing_session);
    const required = states.find((one) => one.method === name);
    // Passed, expired, too often wrong, or about a requirement that has changed since. It costs no attempt.
    if (challenge === null || required === undefined) throw overtaken();
    return { person: personOf(ceremony.you as Recipient, required), kept: challenge.code_hash };
  });
  const outcome = await method.judge({ proofs: deps.proofs, org: who.org }, given, against);
  return { challenge_id, kept: against.kept, outcome };
}

/** Records the outcome, never the answer. What is pending is not recorded. */
function recordAnswer(deps: SigningDeps, who: WidgetCaller, name: MethodName, judged: JudgedAnswer): Promise<IdentityStep> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  const method = deps.identityMethods[name];
  return asRecipient(deps, who, ACTING, async (tx, before, slug) => {
    const { outcome } = judged;
    const asked = refuseUnasked(before, name);
    const challenge = await lookUpCodeChallenge(tx, who, { slug, method }, judged.challenge_id);
    if (challenge === null || challenge.code_hash !== judged.kept) throw overtaken();
    if (outcome === "pending") return asked;
    await insertCodeResult(tx, org, { slug, method }, challenge, outcome === "passed");
    const data = { method: name, provider: method.provider, signing_session, ...sentWith(challenge, asked) };
    const type = outcome === "passed" ? "identity.passed" : "identity.failed";
    await appendAudit(tx, org, { type, by: who, envelope_id, data });
    const { steps } = await identityOf(deps, tx, org, before.envelope, before.you, holder);
    const step = steps.find((one) => one.method === name);
    if (step === undefined) throw new Error("a required method is gone although the envelope is locked");
    if (step.state !== "locked") return step;
    await markLocked(tx, org, slug);
    await appendAudit(tx, org, { type: "identity.locked", by: who, envelope_id, data: { method: name, signing_session } });
    await deps.onSubmission(tx, org, { kind: "locked", envelope_id, slug, by: who, signing_session });
    return step;
  });
}

/** The message that a code was sent with, and where to. */
const sentWith = ({ message_id }: Pick<CodeChallenge, "message_id">, { hint }: IdentityStep) =>
  message_id === null ? {} : { message_id, hint };

/** The steps of the operation, in the order in which the endpoint runs them. */
export const answerChallenge = { judge: judgeAnswer, record: recordAnswer };
