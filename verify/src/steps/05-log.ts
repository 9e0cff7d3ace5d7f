import {
  type Checkpoint,
  isConsistent,
  isIncluded,
  isSigned,
  type Link,
  lastStoring,
  type Milestone,
  milestonesOf,
  readCheckpoint,
  readProofs,
  recordsKeyAt,
  type Tree,
  type TrustKeys,
} from "@countersign/evidence";
import { signedNote } from "../signed-note.ts";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";

export type Logged = {
  readonly vaulted: Checkpoint;
  readonly latest: Checkpoint;
  /** the last entry of the transaction that stored the copy */
  readonly stored: Milestone;
  /** how many entries, counted from the first, the checkpoint of the vaulting covers */
  readonly covered: number;
  /** where each entry is in the log */
  readonly indexes: readonly number[];
};

/** All entries are in the log that its operator signed, and nothing was removed from the log since the vaulting. */
export function checkLog(files: Files, links: readonly Link[], keys: TrustKeys): StepResult<Logged> {
  const vaulted = signedCheckpoint(files, "checkpoints/vaulted", keys);
  const latest = signedCheckpoint(files, "checkpoints/latest", keys);
  if (vaulted.log_id !== latest.log_id)
    throw new BundleRejected("checkpoints/latest.json", "belongs to another log than checkpoints/vaulted.json");
  const proofs = readProofs(fileOf(files, "proofs.json"));
  if (proofs === null) throw new BundleRejected("proofs.json", "does not contain proofs in canonical form");
  if (proofs.inclusions.length !== links.length)
    throw new BundleRejected("proofs.json", `${proofs.inclusions.length} proofs for ${links.length} entries`);
  let before = -1;
  for (const [at, { seq, index, proof }] of proofs.inclusions.entries()) {
    const hash = links[at]?.entry.hash ?? "";
    const isThere = seq === at + 1 && index > before && isIncluded({ hash, index, proof }, latest);
    if (!isThere)
      throw new BundleRejected("proofs.json", `no valid proof that entry ${at + 1} is in checkpoint ${latest.tree_size}`, at + 1);
    before = index;
  }
  if (vaulted.at > latest.at || !isConsistent(vaulted, latest, proofs.consistency)) {
    throw new BundleRejected("proofs.json", `checkpoint ${latest.tree_size} does not extend checkpoint ${vaulted.tree_size}`);
  }
  const stored = lastStoring({ chain: { milestones: milestonesOf(links) } });
  if (stored === null) throw new BundleRejected("chain.jsonl", "vault.stored is missing");
  // Entries at indexes below the size of an earlier tree were already in that tree.
  const covered = proofs.inclusions.filter(({ index }) => index < vaulted.tree_size).length;
  if (covered < stored.seq) throw new BundleRejected("checkpoints/vaulted.json", `does not cover entry ${stored.seq}`, stored.seq);
  return {
    value: { vaulted, latest, stored, covered, indexes: proofs.inclusions.map(({ index }) => index) },
    says: `checkpoint ${vaulted.tree_size} of ${vaulted.at}, extended by checkpoint ${latest.tree_size}`,
  };
}

/** A checkpoint whose key the root lists for its time. */
export function signedCheckpoint(files: Files, name: string, keys: TrustKeys): Checkpoint {
  const bytes = fileOf(files, `${name}.json`);
  const checkpoint = readCheckpoint(bytes);
  if (checkpoint === null) throw new BundleRejected(`${name}.json`, "is not a checkpoint in canonical form");
  const key = recordsKeyAt(keys, checkpoint.key_id, checkpoint.at);
  if (key === null) throw new BundleRejected(`${name}.json`, `key ${checkpoint.key_id} was not valid at ${checkpoint.at}`);
  if (!isSigned({ bytes, signature: fileOf(files, `${name}.sig`) }, key))
    throw new BundleRejected(`${name}.sig`, `is not the signature of ${name}.json`);
  if (files.has(`${name}.note`)) assertSameTree(files, `${name}.note`, checkpoint, keys);
  return checkpoint;
}

/** The note is the same checkpoint in the form that witnesses cosign. */
function assertSameTree(files: Files, name: string, { tree_size, root }: Tree, keys: TrustKeys): void {
  const { head } = signedNote(files, name, keys);
  if (head.tree_size !== tree_size || head.root !== root) throw new BundleRejected(name, `is not the note of checkpoint ${tree_size}`);
}
