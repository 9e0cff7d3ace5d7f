import type { Visitor } from "../http/endpoint.ts";
import { Problem } from "../shared/problems.ts";
import { SESSION_SECONDS } from "./account.ts";
import { type CookieDeps, cookieLines, type ShownCookie, shownCookie } from "./cookies.ts";

const NAME = "countersign_refresh";

export function refreshCookie(deps: CookieDeps, token: string): string[] {
  return cookieLines(deps, NAME, token, SESSION_SECONDS);
}

export function endedCookie(deps: CookieDeps): string[] {
  return cookieLines(deps, NAME, "", 0);
}

/** The refresh token from the body or the cookie. Browsers send cookies automatically, so only the console's own pages may use one. */
export function refreshTokenOf(deps: CookieDeps, visitor: Visitor, given: string | undefined): ShownCookie | null {
  if (given !== undefined) return { value: given, isOld: false };
  const shown = shownCookie(deps, visitor, NAME);
  if (shown !== null && visitor.origin !== new URL(deps.publicUrl).origin) throw new Problem("origin_refused");
  return shown;
}
