import { type Static, Type } from "typebox";
import { about, named } from "../../http/shapes.ts";
import { type Detail, Problem } from "../../shared/problems.ts";
import type { Hashing } from "./kba/answers.ts";
import { type Able, type MethodName, methodNames, methods, plainCode } from "./method.ts";

const MIN_CODE_CHARACTERS = 6;
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
export async function hashRequirements(deps: Able, hashing: Hashing, given: Authentication, field: string): Promise<Requirement[]> {
  const details = given.flatMap((one, index) =>
    faultsOf(deps, given, one, index).map((fault) => ({ ...fault, field: `${field}[${index}].${fault.field}` })),
  );
  if (details.length > 0) throw new Problem("invalid_request", "authentication", { details });
  const hashed: Requirement[] = [];
  for (const { method, code } of given) {
    const code_hash = code === undefined ? null : await hashing.proofs.hash(plainCode(code), { known: true, group: hashing.org });
    hashed.push({ method, code_hash, links_only: false });
  }
  return hashed;
}

function faultsOf(deps: Able, given: Authentication, { method, code }: Authentication[number], index: number): Detail[] {
  const fault = (field: string, code: Detail["code"], message: string): Detail => ({ location: "body", field, code, message });
  const { sending } = methods[method];
  if (given.findIndex((one) => one.method === method) < index) return [fault("method", "duplicate", "must not be required twice")];
  if (sending !== null && !sending.isPossible(deps)) {
    const message = "needs a mail server. The operator sets SMTP_URL first";
    return [fault("method", "mail_not_set_up", message)];
  }
  if (method !== "access_code") return code === undefined ? [] : [fault("code", "conflict", "is only for access_code")];
  if (code === undefined) return [fault("code", "required", "is required for access_code")];
  const isLong = [...plainCode(code)].length >= MIN_CODE_CHARACTERS;
  return isLong ? [] : [fault("code", "too_small", `must have at least ${MIN_CODE_CHARACTERS} characters, without spaces around them`)];
}
