import type { SystemTx } from "../db/sql.ts";
import type { AssertionResponse } from "../proofs/protocol.ts";
import { matchingStep } from "../proofs/totp.ts";
import type { Origin } from "../shared/caller.ts";
import type { UserId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import type { AccountDeps } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { advanceTotp, listApps, useRecoveryCode } from "./factor-store.ts";
import { hashOfCode, mailPerson, secretOf } from "./factors.ts";
import { recoveryCodeUsedMail } from "./messages.ts";
import { advancePasskey } from "./passkey-store.ts";
import { type CheckedPasskey, checkPasskey, type PasskeyDeps } from "./passkeys.ts";

/** `passkey` is null if the browser's answer was not right. */
export type FactorProof = { readonly code: string } | { readonly recovery_code: string } | { readonly passkey: CheckedPasskey | null };

export interface GivenProof {
  readonly code?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey?: AssertionResponse | undefined;
}

/** Exactly one of the three; 422 otherwise. A passkey is checked here, because that is slow and comes before the transaction. */
export async function oneProof(deps: PasskeyDeps, ip: string, { code, recovery_code, passkey }: GivenProof): Promise<FactorProof> {
  const given = Object.entries({ code, recovery_code, passkey }).filter(([, value]) => value !== undefined);
  if (given.length > 1) throw invalidField(given[1]?.[0] ?? "", "conflict", `cannot be given with ${given[0]?.[0]}`);
  if (code !== undefined) return { code };
  if (recovery_code !== undefined) return { recovery_code };
  if (passkey !== undefined) return { passkey: await checkPasskey(deps, ip, passkey) };
  throw invalidField("code", "required", "is required, unless recovery_code or passkey is given");
}

/** What proved the factor, or null for a wrong or used code. A code works once: of two requests with the same one, one gets null. */
export async function proveFactor(
  deps: AccountDeps,
  tx: SystemTx,
  by: Origin,
  user_id: UserId,
  proof: FactorProof,
): Promise<"totp" | "recovery_code" | "passkey" | null> {
  if ("passkey" in proof) return (await usePasskey(tx, by, user_id, proof.passkey)) ? "passkey" : null;
  if ("code" in proof) return (await useCode(deps, tx, user_id, proof.code)) ? "totp" : null;
  const left = await useRecoveryCode(tx, user_id, hashOfCode(proof.recovery_code));
  if (left === null) return null;
  const actor = { kind: "user", id: user_id } as const;
  await appendInOrgs(tx, user_id, { type: "recovery_code.used", by: { ...by, actor }, data: { user_id, left } });
  await mailPerson(deps, tx, user_id, recoveryCodeUsedMail(left));
  return "recovery_code";
}

async function useCode(deps: AccountDeps, tx: SystemTx, user_id: UserId, code: string): Promise<boolean> {
  for (const factor of await listApps(tx, user_id)) {
    const step = matchingStep(secretOf(deps, factor), code, tx.now);
    if (step !== null && (await advanceTotp(tx, factor.factor_id, user_id, step))) return true;
  }
  return false;
}

/** A count that goes back is recorded: the passkey may have been copied. The transaction must commit. */
export async function usePasskey(tx: SystemTx, by: Origin, user_id: UserId, passkey: CheckedPasskey | null): Promise<boolean> {
  if (passkey === null || passkey.user_id !== user_id) return false;
  const { factor_id, sign_count } = passkey;
  const outcome = await advancePasskey(tx, factor_id, user_id, sign_count);
  if (outcome !== "behind") return outcome === "advanced";
  const actor = { kind: "user", id: user_id } as const;
  await appendInOrgs(tx, user_id, {
    type: "factor.refused",
    by: { ...by, actor },
    data: { user_id, factor_id, reason: "count", sign_count },
  });
  return false;
}
