// OWASP's second recommendation for argon2id: 19 MiB, two passes, one lane (argon2id is the library's default). With more memory a
// burst of log-ins could exhaust a small machine.
export const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** Whether a stored hash has the current parameters. */
export function isCurrent(stored: string): boolean {
  return CURRENT.test(stored);
}

/** The hash of random bytes that were not kept. Comparing with it takes as long as with the hash of a known person. */
export const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$Phc260SujpORjh2uc7QmXg$xqNDrjOTj+igAnG2hhYQxQKGLLF9GmhysSv9KUCy1oM";
