import type { OrgDeps } from "./org.ts";

/** For log-in and what belongs to it alone: no script can read it, and no page of another site sends it. */
export function cookieLine({ publicUrl }: Pick<OrgDeps, "publicUrl">, name: string, value: string, maxAge: number): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}
