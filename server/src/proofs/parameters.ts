// OWASP's second choice for argon2id: 19 MiB, two passes, one lane (argon2id is the library's default). More memory would let a burst of
// log-ins exhaust a small machine.
export const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** Whether a stored hash was made with today's parameters. */
export function isCurrent(stored: string): boolean {
  return CURRENT.test(stored);
}
