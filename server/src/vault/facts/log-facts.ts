import { type Facts, isSigned, type Link, readCheckpoint } from "@countersign/evidence";
import { lookUpInstanceKey } from "../../seals/store.ts";
import type { Covered } from "../../transparency/ensure-covered.ts";
import { lookUpLeaves } from "../../transparency/store.ts";
import type { PipelineDeps } from "../vault.ts";
import { readToken } from "./read-token.ts";

/** The checkpoint of the log that covers the chain's entries. */
export async function checkpointFacts(
  deps: PipelineDeps,
  links: readonly Link[],
  { checkpoint }: Covered,
): Promise<NonNullable<Facts["checkpoint"]>> {
  const content = readCheckpoint(checkpoint.bytes);
  if (content === null) throw new Error("the checkpoint cannot be read");
  const { places, records } = await deps.db.system(async (tx) => ({
    places: await lookUpLeaves(
      tx,
      links.map(({ entry }) => entry.hash),
    ),
    records: await lookUpInstanceKey(tx, "records"),
  }));
  const isIn = ({ entry }: Link) => (places.get(entry.hash) ?? Infinity) < checkpoint.tree_size;
  const firstUncovered = links.findIndex((link) => !isIn(link));
  const covered = firstUncovered < 0 ? links.length : firstUncovered;
  const { tree_size, root, at, key_id } = content;
  const signed = records !== null && isSigned(checkpoint, records.public_key);
  return { tree_size, root, at, key_id, covers_seq: links[covered - 1]?.entry.seq ?? 0, signed };
}

export function timeFacts(deps: PipelineDeps, covered: Covered | null): Facts["time"] {
  const configured = deps.seals.timeStamps.url !== null;
  if (covered === null) return { configured, token: null, failure: null };
  const { checkpoint, stamp } = covered;
  if (stamp.token === null) return { configured, token: null, failure: stamp.error };
  const token = readToken(stamp.token, checkpoint.bytes, deps.log.tsaRoots);
  return { configured, token: { ...token, tree_size: checkpoint.tree_size }, failure: null };
}
