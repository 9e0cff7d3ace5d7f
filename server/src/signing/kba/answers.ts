import { hash, verify } from "@node-rs/argon2";

// As for passwords (OWASP's second choice for argon2id). An answer is easier to guess than a password, so the count of attempts is what
// protects it at the door; this is what is left once a database was stolen.
const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

/** As two people would call them the same: width, case and blanks do not count. */
export function normalized(answer: string): string {
  return answer.normalize("NFKC").toLowerCase().trim().replace(/\s+/gu, " ");
}

export function hashAnswer(answer: string): Promise<string> {
  return hash(normalized(answer), PARAMETERS);
}

export function answerMatches(stored: string, answer: string): Promise<boolean> {
  return verify(stored, normalized(answer));
}
