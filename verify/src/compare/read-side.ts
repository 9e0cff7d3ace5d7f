import { lstatSync, readFileSync } from "node:fs";
import {
  addConsistency,
  addInclusion,
  addTree,
  completeView,
  emptyView,
  type NamedFile,
  type NoteKey,
  readNote,
  readOrigin,
  readProofs,
  readTreeHead,
  type Tree,
  type View,
} from "@countersign/evidence";
import { readBundle } from "../read-bundle.ts";
import { BundleRejected, type Files, fileOf } from "../step.ts";
import { checkContainer } from "../steps/01-container.ts";
import { checkManifest } from "../steps/02-manifest.ts";
import { checkTrust } from "../steps/03-trust.ts";
import { checkChain } from "../steps/04-chain.ts";
import { checkLog } from "../steps/05-log.ts";
import { isByLog } from "../witness/cosign-checkpoint.ts";

/** What one bundle or note shows of a log. */
export type Side = {
  readonly path: string;
  /** the ID of the log; null for a note, which has only a name */
  readonly log_id: string | null;
  /** null for a bundle without a note */
  readonly origin: string | null;
  /** the root that signed for the bundle; null for a note */
  readonly root_sha256: string | null;
  readonly trees: readonly Tree[];
  readonly view: View;
  /** null for a note */
  readonly chain: { readonly subject: string; readonly hashes: readonly string[] } | null;
  /** what the bundles of earlier vaults inside a bundle show of their logs */
  readonly earlier: readonly Side[];
};

/** `root`: the root that bundles must have, if the reader pinned one. `logs`: the keys whose notes are read. */
export type Trusted = { readonly root: string | null; readonly logs: readonly NoteKey[] };

/** Reads a bundle or a note. Throws BundleRejected unless the log signed what it shows; file-system errors are passed on. */
export function readSide(path: string, trusted: Trusted): Side {
  const stat = lstatSync(path);
  const isNote = stat.isFile() && !readFileSync(path).subarray(0, 2).equals(Buffer.from("PK"));
  return isNote ? noteSide(path, trusted) : bundleSide(path, trusted);
}

function noteSide(path: string, { logs }: Trusted): Side {
  const note = readNote(readFileSync(path));
  const head = note === null ? null : readTreeHead(note.text);
  if (note === null || head === null) throw new BundleRejected(path, "is neither a bundle nor the note of a checkpoint");
  const keys = logs.filter(({ name }) => name === head.origin);
  if (!isByLog(note, keys)) throw new BundleRejected(path, `is not signed by a key of ${head.origin} that was given with --log`);
  const view = emptyView();
  addTree(view, head);
  return { path, log_id: null, origin: head.origin, root_sha256: null, trees: [head], view, chain: null, earlier: [] };
}

const bundleSide = (path: string, { root }: Trusted): Side => sideOf(path, readBundle(path), root);

function sideOf(path: string, given: readonly NamedFile[], root: string | null): Side {
  const files = checkContainer(given).value;
  const { manifest, keys } = checkManifest(files).value;
  const trust = checkTrust(files, keys, { root, tsa_roots: null });
  const links = checkChain(files, manifest).value;
  const { vaulted, latest } = checkLog(files, links, keys).value;
  const proofs = readProofs(fileOf(files, "proofs.json"));
  const view = emptyView();
  // Both were verified by checkLog.
  addConsistency(view, vaulted, latest, proofs?.consistency ?? []);
  for (const [at, { index, proof }] of (proofs?.inclusions ?? []).entries()) {
    addInclusion(view, { hash: links[at]?.entry.hash ?? "", index, proof }, latest);
  }
  completeView(view);
  return {
    path,
    log_id: latest.log_id,
    origin: originIn(files),
    root_sha256: trust.value.keys.root_sha256,
    trees: [vaulted, latest],
    view,
    chain: { subject: `${manifest.org_id}/${manifest.envelope_id}`, hashes: links.map(({ entry }) => entry.hash) },
    earlier: earlierSides(path, given),
  };
}

/** The roots of earlier vaults are not those that the reader pinned; the verifier checks them against the chain. */
function earlierSides(path: string, given: readonly NamedFile[]): Side[] {
  const before = readOrigin(given);
  if (before === null) return [];
  const side = sideOf(`${path}, origin/${before.number}`, before.bundle, null);
  return [side, ...side.earlier];
}

function originIn(files: Files): string | null {
  const bytes = files.get("checkpoints/latest.note");
  const note = bytes === undefined ? null : readNote(bytes);
  return note === null ? null : (readTreeHead(note.text)?.origin ?? null);
}
