import type { DraftIdentity, IdentityMethod, RequiredIdentity } from "@countersign/client/types";

/** What a person enters before they see the document, besides identity questions. The draft keeps which codes, never an access code. */
export interface Identity {
  readonly check: IdentityCheck;
  /** for the checks with an access code; in memory only, and empty if it was not entered since the draft was opened */
  readonly code: string;
}

export const identityChecks = ["none", "email_code", "access_code", "both"] as const;
export type IdentityCheck = (typeof identityChecks)[number];

export const noIdentity: Identity = { check: "none", code: "" };

export const hasCode = ({ check }: Identity): boolean => check === "access_code" || check === "both";
export const isMailed = (check: IdentityCheck): boolean => check === "email_code" || check === "both";

const MIN_CODE = 6;
export const MAX_CODE = 64;

/** An access code that is needed and too short. */
export const lacksCode = (identity: Identity): boolean => hasCode(identity) && [...identity.code.trim()].length < MIN_CODE;

/** As the API expects it. A code that is missing is left out, and refused there. */
export const authenticationOf = ({ check, code }: Identity): RequiredIdentity[] =>
  methodsOf(check).map(({ method }) => (method === "access_code" && code.trim() !== "" ? { method, code: code.trim() } : { method }));

/** As the draft keeps it. */
export function methodsOf(check: IdentityCheck): DraftIdentity[] {
  const mailed: DraftIdentity[] = isMailed(check) ? [{ method: "email_code" }] : [];
  return check === "access_code" || check === "both" ? [...mailed, { method: "access_code" }] : mailed;
}

/** What the API says is required; it never says the code. */
export function identityOf(required: readonly { readonly method: IdentityMethod }[]): Identity {
  const has = (wanted: IdentityMethod) => required.some(({ method }) => method === wanted);
  const check = has("access_code") ? (has("email_code") ? "both" : "access_code") : has("email_code") ? "email_code" : "none";
  return { check, code: "" };
}

/** For display: codes are never shown. */
export const withoutCodes = (authentication: readonly RequiredIdentity[]): RequiredIdentity[] =>
  authentication.map(({ method, code }) => ({ method, ...(code !== undefined && { code: "…" }) }));

// Without letters and digits that look or sound alike.
const SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const SUGGESTED = 8;

/** 40 random bits, and five wrong codes lock the person. */
export function suggestCode(): string {
  // Greater values would make the first signs more frequent.
  const limit = 256 - (256 % SIGNS.length);
  let code = "";
  while (code.length < SUGGESTED) {
    const value = crypto.getRandomValues(new Uint8Array(1))[0] ?? 255;
    if (value < limit) code += SIGNS[value % SIGNS.length];
  }
  return code;
}
