import type { Visitor } from "../http/endpoint.ts";
import type { AccountDeps } from "./account.ts";

/** Cookies for the `/auth` paths. Scripts cannot read them, and pages of other sites do not send them. */

export type CookieDeps = Pick<AccountDeps, "publicUrl">;

export const isSecure = ({ publicUrl }: CookieDeps): boolean => publicUrl.startsWith("https:");

/** Pages of neighbouring hosts, such as another one of the same company, cannot set such a cookie. It needs https and the path `/`. */
export const PREFIX = "__Host-";

/** The lines that set a cookie. Over https the same line also removes the one without the prefix, which earlier versions set. */
export function cookieLines(deps: CookieDeps, name: string, value: string, maxAge: number): string[] {
  const plain = (text: string, seconds: number) => `${name}=${text}; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  if (!isSecure(deps)) return [plain(value, maxAge)];
  return [`${PREFIX}${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}; Secure`, `${plain("", 0)}; Secure`];
}

export interface ShownCookie {
  readonly value: string;
  /** over https, without the prefix: from an earlier version, or planted by a neighbouring host */
  readonly isOld: boolean;
}

/** One without the prefix counts only if there is none with it. Null without a value. */
export function shownCookie(deps: CookieDeps, { cookies }: Pick<Visitor, "cookies">, name: string): ShownCookie | null {
  const isOver = isSecure(deps);
  const safe = isOver ? (cookies[PREFIX + name] ?? "") : "";
  if (safe !== "") return { value: safe, isOld: false };
  const plain = cookies[name] ?? "";
  return plain === "" ? null : { value: plain, isOld: isOver };
}
