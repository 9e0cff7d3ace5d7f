import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { takeQuota } from "../../http/quota.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { ACTING, asRecipient, type Ceremony, look, notNow, recipientOf } from "../builtin/ceremony.ts";
import { ensureOpened } from "../builtin/open-signing.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import type { Recipient, SigningDeps } from "../submission.ts";
import type { Issuing, Method, MethodName, Person } from "./method.ts";
import { refuseUnasked } from "./refuse-unasked.ts";
import {
  type CodeChallenge,
  insertCodeChallenge,
  listRequirementStates,
  lookUpCodeChallenge,
  noteIssued,
  personOf,
  type RequirementState,
} from "./store.ts";

export interface Started extends Pick<CodeChallenge, "challenge_id" | "expires_at"> {
  /** where something was sent, shortened; null if nothing is */
  readonly sent_to: string | null;
  /** when another challenge can be requested; null if none is made */
  readonly resend_after: Date | null;
  /** what the page needs to answer, in the form of the method; null if the person has it from elsewhere */
  readonly told: unknown;
}

/** Begins a challenge, which can be answered for some minutes. Makes and sends what it consists of, unless that happened a moment ago. */
export async function startChallenge(deps: SigningDeps, who: WidgetCaller, name: MethodName): Promise<Started> {
  const slug = recipientOf(who);
  const method = deps.identityMethods[name];
  const { issuing } = method;
  const asked = { slug, method };
  // All times are the database's, so that the clocks of processes do not matter.
  const { open, now, person } = await notingMismatch(deps, who.org, () =>
    deps.db.tx(who.org, async (tx) => {
      const ceremony = await look(deps, tx, who);
      const you = refusePassed(ceremony, name);
      await ensureOpened(deps, tx, who, ceremony);
      const required = await requirementOf(deps, tx, who, you, name);
      return { open: await lookUpCodeChallenge(tx, who, asked), now: tx.now, person: personOf(you, required) };
    }),
  );
  if (issuing === null) {
    return asRecipient(deps, who, ACTING, async (tx, ceremony) => {
      const { set_no } = await requirementOf(deps, tx, who, refusePassed(ceremony, name), name);
      const { challenge_id, expires_at } =
        (await lookUpCodeChallenge(tx, who, asked)) ?? (await insertCodeChallenge(tx, who, asked, set_no));
      return { challenge_id, expires_at, sent_to: null, resend_after: null, told: null };
    });
  }
  if (open !== null) refuseMore(open, issuing, now);
  if (open === null || isDue(open, issuing, now)) await count(deps, who, issuing, person);
  const made = await issuing.make({ proofs: deps.proofs, org: who.org }, person);
  return asRecipient(deps, who, ACTING, async (tx, ceremony) => {
    const you = refusePassed(ceremony, name);
    const required = await requirementOf(deps, tx, who, you, name);
    const startedOf = (challenge: CodeChallenge) => startedBy(method, issuing, challenge, personOf(you, required));
    const present = await lookUpCodeChallenge(tx, who, asked);
    // A second request at the same time: the first one has sent the code.
    if (present !== null && !isDue(present, issuing, tx.now)) return startedOf(present);
    if (present !== null) refuseMore(present, issuing, tx.now);
    const challenge = present ?? (await insertCodeChallenge(tx, who, asked, required.set_no));
    const way = { tx, org: who.org, person: personOf(you, required), mailCode: (code: string) => deps.mailCode(tx, who, you, code) };
    const message_id = (await issuing.send?.(way, made.secret)) ?? null;
    if (issuing.send !== null) await appendSent(tx, who, method, way.person, message_id);
    return startedOf(await noteIssued(tx, who.org, asked, challenge, { kept: made.kept, message_id }));
  });
}

/** A step that was passed is not asked again while the pass is valid. */
function refusePassed(ceremony: Ceremony, method: MethodName): Recipient {
  const { state } = refuseUnasked(ceremony, method);
  if (state === "passed") throw notNow("challenge_over", "stale", "you have already passed this step");
  return ceremony.you as Recipient;
}

/** The requirement behind a step that `refuseUnasked` has found. */
async function requirementOf(
  { identityMethods }: SigningDeps,
  tx: Tx,
  { org, holder }: WidgetCaller,
  { slug }: Recipient,
  method: MethodName,
): Promise<RequirementState> {
  const states = await listRequirementStates(identityMethods, tx, org, slug, holder.signing_session);
  const required = states.find((one) => one.method === method);
  // The sender changed what is required between two statements.
  if (required === undefined) throw notNow("identity_unavailable", "identity_unavailable", "this is not asked of you");
  return required;
}

function appendSent(
  tx: Tx,
  who: WidgetCaller,
  { name: method, provider, hint }: Method,
  person: Person,
  message_id: CodeChallenge["message_id"],
): Promise<unknown> {
  const { envelope_id, signing_session } = who.holder;
  const data = { method, provider, signing_session, ...(message_id !== null && { message_id }), hint: hint(person) };
  return appendAudit(tx, who.org, { type: "identity.sent", by: who, envelope_id, data });
}

const againAt = ({ sent_at }: CodeChallenge, { againAfterSeconds }: Issuing): Date =>
  new Date((sent_at?.getTime() ?? 0) + againAfterSeconds * 1000);
const isDue = (challenge: CodeChallenge, issuing: Issuing, now: Date): boolean => againAt(challenge, issuing) <= now;

/** Throws 429 after the last message of one challenge, until the challenge is over. */
function refuseMore(challenge: CodeChallenge, issuing: Issuing, now: Date): void {
  if (challenge.sends < issuing.perChallenge || !isDue(challenge, issuing, now)) return;
  throw tooMany(Math.ceil((challenge.expires_at.getTime() - now.getTime()) / 1000));
}

async function count(deps: SigningDeps, who: WidgetCaller, { quotas }: Issuing, person: Person): Promise<void> {
  const refused = await deps.db.system(async (tx) => {
    for (const { subject, limit, seconds } of quotas(who.org, person)) {
      const taken = await takeQuota(tx, subject, limit, seconds);
      if (!taken.accepted) return taken;
    }
    return null;
  });
  if (refused !== null) throw tooMany(refused.reset - Math.floor(Date.now() / 1000));
}

const tooMany = (seconds: number): Problem => new Problem("rate_limited", "codes of a person", { retryAfterSeconds: Math.max(1, seconds) });

function startedBy({ hint }: Method, issuing: Issuing, challenge: CodeChallenge, person: Person): Started {
  const { challenge_id, expires_at, code_hash: kept } = challenge;
  const told = kept === null ? null : issuing.tell(kept);
  return { challenge_id, expires_at, sent_to: hint(person), resend_after: againAt(challenge, issuing), told };
}
