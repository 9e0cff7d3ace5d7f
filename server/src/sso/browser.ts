import { type CookieDeps, isSecure, PREFIX } from "../accounts/cookies.ts";
import type { Visitor } from "../http/endpoint.ts";
import { newToken } from "../shared/secrets.ts";

/** Binds a log-in to the browser in which it began, so that no one can be made to finish a log-in of someone else. */

const SECONDS = 600;

/**
 * The prefix keeps pages of neighbouring hosts, such as another one of the same company, from setting the cookie: with a value of their own
 * they could have a visitor finish a log-in to an account of their choice.
 */
const nameOf = (deps: CookieDeps): string => (isSecure(deps) ? `${PREFIX}countersign_sso` : "countersign_sso");

/** The value of the browser's cookie; null if it has none. */
export function browserOf(deps: CookieDeps, { cookies }: Pick<Visitor, "cookies">): string | null {
  const value = cookies[nameOf(deps)] ?? "";
  return /^[\w-]{43}$/.test(value) ? value : null;
}

/** Two tabs of a browser share one. */
export const browserFor = (deps: CookieDeps, visitor: Pick<Visitor, "cookies">): string => browserOf(deps, visitor) ?? newToken();

/** Sent when the provider sends the browser back from its own site, so it cannot be `Strict`. */
export function browserCookie(deps: CookieDeps, value: string): string {
  const secure = isSecure(deps) ? "; Secure" : "";
  return `${nameOf(deps)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SECONDS}${secure}`;
}
