import type { Visitor } from "../http/endpoint.ts";
import { Problem } from "../shared/problems.ts";
import { type AccountDeps, SESSION_SECONDS } from "./account.ts";
import { cookieLine } from "./cookies.ts";

const NAME = "countersign_refresh";

type CookieDeps = Pick<AccountDeps, "publicUrl">;

export function refreshCookie(deps: CookieDeps, token: string): string {
  return cookieLine(deps, NAME, token, SESSION_SECONDS);
}

export function endedCookie(deps: CookieDeps): string {
  return cookieLine(deps, NAME, "", 0);
}

/** The refresh token from the body or the cookie. Browsers send cookies automatically, so only the console's own pages may use one. */
export function refreshTokenOf(deps: CookieDeps, visitor: Visitor, given: string | undefined): string | null {
  if (given !== undefined) return given;
  const fromCookie = visitor.cookies[NAME];
  if (fromCookie === undefined || fromCookie === "") return null;
  if (visitor.origin !== new URL(deps.publicUrl).origin) throw new Problem("origin_refused");
  return fromCookie;
}
