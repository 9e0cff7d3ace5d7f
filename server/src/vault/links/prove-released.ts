import { canonicalValue, type ReleaseMessage, readNote, writeNote } from "@countersign/evidence";
import { readChain } from "../../audit/read-chain.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { askWitnesses } from "../../transparency/ask-witnesses.ts";
import type { SignedCheckpoint } from "../../transparency/checkpoint.ts";
import { ensureCovered } from "../../transparency/ensure-covered.ts";
import { type ListedCosignature, listFirstCosignatures } from "../../transparency/note-store.ts";
import { inclusionProofs } from "../../transparency/prove.ts";
import { lookUpCheckpoint } from "../../transparency/store.ts";
import type { LinkDeps, VaultTransfer } from "./link.ts";

type Committed = Omit<ReleaseMessage, "type" | "released" | "inclusion" | "note" | "witnesses"> & { readonly entry: string };

// A witness that is away for longer does not hold up the receiver, who is entitled to the record.
const WAIT_FOR_WITNESSES_MS = 600_000;

/**
 * The release as it was committed, with the proof that its entry is in the log, and the cosignatures of witnesses if there are any. Null
 * while witnesses are still waited for.
 */
export async function proveReleased(
  deps: LinkDeps,
  org: OrgId,
  one: VaultTransfer,
): Promise<Omit<ReleaseMessage, "type" | keyof Parties> | null> {
  if (one.release === null || one.envelope_id === null) throw new Error(`${one.transfer_id} has no release`);
  const { entry, ...committed } = canonicalValue(one.release) as unknown as Committed;
  const links = await deps.db.tx(org, (tx) => readChain(tx, org, one.envelope_id as EnvelopeId));
  const released = links.find((link) => link.entry.hash === entry);
  if (released === undefined) throw new Error(`the entry of the release of ${one.transfer_id} is not in its chain`);
  const { first } = await ensureCovered(deps.log, [entry]);
  const seen = await cosignaturesFrom(deps, first.tree_size);
  const isWaiting = deps.log.notes.witnesses.length > 0 && Date.now() - Date.parse(committed.at) < WAIT_FOR_WITNESSES_MS;
  if (seen === null && isWaiting) return null;
  const checkpoint = seen?.checkpoint ?? first;
  const note = readNote(checkpoint.note ?? Buffer.alloc(0));
  if (note === null) throw new Error(`checkpoint ${checkpoint.tree_size} has no note`);
  const [inclusion] = await inclusionProofs(deps.log, [entry], checkpoint.tree_size);
  if (inclusion === undefined) throw new Error("there is no proof for the entry of the release");
  const cosignatures = seen?.cosignatures ?? [];
  const { transfer_id: _id, sender: _sender, receiver: _receiver, lineage_id: _lineage, copy_sha256: _hash, ...content } = committed;
  return {
    ...content,
    released,
    inclusion: { index: inclusion.index, proof: inclusion.proof },
    note: writeNote(note.text, [...note.signatures.map(({ line }) => line), ...cosignatures.map(({ line }) => line)]).toString("utf8"),
    witnesses: cosignatures.map(({ vkey }) => vkey),
  };
}

type Parties = Pick<ReleaseMessage, "transfer_id" | "sender" | "receiver" | "lineage_id" | "copy_sha256">;

interface Seen {
  readonly checkpoint: SignedCheckpoint;
  readonly cosignatures: readonly ListedCosignature[];
}

/** The checkpoint with the most cosignatures among those that contain the entry; null if no witness cosigned one. */
async function cosignaturesFrom(deps: LinkDeps, tree_size: number): Promise<Seen | null> {
  if (deps.log.notes.witnesses.length === 0) return null;
  const listed = () => deps.db.system((tx) => listFirstCosignatures(tx, tree_size));
  let found = (await listed()).filter(({ valid }) => valid);
  if (found.length === 0) {
    await askWitnesses(deps.log);
    found = (await listed()).filter(({ valid }) => valid);
  }
  const sizes = [...new Set(found.map((each) => each.tree_size))];
  const countOf = (size: number) => found.filter((each) => each.tree_size === size).length;
  const best = sizes.sort((a, b) => countOf(b) - countOf(a) || a - b)[0];
  if (best === undefined) return null;
  const checkpoint = await deps.db.system((tx) => lookUpCheckpoint(tx, best));
  if (checkpoint === null) throw new Error(`checkpoint ${best} is cosigned and not there`);
  return { checkpoint, cosignatures: found.filter((each) => each.tree_size === best) };
}
