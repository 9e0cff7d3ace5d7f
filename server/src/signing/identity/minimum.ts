import { identityLevel } from "@countersign/evidence";
import { type Detail, Problem } from "../../shared/problems.ts";
import type { IdentityPolicy } from "../submission.ts";
import type { Able } from "./method.ts";
import type { Requirement } from "./requirement.ts";

interface Asked {
  readonly policy: IdentityPolicy;
  /** identity questions are asked too */
  readonly kba_required: boolean;
  /** started on a public form: its visitors have tokens that no application of the organization vouches for */
  readonly of_form: boolean;
}

/** Where a fault is reported, and what to do about it. */
interface Place {
  readonly field: string;
  readonly otherwise?: string;
}

/**
 * Completes what the sender requires of a person: a code by e-mail is added where that reaches the organization's minimum. Throws 422 where
 * nothing that can be added does.
 */
export function atLeast(
  able: Able,
  given: readonly Requirement[],
  { policy, kba_required, of_form }: Asked,
  { field, otherwise = "Require an access code, or identity questions" }: Place,
): readonly Requirement[] {
  const { min_identity_level: min, embed_identity } = policy;
  const levelWith = (more: readonly string[]): number =>
    identityLevel([...given.map(({ method }) => method), ...(kba_required ? ["kba"] : []), ...more]);
  if (levelWith([]) >= min) return given;
  if (levelWith(["email_code"]) < min) throw tooLow(field, min, otherwise);
  if (able.methods.email_code.lacks(able) !== null)
    throw tooLow(
      field,
      min,
      `${min === 1 ? `${otherwise}. ` : ""}A code by e-mail needs a mail server, which the operator sets up with SMTP_URL`,
    );
  // The application is trusted for the first level only.
  const links_only = embed_identity === "partner" && !of_form && min === 1;
  return [{ method: "email_code", code_hash: null, links_only }, ...given];
}

function tooLow(field: string, min: number, way: string): Problem {
  const message = `does not reach identity level ${min}, which your organization demands. ${way}`;
  const detail: Detail = { location: "body", field, code: "identity_level_too_low", message };
  return new Problem("invalid_request", "identity level", { details: [detail] });
}
