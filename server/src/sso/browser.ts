import type { AccountDeps } from "../accounts/account.ts";
import type { Visitor } from "../http/endpoint.ts";
import { newToken } from "../shared/secrets.ts";

/** Binds a log-in to the browser in which it began, so that no one can be made to finish a log-in of someone else. */

const NAME = "countersign_sso";
const SECONDS = 600;

/** The value of the browser's cookie; null if it has none. */
export function browserOf({ cookies }: Pick<Visitor, "cookies">): string | null {
  const value = cookies[NAME] ?? "";
  return /^[\w-]{43}$/.test(value) ? value : null;
}

/** Two tabs of a browser share one. */
export const browserFor = (visitor: Pick<Visitor, "cookies">): string => browserOf(visitor) ?? newToken();

/** Sent when the provider sends the browser back from its own site, so it cannot be `Strict`. */
export function browserCookie({ publicUrl }: Pick<AccountDeps, "publicUrl">, value: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SECONDS}${secure}`;
}
