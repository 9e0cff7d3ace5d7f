// The algorithms that evidence rests on, with a status each. An algorithm that weakens becomes `verify_only`: nothing new is made with it,
// what exists still verifies, and the service records everything again with a stronger one. `refused` is for algorithms that are broken.

/** accepted: for new and existing records. verify_only: for existing records. refused: for none. */
export type AlgorithmStatus = "accepted" | "verify_only" | "refused";

const statuses: readonly AlgorithmStatus[] = ["accepted", "verify_only", "refused"];

const today = {
  "sha-1": "refused",
  "sha-256": "accepted",
  "sha-384": "accepted",
  "sha-512": "accepted",
  ed25519: "accepted",
  "ecdsa-p256": "accepted",
  "ecdsa-p384": "accepted",
  "rsa-2048": "accepted",
} as const satisfies Record<string, AlgorithmStatus>;

/** `rsa-2048` stands for RSA with 2048 bits or more. */
export type AlgorithmId = keyof typeof today;

/** The status of every algorithm. */
export type AlgorithmPolicy = Readonly<Record<AlgorithmId, AlgorithmStatus>>;

export const algorithmIds = Object.keys(today) as readonly AlgorithmId[];

/** The statuses of this release. */
export const ALGORITHMS: AlgorithmPolicy = today;

/** The policy cannot be used. The message says what is wrong with it and what is allowed. */
export class BadPolicy extends Error {
  override readonly name = "BadPolicy";
}

/**
 * Reads a reader's own policy: JSON of the form `{"algorithms": {"sha-256": "verify_only"}, "type": "countersign/algorithms/1"}`. Algorithms
 * that it does not name keep the status of this release. Throws BadPolicy.
 */
export function readPolicy(text: string): AlgorithmPolicy {
  const { type, algorithms, ...more } = objectIn(text);
  if (type !== "countersign/algorithms/1" || Object.keys(more).length > 0 || typeof algorithms !== "object" || algorithms === null)
    throw new BadPolicy('must be JSON with the members "type": "countersign/algorithms/1" and "algorithms"');
  const chosen = Object.entries(algorithms).map(([id, status]) => {
    if (!algorithmIds.some((known) => known === id)) throw new BadPolicy(`names ${id}; known algorithms are ${algorithmIds.join(", ")}`);
    if (!statuses.some((known) => known === status)) throw new BadPolicy(`the status of ${id} must be one of: ${statuses.join(", ")}`);
    return [id, status];
  });
  return { ...ALGORITHMS, ...Object.fromEntries(chosen) };
}

// A person writes this file, so it does not have to be canonical.
function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return Object(value) as Record<string, unknown>;
  } catch (cause) {
    throw new BadPolicy("is not JSON", { cause });
  }
}

/** The first algorithm that the policy refuses; null if none. */
export function refusedAlgorithm(policy: AlgorithmPolicy, used: readonly AlgorithmId[]): AlgorithmId | null {
  return used.find((id) => policy[id] === "refused") ?? null;
}

/** Those that no longer suffice for new records. */
export const outdatedAlgorithms = (policy: AlgorithmPolicy, used: readonly AlgorithmId[]): AlgorithmId[] =>
  used.filter((id) => policy[id] !== "accepted");

/** The algorithm of a public key in a certificate; null if none of ours. */
export function algorithmOfKey(key: {
  readonly asymmetricKeyType?: string | undefined;
  readonly asymmetricKeyDetails?: { readonly namedCurve?: string | undefined; readonly modulusLength?: number | undefined } | undefined;
}): AlgorithmId | null {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key;
  if (kind === "ed25519") return "ed25519";
  if (kind === "rsa") return modulusLength >= 2048 ? "rsa-2048" : null;
  if (kind !== "ec") return null;
  return namedCurve === "prime256v1" ? "ecdsa-p256" : namedCurve === "secp384r1" ? "ecdsa-p384" : null;
}
