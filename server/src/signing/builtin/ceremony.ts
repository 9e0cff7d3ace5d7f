import type { Read, Tx } from "../../db/sql.ts";
import type { TokenHolder, WidgetCaller } from "../../shared/caller.ts";
import { isSandbox } from "../../shared/ids.ts";
import { type DetailCode, Problem, type ProblemCode } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { currentTexts } from "../../texts/current-texts.ts";
import { type Identity, identityOf, isAsked } from "../identity/identity.ts";
import {
  hasFinished,
  hasTurn,
  isSigner,
  type LiveEnvelope,
  noLongerRecipient,
  notYourTask,
  type Recipient,
  type RecipientKind,
  refuseEnded,
  type Signer,
  type SigningDeps,
} from "../submission.ts";
import { type Attendance, type Consent, readAttendance } from "./store.ts";

/** The state in which the page opens. `ready`: it is this recipient's turn, and the remaining steps are theirs. */
export const ceremonyStates = [
  "ready",
  "signed",
  "approved",
  "confirmed",
  "read_only",
  "waiting",
  "mailed_link_required",
  "locked",
  "identity_unavailable",
] as const;
export type CeremonyState = (typeof ceremonyStates)[number];

export interface Ceremony {
  readonly envelope: LiveEnvelope;
  readonly recipients: readonly Recipient[];
  /** null for a person who is no recipient */
  readonly you: Recipient | null;
  readonly state: CeremonyState;
  readonly identity: Identity;
  /** what is recorded of `you` in this signing session */
  readonly own: Attendance | null;
  /** the current consent */
  readonly consent: Consent | null;
  /** whether this signer agreed that the document is a transferable record; null for signers who need not */
  readonly agreement: { readonly accepted_at: Date | null } | null;
}

/** The first state that applies is used. */
function stateOf(
  envelope: LiveEnvelope,
  recipients: readonly Recipient[],
  you: Recipient | null,
  identity: Identity,
  who: WidgetCaller,
): CeremonyState {
  const { holder } = who;
  if (you === null) return "read_only";
  if (you.kind === "cc") return hasCopy(envelope, recipients, you, holder) ? "read_only" : "waiting";
  if (you.status === "signed" || you.status === "approved" || you.status === "confirmed") return you.status;
  if (!hasTurn(recipients, you)) return "waiting";
  if (envelope.require_mailed_link && !isMailed(who)) return "mailed_link_required";
  if (you.status === "locked") return "locked";
  return identity.state === "unavailable" ? "identity_unavailable" : "ready";
}

/**
 * The result is for every recipient. Before it, a person who gets a copy can read the document from their step on, unless others must
 * prove their identity first: they have nothing to prove it with.
 */
function hasCopy(envelope: LiveEnvelope, recipients: readonly Recipient[], you: Recipient, holder: TokenHolder): boolean {
  if (envelope.status === "completed" || envelope.status === "vaulted") return true;
  return !isAsked(envelope, holder) && hasTurn(recipients, you);
}

/**
 * A person with a mailed link has read a message that a mail server accepted for the signer's address. A sandbox has no mail server: there,
 * the link in the captured message will do, and an operation for tests needs none.
 */
function isMailed({ org, holder: { link }, by_test }: WidgetCaller): boolean {
  if (by_test === true) return true;
  return link?.kind === "mailed" && (link.mail_sent_at !== null || isSandbox(org));
}

/** The ceremony from the point of view of a token's holder. */
export async function ceremonyOf(
  deps: Pick<SigningDeps, "texts" | "identityMethods">,
  read: Read,
  who: WidgetCaller,
  envelope: LiveEnvelope,
): Promise<Ceremony> {
  const { org, holder } = who;
  const { recipients, own } = await readAttendance(read, who, currentTexts(deps.texts, "disclosure"));
  const you = holder.slug === null ? null : findOwn(recipients, holder.slug);
  const identity = await identityOf(deps, read, org, envelope, you, holder);
  const signer = you !== null && isSigner(you) ? you : null;
  const consent = signer === null ? null : (own?.consent ?? null);
  const isMaker = signer !== null && envelope.maker_roles.includes(signer.role);
  const agreement = isMaker ? { accepted_at: own?.agreed_at ?? null } : null;
  return { envelope, recipients, you, state: stateOf(envelope, recipients, you, identity, who), identity, own, consent, agreement };
}

