import { type AlgorithmPolicy, algorithmOfKey, outdatedAlgorithms, refusedAlgorithm } from "@countersign/evidence";
import { BundleRejected, type StepResult } from "./step.ts";
import type { Trust } from "./steps/03-trust.ts";

/**
 * Applies the reader's policy to what every bundle rests on: SHA-256 and Ed25519 of the chain, the log and the records, and the keys of the
 * root and the seals. Throws BundleRejected for a refused algorithm. One that is only for existing records becomes a note.
 */
export function underPolicy({ value, says, notes = [] }: StepResult<Trust>, policy: AlgorithmPolicy): StepResult<Trust> {
  const keys = [value.root, ...value.seals.flat()].map(({ publicKey }) => algorithmOfKey(publicKey)).filter((id) => id !== null);
  const used = [...new Set(["sha-256", "ed25519", ...keys] as const)];
  const refused = refusedAlgorithm(policy, used);
  if (refused !== null) throw new BundleRejected("trust/keys.json", `relies on ${refused}, which the policy refuses`);
  const outdated = outdatedAlgorithms(policy, used).map((id) => `The policy accepts ${id} for existing records only.`);
  return { value, says, notes: [...notes, ...outdated] };
}
