import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { takeQuota } from "../../http/quota.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../shared/durations.ts";
import { Problem } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import type { Slug } from "../../shared/slugs.ts";
import { ACTING, asRecipient, type Ceremony, look, notNow, recipientOf } from "../builtin/ceremony.ts";
import { ensureOpened } from "../builtin/open-signing.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import type { Recipient, SigningDeps } from "../submission.ts";
import { type MethodName, methods, type Sending } from "./method.ts";
import { refuseUnasked } from "./refuse-unasked.ts";
import { type CodeChallenge, insertCodeChallenge, listRequirementStates, lookUpCodeChallenge, noteSent } from "./store.ts";

export interface Started extends Pick<CodeChallenge, "challenge_id" | "expires_at"> {
  /** where the code was sent, shortened; null if none is sent */
  readonly sent_to: string | null;
  /** when another code can be requested; null if none is sent */
  readonly resend_after: Date | null;
}

/** Asks for a code, which can be entered for ten minutes. Sends it, if the method sends one, unless it was sent a moment ago. */
export async function startChallenge(deps: SigningDeps, who: WidgetCaller, method: MethodName): Promise<Started> {
  const slug = recipientOf(who);
  const { tries, sending } = methods[method];
  const asked = { slug, method, tries };
  // All times are the database's, so that the clocks of processes do not matter.
  const { open, now } = await notingMismatch(deps, who.org, () =>
    deps.db.tx(who.org, async (tx) => {
      const ceremony = await look(deps, tx, who);
      refusePassed(ceremony, method);
      await ensureOpened(deps, tx, who, ceremony);
      return { open: await lookUpCodeChallenge(tx, who, asked), now: tx.now };
    }),
  );
  if (sending === null) {
    return asRecipient(deps, who, ACTING, async (tx, ceremony) => {
      refusePassed(ceremony, method);
      const challenge =
        (await lookUpCodeChallenge(tx, who, asked)) ?? (await insertCodeChallenge(tx, who, asked, await setNo(tx, who, asked)));
      return startedOf(challenge, null, null);
    });
  }
  if (open !== null) refuseMore(open, sending, now);
  if (open === null || isDue(open, sending, now)) await countSend(deps, slug, sending);
  const made = await sending.make({ proofs: deps.proofs, org: who.org });
  return asRecipient(deps, who, ACTING, async (tx, ceremony) => {
    const you = refusePassed(ceremony, method);
    const present = await lookUpCodeChallenge(tx, who, asked);
    // A second request at the same time: the first one has sent the code.
    if (present !== null && !isDue(present, sending, tx.now)) return startedOf(present, you, method);
    if (present !== null) refuseMore(present, sending, tx.now);
    const challenge = present ?? (await insertCodeChallenge(tx, who, asked, await setNo(tx, who, asked)));
    const message_id = await sending.send(deps, tx, who, you, made.code);
    const { envelope_id, signing_session } = who.holder;
    const data = { method, provider: "builtin", signing_session, message_id, hint: methods[method].hint(you) };
    await appendAudit(tx, who.org, { type: "identity.sent", by: who, envelope_id, data });
    return startedOf(await noteSent(tx, who.org, challenge.challenge_id, { code_hash: made.code_hash, message_id }), you, method);
  });
}

/** A step that was passed is not asked again while the pass is valid. */
function refusePassed(ceremony: Ceremony, method: MethodName): Recipient {
  const { state } = refuseUnasked(ceremony, method);
  if (state === "passed") throw notNow("challenge_over", "stale", "you have already passed this step");
  return ceremony.you as Recipient;
}

async function setNo(
  tx: Tx,
  { org, holder }: WidgetCaller,
  { slug, method }: { readonly slug: Slug; readonly method: MethodName },
): Promise<number> {
  const states = await listRequirementStates(tx, org, slug, holder.signing_session);
  return states.find((one) => one.method === method)?.set_no ?? 0;
}

const againAt = ({ sent_at }: CodeChallenge, { againAfterSeconds }: Sending): Date =>
  new Date((sent_at?.getTime() ?? 0) + againAfterSeconds * 1000);
const isDue = (challenge: CodeChallenge, sending: Sending, now: Date): boolean => againAt(challenge, sending) <= now;

/** Throws 429 after the last message of one challenge, until the challenge is over. */
function refuseMore(challenge: CodeChallenge, sending: Sending, now: Date): void {
  if (challenge.sends < sending.perChallenge || !isDue(challenge, sending, now)) return;
  throw tooMany(Math.ceil((challenge.expires_at.getTime() - now.getTime()) / 1000));
}

async function countSend(deps: SigningDeps, slug: Slug, { perHour, perDay }: Sending): Promise<void> {
  // By its hash, because the slug is part of a link.
  const subject = `identity-code:${sha256(slug).toString("hex")}`;
  const taken = await deps.db.system(async (tx) => {
    const hour = await takeQuota(tx, subject, perHour, HOUR_SECONDS);
    return hour.accepted ? takeQuota(tx, `${subject}:day`, perDay, DAY_SECONDS) : hour;
  });
  if (!taken.accepted) throw tooMany(taken.reset - Math.floor(Date.now() / 1000));
}

const tooMany = (seconds: number): Problem => new Problem("rate_limited", "codes of a person", { retryAfterSeconds: Math.max(1, seconds) });

function startedOf(challenge: CodeChallenge, you: Recipient | null, method: MethodName | null): Started {
  const { challenge_id, expires_at } = challenge;
  if (you === null || method === null) return { challenge_id, expires_at, sent_to: null, resend_after: null };
  const { hint, sending } = methods[method];
  return { challenge_id, expires_at, sent_to: hint(you), resend_after: sending === null ? null : againAt(challenge, sending) };
}
