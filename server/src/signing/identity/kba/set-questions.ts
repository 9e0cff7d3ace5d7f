import { appendAudit } from "../../../audit/append-audit.ts";
import type { Caller } from "../../../shared/caller.ts";
import { Problem } from "../../../shared/problems.ts";
import { listRecipients, markUnlocked } from "../../store.ts";
import { isWaiting, type LiveEnvelope, type Recipient } from "../../submission.ts";
import { onSigner, type Place, type SettingDeps } from "../on-signer.ts";
import { type HashedQuestion, insertQuestions, startRound } from "./kba-store.ts";
import { hashesOf } from "./partner-questions.ts";

/** Sets the questions of a signer who has not signed. A signer who is locked out stays so until a reset. */
export function setQuestions(deps: SettingDeps, caller: Caller, at: Place, questions: readonly HashedQuestion[]): Promise<Recipient> {
  return onSigner(deps, caller, at, async (tx, signer, envelope) => {
    refuseUnquestioned(envelope);
    if (!isWaiting(signer)) throw new Problem("signer_signed");
    const set = await insertQuestions(deps, tx, caller.org, at.slug, questions);
    const data = { role: signer.role, user_email: signer.email, set, questions_sha256: hashesOf(questions) };
    await appendAudit(tx, caller.org, { type: "kba.set", by: caller, envelope_id: at.envelope_id, data });
    return signer;
  });
}

/** Restarts the count of attempts and unlocks the signer. Also for a signer who has signed and wants their copy. */
export function resetQuestions(deps: SettingDeps, caller: Caller, at: Place): Promise<Recipient> {
  return onSigner(deps, caller, at, async (tx, signer, envelope) => {
    refuseUnquestioned(envelope);
    await startRound(tx, caller.org, at.slug);
    await markUnlocked(tx, caller.org, at.slug);
    const data = { role: signer.role, user_email: signer.email, was_locked: signer.status === "locked" };
    await appendAudit(tx, caller.org, { type: "kba.reset", by: caller, envelope_id: at.envelope_id, data });
    const after = (await listRecipients(tx, caller.org, at.envelope_id)).find(({ slug }) => slug === at.slug);
    return after ?? signer;
  });
}

function refuseUnquestioned({ kba_required }: Pick<LiveEnvelope, "kba_required">): void {
  if (!kba_required) throw new Problem("kba_not_required");
}
