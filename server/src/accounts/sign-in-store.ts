import { type Read, sql } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import type { KeyId, OrgId, UserId } from "../shared/ids.ts";

export const signInMethods = ["password", "totp", "recovery_code", "passkey", "session", "api_key"] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** A log-in that failed, was blocked or came from a refused address, or a request that was not allowed. */
export interface SignInAttempt {
  /** the person, by id or by the address that was entered, or the key */
  readonly of: { readonly user_id: UserId } | { readonly email: string } | { readonly key_id: KeyId };
  readonly method: SignInMethod;
  readonly result: "failed" | "blocked" | "refused" | "forbidden";
  readonly reason: string;
  /** what it was attempted on; every org of the person without it */
  readonly org?: OrgId;
}

/** Only outside transactions: the attempt is recorded whatever becomes of the request. Takes the same time for an address without an account. */
export async function noteSignIn(read: Read, from: Pick<Origin, "ip" | "user_agent">, attempt: SignInAttempt): Promise<void> {
  const { of, method, result, reason, org = null } = attempt;
  const { user_id = null, email = null, key_id = null } = of as { user_id?: UserId; email?: string; key_id?: KeyId };
  await read.query(sql`
    select note_sign_in(${org}, ${user_id}, ${key_id}, ${email}, ${from.ip}, ${from.user_agent}, ${method}, ${result}, ${reason})`);
}
