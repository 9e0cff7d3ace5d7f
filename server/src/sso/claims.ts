import type { Role } from "../shared/scopes.ts";
import type { ConnectionSettings } from "./connection.ts";

/** What an ID token says about a person, as far as we use it, and the rules about it. The token itself was checked before. */

export interface Claims {
  readonly subject: string;
  readonly email: string | null;
  /** null: the provider does not say */
  readonly email_verified: boolean | null;
  readonly name: string | null;
  /** values of the connection's role claim */
  readonly roles: readonly string[];
  /** the provider left groups out because there are too many (Entra ID) */
  readonly groups_left_out: boolean;
  readonly acr: string | null;
  readonly amr: readonly string[];
  /** when the person logged in to the provider, in seconds; null: the provider does not say */
  readonly auth_time: number | null;
}

export type Token = Readonly<Record<string, unknown>>;

// Values come from outside. Longer ones are no names, addresses or roles.
const MAX_LENGTH = 1000;
const MAX_VALUES = 1000;

// PostgreSQL stores neither.
const UNSTORABLE = /[\0\p{Cs}]/u;

const textOr = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= MAX_LENGTH && !UNSTORABLE.test(value) ? value : null;

export const hasSubject = ({ sub }: Token): boolean => textOr(sub) !== null;

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).slice(0, MAX_VALUES).filter((one): one is string => textOr(one) !== null);

export function claimsOf(token: Token, { role_claim }: Pick<ConnectionSettings, "role_claim">): Claims {
  const { sub, email, email_verified, name, acr, amr, auth_time, _claim_names: elsewhere } = token;
  const subject = textOr(sub);
  if (subject === null) throw new Error("an ID token without a subject was accepted");
  return {
    subject,
    email: textOr(email),
    // Some providers send booleans as text.
    email_verified: email_verified === undefined || email_verified === null ? null : email_verified === true || email_verified === "true",
    name: textOr(name),
    roles: role_claim === null ? [] : textsOf(valueAt(token, role_claim)),
    groups_left_out: role_claim !== null && typeof elsewhere === "object" && elsewhere !== null && role_claim in elsewhere,
    acr: textOr(acr),
    amr: amr === undefined ? [] : textsOf(amr),
    auth_time: typeof auth_time === "number" ? auth_time : null,
  };
}

/** A claim by its name, or by a path such as `realm_access.roles`. A name can itself contain dots, such as that of a namespace. */
function valueAt(token: Token, claim: string): unknown {
  if (Object.hasOwn(token, claim)) return token[claim];
  let value: unknown = token;
  for (const part of claim.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Token)[part];
  }
  return value;
}

/** The first rule whose value the provider sent, or the default role. Null: no role, so no access. */
export function roleOf({ roles }: Pick<Claims, "roles">, connection: Pick<ConnectionSettings, "role_map" | "default_role">): Role | null {
  return connection.role_map.find(({ value }) => roles.includes(value))?.role ?? connection.default_role;
}

/** Whether the person proved who they are as strongly as the connection demands. */
export function isStrongEnough(
  { acr, amr }: Pick<Claims, "acr" | "amr">,
  { required_acr, required_amr }: Pick<ConnectionSettings, "required_acr" | "required_amr">,
): boolean {
  return (required_acr === null || acr === required_acr) && (required_amr ?? []).every((method) => amr.includes(method));
}
