import type { Visitor } from "../http/endpoint.ts";
import { Problem } from "../shared/problems.ts";
import { type OrgDeps, SESSION_SECONDS } from "./org.ts";

const NAME = "countersign_refresh";

type CookieDeps = Pick<OrgDeps, "publicUrl">;

export function refreshCookie(deps: CookieDeps, token: string): Record<string, string> {
  return { "set-cookie": cookie(deps, token, SESSION_SECONDS) };
}

export function endedCookie(deps: CookieDeps): Record<string, string> {
  return { "set-cookie": cookie(deps, "", 0) };
}

function cookie(deps: CookieDeps, value: string, maxAge: number): string {
  const secure = deps.publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

/** The refresh token of the body, or of the cookie. A cookie travels by itself, so only the console's own pages may use it. */
export function refreshTokenOf(deps: CookieDeps, visitor: Visitor, given: string | undefined): string | null {
  if (given !== undefined) return given;
  const fromCookie = visitor.cookies[NAME];
  if (fromCookie === undefined || fromCookie === "") return null;
  if (visitor.origin !== new URL(deps.publicUrl).origin) throw new Problem("origin_refused");
  return fromCookie;
}
