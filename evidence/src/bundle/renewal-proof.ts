import { canonicalValue } from "../checkpoint.ts";
import { isHash } from "../entry.ts";
import { isConsistent, type Tree } from "../log.ts";

/**
 * Ties a checkpoint that others saw to the log of the bundle. Without `latest`, it could be of another history that shares only the storing.
 */
export type RenewalProof = {
  /** that it extends checkpoints/vaulted.json */
  readonly vaulted: readonly string[];
  /** that checkpoints/latest.json extends it, or if it is larger, that it extends checkpoints/latest.json */
  readonly latest: readonly string[];
};

/** Null unless these are the canonical bytes of such a proof. */
export function readRenewalProof(bytes: Uint8Array): RenewalProof | null {
  const value = Object(canonicalValue(bytes)) as Record<string, unknown>;
  const isProof = (list: unknown): boolean => Array.isArray(list) && list.every(isHash);
  if (Object.keys(value).length !== 2 || !isProof(value.vaulted) || !isProof(value.latest)) return null;
  return value as unknown as RenewalProof;
}

/** Whether the three are states of one log, and `seen` contains everything that `vaulted` does. */
export function isOfOneLog(seen: Tree, bundle: { readonly vaulted: Tree; readonly latest: Tree }, proof: RenewalProof): boolean {
  const [earlier, later] = seen.tree_size <= bundle.latest.tree_size ? [seen, bundle.latest] : [bundle.latest, seen];
  return isConsistent(bundle.vaulted, seen, proof.vaulted) && isConsistent(earlier, later, proof.latest);
}
