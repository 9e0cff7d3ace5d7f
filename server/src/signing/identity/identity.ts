import { type IdentityMethod, identityLevel } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import type { TokenHolder, WidgetCaller } from "../../shared/caller.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Recipient, SentEnvelope, SigningDeps } from "../submission.ts";
import { hasQuestions, resultsOf } from "./kba/kba-store.ts";
import type { Methods } from "./method.ts";
import { listRequirementStates, personOf, type RequirementState } from "./store.ts";

export const stepStates = ["unavailable", "required", "passed", "expired", "locked"] as const;
type StepState = (typeof stepStates)[number];

/** One method that is required of a person, in one signing session. */
export interface IdentityStep {
  readonly method: IdentityMethod;
  readonly state: StepState;
  /** null if the method cannot be tried now */
  readonly attempts_left: number | null;
  /** how long a signature can rely on the pass */
  readonly valid_until: Date | null;
  /** where a code is sent, shortened; null if none is sent */
  readonly hint: string | null;
}

/** What a person has to prove in one signing session. `state`, `attempts_left` and `valid_until` are those of the first open step. */
export interface Identity {
  readonly state: "not_required" | StepState;
  /** if every step is passed: until the first of them expires */
  readonly valid_until: Date | null;
  /** null if nothing is required */
  readonly attempts_left: number | null;
  /** of what is passed now */
  readonly level: number;
  /** in the order in which they are asked */
  readonly steps: readonly IdentityStep[];
}

// Allows one mistake. More attempts would allow guessing.
const MAX_ATTEMPTS = 2;

const NOT_REQUIRED: Identity = { state: "not_required", valid_until: null, attempts_left: null, level: 0, steps: [] };
// A viewer has nothing to answer and cannot prove their identity in another way.
const NOT_A_SIGNER: Identity = { ...NOT_REQUIRED, state: "required" };

export async function identityOf(
  { identityMethods: methods }: Pick<SigningDeps, "identityMethods">,
  read: Read,
  org: OrgId,
  envelope: Pick<SentEnvelope, "kba_required" | "identity_required" | "identity_required_of_tokens">,
  you: Recipient | null,
  holder: Pick<WidgetCaller["holder"], "signing_session" | "credential">,
): Promise<Identity> {
  if (!isAsked(envelope, holder)) return NOT_REQUIRED;
  if (you === null) return NOT_A_SIGNER;
  // They can read nothing before the result, which is for them.
  if (you.kind === "cc") return NOT_REQUIRED;
  const { signing_session: session, credential } = holder;
  const required = (await listRequirementStates(methods, read, org, you.slug, session)).filter(
    (one) => !one.links_only || credential === "email_link",
  );
  const codes = required.map((one) => codeStep(methods, one, you));
  // Last, so that a person who cannot get the code of another cannot use up the attempts at the questions.
  const steps = envelope.kba_required ? [...codes, await questionStep(read, org, you, session)] : codes;
  return wholeOf(steps, you);
}

/** Whether anyone has to prove who they are, as far as it concerns people who come with a link, or with a token. */
export const isAsked = (
  { identity_required, identity_required_of_tokens }: Pick<SentEnvelope, "identity_required" | "identity_required_of_tokens">,
  { credential }: Pick<TokenHolder, "credential">,
): boolean => (credential === "embed_token" ? identity_required_of_tokens : identity_required);

function wholeOf(steps: readonly IdentityStep[], { status }: Recipient): Identity {
  if (steps.length === 0) return NOT_REQUIRED;
  const level = identityLevel(steps.filter(({ state }) => state === "passed").map(({ method }) => method));
  if (status === "locked") return { state: "locked", valid_until: null, attempts_left: 0, level, steps: steps.map(locked) };
  const open = steps.find(({ state }) => state !== "passed");
  if (open !== undefined) {
    const { state, valid_until, attempts_left } = open;
    return { state, valid_until, attempts_left, level, steps };
  }
  const [first] = [...steps].sort((a, b) => Number(a.valid_until) - Number(b.valid_until));
  return { state: "passed", valid_until: first?.valid_until ?? null, attempts_left: first?.attempts_left ?? null, level, steps };
}

const locked = (step: IdentityStep): IdentityStep => ({ ...step, state: "locked", attempts_left: 0, valid_until: null });

function codeStep(methods: Methods, required: RequirementState, you: Recipient): IdentityStep {
  const { method, passed, valid_until, is_valid, failures, tried } = required;
  const { tries, locks, hint } = methods[method];
  const attempts_left = Math.max(tries - (locks ? failures : tried), 0);
  const step = { method, hint: hint(personOf(you, required)), attempts_left, valid_until: null };
  // A person who returns for their copy keeps their status, but the limit of attempts still applies.
  if (locks && attempts_left === 0) return { ...step, state: "locked" };
  if (passed !== true) return { ...step, state: "required" };
  return { ...step, state: is_valid === true ? "passed" : "expired", valid_until };
}

async function questionStep(read: Read, org: OrgId, you: Recipient, session: string): Promise<IdentityStep> {
  const step = { method: "kba", valid_until: null, hint: null } as const;
  if (!(await hasQuestions(read, org, you.slug))) return { ...step, state: "unavailable", attempts_left: null };
  const { passed, valid_until, is_valid, failures } = await resultsOf(read, org, you.slug, session);
  // A signer who returns for their copy keeps the status `signed`, but the limit of attempts still applies.
  const attempts_left = MAX_ATTEMPTS - failures;
  if (attempts_left <= 0) return { ...step, state: "locked", attempts_left: 0 };
  if (passed !== true) return { ...step, state: "required", attempts_left };
  return { ...step, state: is_valid === true ? "passed" : "expired", valid_until, attempts_left };
}
