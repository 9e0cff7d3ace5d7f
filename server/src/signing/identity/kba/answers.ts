import type { ProofPool } from "../../../proofs/pool.ts";
import type { OrgId } from "../../../shared/ids.ts";

/**
 * Hashed like passwords. An answer is easier to guess than a password: online, the limit of attempts protects it; if the database is
 * stolen, the hash does.
 */
export interface Hashing {
  readonly proofs: ProofPool;
  /** for fair scheduling, because organizations share the threads */
  readonly org: OrgId;
}

/** Makes equivalent spellings equal: character width, case and white space do not count. */
export function normalized(answer: string): string {
  return answer.normalize("NFKC").toLowerCase().trim().replace(/\s+/gu, " ");
}

export function hashAnswer({ proofs, org }: Hashing, answer: string): Promise<string> {
  return proofs.hash(normalized(answer), { known: true, group: org });
}

export function answerMatches({ proofs, org }: Hashing, stored: string, answer: string): Promise<boolean> {
  return proofs.verify(stored, normalized(answer), { known: true, group: org });
}
