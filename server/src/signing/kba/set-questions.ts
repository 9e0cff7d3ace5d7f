import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { listRecipients, markUnlocked } from "../store.ts";
import { isActing, isWaiting, type Recipient, refuseEnded, type SigningDeps } from "../submission.ts";
import { type HashedQuestion, insertQuestions, startRound } from "./kba-store.ts";

type Deps = Pick<SigningDeps, "db" | "lockEnvelope">;

/** Sets the questions of a signer who has not signed. A signer who is locked out stays so until a reset. */
export function setQuestions(deps: Deps, caller: Caller, at: Place, questions: readonly HashedQuestion[]): Promise<Recipient> {
  return onSigner(deps, caller, at, async (tx, signer) => {
    if (!isWaiting(signer)) throw new Problem("signer_signed");
    const set = await insertQuestions(tx, caller.org, at.slug, questions);
    const data = { role: signer.role, user_email: signer.email, set, questions: questions.map(({ question }) => question) };
    await appendAudit(tx, caller.org, { type: "kba.set", by: caller, envelope_id: at.envelope_id, data });
    return signer;
  });
}

/** Restarts the count of attempts and unlocks the signer. Also for a signer who has signed and wants their copy. */
export function resetQuestions(deps: Deps, caller: Caller, at: Place): Promise<Recipient> {
  return onSigner(deps, caller, at, async (tx, signer) => {
    await startRound(tx, caller.org, at.slug);
    await markUnlocked(tx, caller.org, at.slug);
    const data = { role: signer.role, user_email: signer.email, was_locked: signer.status === "locked" };
    await appendAudit(tx, caller.org, { type: "kba.reset", by: caller, envelope_id: at.envelope_id, data });
    const after = (await listRecipients(tx, caller.org, at.envelope_id)).find(({ slug }) => slug === at.slug);
    return after ?? signer;
  });
}

export interface Place {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
}

function onSigner<T>(
  deps: Deps,
  { org }: Caller,
  { envelope_id, slug }: Place,
  act: (tx: Parameters<Parameters<Deps["db"]["tx"]>[1]>[0], signer: Recipient) => Promise<T>,
): Promise<T> {
  return deps.db.tx(org, async (tx) => {
    const find = async () => (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug && isActing(one));
    // The same for a missing envelope, so that the response does not reveal which of the two is missing.
    if ((await find()) === undefined) throw new Problem("signer_not_found");
    const envelope = await deps.lockEnvelope(tx, org, envelope_id);
    const signer = await find();
    if (signer === undefined) throw new Problem("signer_not_found", "corrected meanwhile");
    refuseEnded(envelope);
    if (!envelope.kba_required) throw new Problem("kba_not_required");
    return act(tx, signer);
  });
}
