import type { ProofPool } from "../../proofs/pool.ts";
import type { OrgId } from "../../shared/ids.ts";

/** Hashed like passwords. An answer is easier to guess than a password: at the door the count of attempts protects it, and the hash once a database was stolen. */
export interface Hashing {
  readonly proofs: ProofPool;
  /** whose turn it is: organizations share the threads */
  readonly org: OrgId;
}

/** As two people would call them the same: width, case and blanks do not count. */
export function normalized(answer: string): string {
  return answer.normalize("NFKC").toLowerCase().trim().replace(/\s+/gu, " ");
}

export function hashAnswer({ proofs, org }: Hashing, answer: string): Promise<string> {
  return proofs.hash(normalized(answer), { known: true, group: org });
}

export function answerMatches({ proofs, org }: Hashing, stored: string, answer: string): Promise<boolean> {
  return proofs.verify(stored, normalized(answer), { known: true, group: org });
}
