import type { AccountDeps } from "./account.ts";

/** A cookie for the `/auth` paths only. Scripts cannot read it, and pages of other sites do not send it. */
export function cookieLine({ publicUrl }: Pick<AccountDeps, "publicUrl">, name: string, value: string, maxAge: number): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}
