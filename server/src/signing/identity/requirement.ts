import { type Static, Type } from "typebox";
import { about, named } from "../../http/shapes.ts";
import { type Detail, Problem } from "../../shared/problems.ts";
import type { Hashing } from "./kba/answers.ts";
import { type Able, type Fault, type MethodName, MIN_CODE_CHARACTERS, methodNames } from "./method.ts";

const MAX_CODE_CHARACTERS = 64;
// Two channels are as much as a person can be asked for; identity questions come on top.
const MAX_METHODS = 2;

/** What the sender requires of one person. An access code is accepted here and never shown again. */
export const Authentication = Type.Array(
  named(
    "RequiredIdentity",
    Type.Object({
      method: about(
        Type.Enum([...methodNames]),
        "`email_code`: a code that we mail to the person. `access_code`: a code that you agree on with the person; we never mail it",
      ),
      code: Type.Optional(
        Type.String({
          minLength: MIN_CODE_CHARACTERS,
          maxLength: MAX_CODE_CHARACTERS,
          description: "For `access_code` only. Stored as a hash and never shown again",
        }),
      ),
    }),
  ),
  { maxItems: MAX_METHODS, description: "What the person must enter before they can see the document, in this order" },
);
export type Authentication = Static<typeof Authentication>;

/** What a draft keeps of it. An access code is accepted only by the request that sends, so that no draft has one. */
export const KeptAuthentication = Type.Array(
  named(
    "DraftIdentity",
    Type.Object({
      method: about(
        Type.Enum([...methodNames]),
        "`access_code`: the draft keeps that a code is asked for, never the code. Name it in the request that sends",
      ),
    }),
  ),
  { maxItems: MAX_METHODS, description: "What the person will have to enter before they can see the document, in this order" },
);
export type KeptAuthentication = Static<typeof KeptAuthentication>;

/** In its stored form, from which no code can be read. */
export interface Requirement {
  readonly method: MethodName;
  readonly code_hash: string | null;
  /** added by the organization's minimum, and not asked of a person with a token of its own application */
  readonly links_only: boolean;
}

/** Outside any transaction, because hashing is slow on purpose. Throws 422 for what cannot be required here. */
export async function hashRequirements(able: Able, hashing: Hashing, given: Authentication, field: string): Promise<Requirement[]> {
  const details = given.flatMap((one, index) =>
    faultsOf(able, given, one, index).map((fault) => ({ ...fault, field: `${field}[${index}].${fault.field}` })),
  );
  if (details.length > 0) throw new Problem("invalid_request", "authentication", { details });
  const hashed: Requirement[] = [];
  for (const { method, code } of given) {
    const { material } = able.methods[method];
    const code_hash = material === null || code === undefined ? null : await material.keep(hashing, code);
    hashed.push({ method, code_hash, links_only: false });
  }
  return hashed;
}

function faultsOf(able: Able, given: Authentication, { method, code }: Authentication[number], index: number): Detail[] {
  const faults = (field: string, found: Fault | null): Detail[] => (found === null ? [] : [{ location: "body", field, ...found }]);
  const { material, lacks } = able.methods[method];
  if (given.findIndex((one) => one.method === method) < index)
    return faults("method", { code: "duplicate", message: "must not be required twice" });
  const lacking = lacks(able);
  if (lacking !== null) return faults("method", lacking);
  if (material === null) return faults("code", code === undefined ? null : { code: "conflict", message: "is only for access_code" });
  return faults("code", code === undefined ? { code: "required", message: `is required for ${method}` } : material.faultOf(code));
}