/** The same, for reading only. */
export async function look(deps: SigningDeps, read: Read, who: WidgetCaller): Promise<Ceremony> {
  const envelope = await deps.findEnvelope(read, who.org, who.holder.envelope_id);
  refuseEnded(envelope);
  return ceremonyOf(deps, read, who, envelope);
}

/** Throws if the session was opened in another way, because the record of a signature would then be wrong. */
export function refuseOtherSession({ holder }: WidgetCaller, own: Pick<Attendance, "session"> | null): void {
  const session = own?.session ?? null;
  if (session === null) return;
  if (session.credential === holder.credential && session.link_kind === (holder.link?.kind ?? null)) return;
  const message = "was begun with another link or token";
  throw new Problem("session_mismatch", "", {
    details: [{ location: "header", field: "X-Signing-Session", code: "conflict", message }],
  });
}

export function attendanceOf({ own }: Pick<Ceremony, "own">): Attendance {
  if (own === null) throw new Error("a person who is no recipient acted");
  return own;
}

export const notRendered = (): Problem => notNow("document_not_rendered", "document_not_rendered", "page 1 must be on the screen first");

/** Throws if the sender changed the person's name since their page last showed it: it would stand beside what they signed as someone else. */
export function refuseNewName({ renamed_at }: Pick<Recipient, "renamed_at">): void {
  if (renamed_at !== null) throw notNow("signing_stale", "stale", "read it again first");
}

/** Throws unless page 1 of the document was served in this signing session. */
export function renderedIn({ own }: Pick<Ceremony, "own">): Attendance & { readonly rendered_at: Date } {
  if (own === null || own.rendered_at === null) throw notRendered();
  return { ...own, rendered_at: own.rendered_at };
}

function findOwn(recipients: readonly Recipient[], slug: Slug): Recipient {
  const you = recipients.find((one) => one.slug === slug);
  // The sender corrected or removed the recipient after the token was checked.
  if (you === undefined) throw noLongerRecipient();
  return you;
}

/** The slug of the token's recipient. Throws for every other person, who can only read. */
export function recipientOf({ holder }: WidgetCaller): Slug {
  if (holder.slug !== null) return holder.slug;
  throw readOnly("the token's e-mail address is not a signer's");
}

function readOnly(message: string): Problem {
  return new Problem("read_only", "", { details: [{ location: "header", field: "Authorization", code: "read_only", message }] });
}

/** Everyone who has something to do. */
export const ACTING: readonly RecipientKind[] = ["signer", "approver", "viewer"];

/** Throws unless this is the task of one of these kinds of recipients. */
export function refuseOtherTask({ you }: Pick<Ceremony, "you">, kinds: readonly RecipientKind[]): Recipient {
  if (you === null) throw new Error("a person who is no recipient reached a task");
  if (kinds.includes(you.kind)) return you;
  if (you.kind === "cc") throw readOnly("the token's recipient gets a copy and has nothing to do");
  throw notYourTask(`this is not for ${you.kind}s`);
}

/** Runs a recipient's action in one transaction that holds the envelope's lock, so that it cannot overlap with the end of the envelope. */
export function asRecipient<T>(
  deps: SigningDeps,
  who: WidgetCaller,
  kinds: readonly RecipientKind[],
  act: (tx: Tx, ceremony: Ceremony, slug: Slug) => Promise<T>,
): Promise<T> {
  const slug = recipientOf(who);
  return deps.db.tx(who.org, async (tx) => {
    const envelope = await deps.lockEnvelope(tx, who.org, who.holder.envelope_id);
    refuseEnded(envelope);
    const ceremony = await ceremonyOf(deps, tx, who, envelope);
    refuseOtherSession(who, ceremony.own);
    refuseOtherTask(ceremony, kinds);
    refuseUnmailed(ceremony);
    return act(tx, ceremony, slug);
  });
}

