import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  consistencyProof,
  cosignatureBy,
  type FetchTile,
  isConsistent,
  isOfOneLog,
  type NoteKey,
  nodesFromTiles,
  type RenewalProof,
  readNote,
  readRenewalProof,
  readTreeHead,
  type Tree,
  type TreeHead,
  timeOfCosignature,
} from "@countersign/evidence";
import { BundleRejected, type Files, type StepResult, type WantedWitnesses } from "../step.ts";
import { BadTile, tilesIn } from "../tile-folder.ts";

/** All notes of a folder, and its tiles. Files that are not notes are skipped. */
export function readNotes(folder: string): Pick<WantedWitnesses, "notes" | "tiles"> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".note"));
  return { notes: names.flatMap((name) => readNote(readFileSync(join(folder, name))) ?? []), tiles: tilesIn(folder) };
}

/** Adds to the result of the log's step who cosigned it. Refuses the bundle if fewer witnesses than wanted saw this log. */
export async function requireWitnesses<T extends { readonly vaulted: Tree; readonly latest: Tree }>(
  files: Files,
  passed: StepResult<T>,
  wanted: WantedWitnesses | null | undefined,
): Promise<StepResult<T>> {
  if (wanted === null || wanted === undefined) return passed;
  const named = headIn(files.get("checkpoints/latest.note"))?.origin ?? null;
  const seen = await listSeen(files, passed.value, wanted);
  // A witness promises one history per name, so cosignatures under different names cannot be counted together.
  const origins = [...new Set(seen.map(({ origin }) => origin))].filter((origin) => named === null || origin === named);
  const counted = origins.map((origin) => ({ origin, by: seen.filter((one) => one.origin === origin) }));
  const found = counted.find(({ by }) => countKeys(by) >= wanted.quorum);
  if (found === undefined) {
    const most = Math.max(0, ...counted.map(({ by }) => countKeys(by)));
    throw new BundleRejected(
      "checkpoints/latest.json",
      `is cosigned by ${most} of the witnesses given with --witness, not by ${wanted.quorum}`,
    );
  }
  const lines = wanted.keys.flatMap((key) => {
    const first = found.by.find((one) => one.key.id === key.id);
    return first === undefined ? [] : [`Witness ${key.name} cosigned checkpoint ${first.tree_size} of ${found.origin} at ${first.at}.`];
  });
  return { ...passed, notes: [...(passed.notes ?? []), ...lines] };
}

/** One key under two names is one witness. */
const countKeys = (seen: readonly Seen[]): number => new Set(seen.map(({ key }) => Buffer.from(key.public_key).toString("hex"))).size;

type Seen = { readonly key: NoteKey; readonly origin: string; readonly tree_size: number; readonly at: string };

async function listSeen(files: Files, { vaulted, latest }: { vaulted: Tree; latest: Tree }, wanted: WantedWitnesses): Promise<Seen[]> {
  const inside = [...files].flatMap(([name, bytes]) => {
    const note = name.endsWith(".note") ? readNote(bytes) : null;
    return note === null ? [] : [{ note, proof: proofBeside(files, name) }];
  });
  const seen: Seen[] = [];
  for (const { note, proof } of [...inside, ...wanted.notes.map((each) => ({ note: each, proof: null }))]) {
    const head = readTreeHead(note.text);
    const cosigned = wanted.keys.flatMap((key) => {
      const cosignature = cosignatureBy(note, key);
      return cosignature === null ? [] : [{ key, at: timeOfCosignature(cosignature) }];
    });
    if (head === null || cosigned.length === 0) continue;
    const isProven = proof !== null && isOfOneLog(head, { vaulted, latest }, proof);
    if (!isProven && !(await covers(head, [latest, vaulted], wanted.tiles))) continue;
    seen.push(...cosigned.map((one) => ({ ...one, origin: head.origin, tree_size: head.tree_size })));
  }
  return seen;
}

/** In `renewals/`, the proof that the note's tree and those of the bundle are states of one log. */
function proofBeside(files: Files, name: string): RenewalProof | null {
  const bytes = name.startsWith("renewals/") ? files.get(name.replace(/checkpoint\.note$/, "proof.json")) : undefined;
  return bytes === undefined ? null : readRenewalProof(bytes);
}

/** Whether the note is of one of these trees, or of a later one that extends the larger of them. */
async function covers(head: TreeHead, trees: readonly [Tree, Tree], tiles: FetchTile | null): Promise<boolean> {
  if (trees.some(({ tree_size, root }) => tree_size === head.tree_size && root === head.root)) return true;
  const [latest] = trees;
  if (tiles === null || head.tree_size <= latest.tree_size) return false;
  try {
    const proof = await consistencyProof(latest.tree_size, head.tree_size, nodesFromTiles(head.tree_size, tiles));
    return isConsistent(latest, head, proof);
  } catch (error) {
    // Without all tiles it cannot be shown.
    if (error instanceof BadTile) return false;
    throw error;
  }
}

function headIn(bytes: Uint8Array | undefined): TreeHead | null {
  const note = bytes === undefined ? null : readNote(bytes);
  return note === null ? null : readTreeHead(note.text);
}
