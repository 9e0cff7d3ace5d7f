import type { Origin } from "../shared/caller.ts";
import type { UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { FactorProof } from "./prove-factor.ts";
import { noteSignIn, type SignInMethod } from "./sign-in-store.ts";
import type { CountDeps } from "./throttle.ts";

interface Noting {
  failed(): Promise<void>;
  /** Runs `count`, and records a 429 that it throws. */
  blocked(count: () => Promise<void>): Promise<void>;
}

/** Records the failures of a person who is known, for their organizations. `reason`: of a failure. */
export function notingSignIns(deps: CountDeps, from: Origin, user_id: UserId, method: SignInMethod, reason: string): Noting {
  const note = (result: "failed" | "blocked", why: string) =>
    deps.db.lease((read) => noteSignIn(read, from, { of: { user_id }, method, result, reason: why }));
  return {
    failed: () => note("failed", reason),
    async blocked(count) {
      try {
        await count();
      } catch (error) {
        if (error instanceof Problem && error.code === "rate_limited") await note("blocked", "too_many_attempts");
        throw error;
      }
    },
  };
}

export function notingCodes(deps: CountDeps, from: Origin, user_id: UserId, proof: FactorProof): Noting {
  if ("passkey" in proof) return notingSignIns(deps, from, user_id, "passkey", "passkey_not_accepted");
  return notingSignIns(deps, from, user_id, "code" in proof ? "totp" : "recovery_code", "wrong_code");
}
