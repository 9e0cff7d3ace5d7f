import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { ACTING, asRecipient, look, notNow, recipientOf } from "../builtin/ceremony.ts";
import { markLocked } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import { type IdentityStep, identityOf } from "./identity.ts";
import { type MethodName, methods } from "./method.ts";
import { refuseUnasked } from "./refuse-unasked.ts";
import { insertCodeResult, listRequirementStates, lookUpCodeChallenge } from "./store.ts";

export interface CodeAnswer {
  readonly challenge_id: string;
  readonly code: string;
}

export interface JudgedCode {
  readonly challenge_id: string;
  /** what the code was compared with */
  readonly code_hash: string;
  readonly right: boolean;
}

const overtaken = () => notNow("challenge_over", "stale", "request a new code");

/** Whether the code is right. Outside the transaction, because comparing is slow on purpose. It is only told after it was recorded. */
async function judgeCode(
  deps: SigningDeps,
  who: WidgetCaller,
  method: MethodName,
  { challenge_id, code }: CodeAnswer,
): Promise<JudgedCode> {
  const slug = recipientOf(who);
  const code_hash = await deps.db.tx(who.org, async (tx) => {
    refuseUnasked(await look(deps, tx, who), method);
    const challenge = await lookUpCodeChallenge(tx, who, { slug, method, tries: methods[method].tries }, challenge_id);
    const required = (await listRequirementStates(tx, who.org, slug, who.holder.signing_session)).find((one) => one.method === method);
    const stored = challenge === null ? null : (challenge.code_hash ?? required?.code_hash ?? null);
    // Passed, expired, too often wrong, or about a code that has changed since. It costs no attempt.
    if (stored === null) throw overtaken();
    return stored;
  });
  return { challenge_id, code_hash, right: await methods[method].check({ proofs: deps.proofs, org: who.org }, code_hash, code) };
}

/** Records the outcome, never the code. */
function recordCode(deps: SigningDeps, who: WidgetCaller, method: MethodName, judged: JudgedCode): Promise<IdentityStep> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  const { tries, hint } = methods[method];
  return asRecipient(deps, who, ACTING, async (tx, before, slug) => {
    refuseUnasked(before, method);
    const asked = { slug, method, tries };
    const challenge = await lookUpCodeChallenge(tx, who, asked, judged.challenge_id);
    if (challenge === null || (challenge.code_hash ?? judged.code_hash) !== judged.code_hash) throw overtaken();
    await insertCodeResult(tx, org, asked, challenge, judged.right);
    const { message_id } = challenge;
    const sent = before.you === null || message_id === null ? {} : { message_id, hint: hint(before.you) };
    const data = { method, provider: "builtin", signing_session, ...sent };
    await appendAudit(tx, org, { type: judged.right ? "identity.passed" : "identity.failed", by: who, envelope_id, data });
    const { steps } = await identityOf(tx, org, before.envelope, before.you, holder);
    const step = steps.find((one) => one.method === method);
    if (step === undefined) throw new Error("a required method is gone although the envelope is locked");
    if (step.state !== "locked") return step;
    await markLocked(tx, org, slug);
    await appendAudit(tx, org, { type: "identity.locked", by: who, envelope_id, data: { method, signing_session } });
    await deps.onSubmission(tx, org, { kind: "locked", envelope_id, slug, by: who, signing_session });
    return step;
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const answerChallenge = { judge: judgeCode, record: recordCode };
