import type { Db } from "../../db/connect.ts";
import { DECOY } from "../../proofs/parameters.ts";
import type { ProofPool, Turn } from "../../proofs/pool.ts";
import type { PersonId } from "../../shared/ids.ts";
import { countTry, TRIES_PER_CODE } from "./limits.ts";
import { takeCodeTry } from "./store.ts";

export interface RightCode {
  readonly person_id: PersonId;
  readonly act_sha256: string | null;
  readonly code_hash: string;
}

interface TryDeps {
  readonly db: Pick<Db, "lease">;
  readonly proofs: ProofPool;
}

/** What the code is for: log-in, or one act. */
export type CodePurpose = { readonly act_id: string; readonly sha256: string } | null;

/** Compares a code with the mailed one. Null if it is wrong. It is not used up yet. An unknown address costs the same work. */
export function tryCode(deps: TryDeps, turn: Turn, email: string, purpose: CodePurpose, code: string): Promise<RightCode | null> {
  return countTry(deps, email, purpose?.act_id ?? null, async () => {
    const act_sha256 = purpose?.sha256 ?? null;
    const known = await deps.db.lease((read) => takeCodeTry(read, email, act_sha256, TRIES_PER_CODE));
    const isRight = await deps.proofs.verify(known?.code_hash ?? DECOY, code, turn);
    return isRight && known !== null ? { ...known, act_sha256 } : null;
  });
}