/** The same, for signers only. */
export const asSigner = <T>(
  deps: SigningDeps,
  who: WidgetCaller,
  act: (tx: Tx, ceremony: Ceremony, slug: Slug) => Promise<T>,
): Promise<T> => asRecipient(deps, who, ["signer"], act);

/** The problem for a step that is not possible now. The page recognizes it by its code. */
export function notNow(problem: ProblemCode, code: DetailCode, message: string): Problem {
  return new Problem(problem, code, { details: [{ location: "path", field: null, code, message }] });
}

/** Whether the holder can see pages, texts and values: it must be their turn, and they must have answered their questions, if any. */
export function canViewDocument({ state, identity }: Pick<Ceremony, "state" | "identity">): boolean {
  return state !== "waiting" && (identity.state === "not_required" || identity.state === "passed");
}

export function refuseViewing({ state, identity }: Pick<Ceremony, "state" | "identity">): void {
  if (state === "waiting") throw notNow("not_your_turn", "not_your_turn", "others must act before you");
  switch (identity.state) {
    case "not_required":
    case "passed":
      return;
    case "locked":
      throw notNow("signer_locked", "locked", "the sender must let you try again");
    case "unavailable":
      throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
    case "required":
      throw notNow("identity_required", "identity_required", identityMessage(state));
    case "expired":
      throw notNow("identity_expired", "identity_expired", "confirm your identity again");
  }
}

const identityMessage = (state: CeremonyState): string =>
  state === "read_only" ? "this token is not for a signer, so there are no questions to answer" : "confirm your identity first";

/** Throws unless it is the recipient's turn and they can see the document and have not acted. */
export function refuseUnready(ceremony: Ceremony): void {
  refuseActed(ceremony);
  refuseViewing(ceremony);
  refuseUnmailed(ceremony);
}

/** Without the mailed link, a person can read the document, but neither sign nor decline. */
function refuseUnmailed({ state }: Pick<Ceremony, "state">): void {
  if (state !== "mailed_link_required") return;
  throw notNow("mailed_link_required", "mailed_link_required", "the sender accepts only the link in the signer's own e-mail");
}

export function refuseActed({ state, you }: Pick<Ceremony, "state" | "you">): void {
  if (state === "signed") throw notNow("already_signed", "conflict", "a signature cannot be taken back here");
  if (you !== null && hasFinished(you)) throw new Problem("recipient_has_acted");
}

/** The same, and throws without a current consent. The signer can then fill in fields and sign. */
export function consented(ceremony: Ceremony): { readonly you: Signer; readonly consent: Consent } {
  const you = refuseOtherTask(ceremony, ["signer"]) as Signer;
  const { consent } = ceremony;
  refuseUnready(ceremony);
  if (consent === null) throw notNow("consent_required", "consent_required", "agree to sign electronically first");
  return { you, consent };
}

/** Throws unless the recipient can fill in fields now. An approver does not sign, so that no consent to sign is needed. */
export function fillable(ceremony: Ceremony): Recipient {
  const you = refuseOtherTask(ceremony, ["signer", "approver"]);
  if (isSigner(you)) return consented(ceremony).you;
  refuseUnready(ceremony);
  return you;
}

/** A maker of a transferable record signs only after agreeing that it is one. */
export function refuseDisagreed({ agreement }: Pick<Ceremony, "agreement">): void {
  if (agreement === null || agreement.accepted_at !== null) return;
  throw notNow("agreement_required", "agreement_required", "agree first that the document is a transferable record");
}
