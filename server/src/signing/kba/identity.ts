import type { Read } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Recipient, SentEnvelope } from "../submission.ts";
import { hasQuestions, resultsOf } from "./kba-store.ts";

/** The state of a signer's identity questions in one signing session. */
export interface Identity {
  readonly state: "not_required" | "unavailable" | "required" | "passed" | "expired" | "locked";
  /** how long a signature can rely on the pass */
  readonly valid_until: Date | null;
  /** null if no questions are required */
  readonly attempts_left: number | null;
}

// Allows one mistake. More attempts would allow guessing.
const MAX_ATTEMPTS = 2;

const LOCKED: Identity = { state: "locked", valid_until: null, attempts_left: 0 };
const NOT_REQUIRED: Identity = { state: "not_required", valid_until: null, attempts_left: null };
// A viewer has no questions to answer and cannot prove their identity in another way.
const NOT_A_SIGNER: Identity = { state: "required", valid_until: null, attempts_left: null };

export async function identityOf(
  read: Read,
  org: OrgId,
  { kba_required }: Pick<SentEnvelope, "kba_required">,
  you: Recipient | null,
  session: string,
): Promise<Identity> {
  if (!kba_required) return NOT_REQUIRED;
  if (you === null) return NOT_A_SIGNER;
  // They can read nothing before the result, which is for them.
  if (you.kind === "cc") return NOT_REQUIRED;
  if (you.status === "locked") return LOCKED;
  if (!(await hasQuestions(read, org, you.slug))) return { state: "unavailable", valid_until: null, attempts_left: null };
  const { passed, valid_until, is_valid, failures } = await resultsOf(read, org, you.slug, session);
  // A signer who returns for their copy keeps the status `signed`, but the limit of attempts still applies.
  const attempts_left = MAX_ATTEMPTS - failures;
  if (attempts_left <= 0) return LOCKED;
  if (passed !== true) return { state: "required", valid_until: null, attempts_left };
  return { state: is_valid === true ? "passed" : "expired", valid_until, attempts_left };
}
