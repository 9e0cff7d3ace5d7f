import { type Facts, type Facts2, isSigned, type Link, readCheckpoint, type TimeMark } from "@countersign/evidence";
import { listAuthorities, rememberAuthority } from "../../seals/authority-store.ts";
import { publicKeyAt } from "../../seals/instance-keys.ts";
import { readToken } from "../../seals/read-token.ts";
import { listRecordsKeys } from "../../seals/store.ts";
import type { Covered } from "../../transparency/ensure-covered.ts";
import { lookUpForkAlarm } from "../../transparency/look-up-fork-alarm.ts";
import { listFirstCosignatures } from "../../transparency/note-store.ts";
import { listTokens, lookUpCheckpoint, lookUpLeaves } from "../../transparency/store.ts";
import type { PipelineDeps } from "../vault.ts";

/** The first checkpoint of the log that covers the storing. Every later evaluation names the same one. */
export async function checkpointFacts(
  deps: PipelineDeps,
  links: readonly Link[],
  { first: checkpoint }: Covered,
): Promise<NonNullable<Facts["checkpoint"]>> {
  const content = readCheckpoint(checkpoint.bytes);
  if (content === null) throw new Error("the checkpoint cannot be read");
  const { places, records } = await deps.db.system(async (tx) => ({
    places: await lookUpLeaves(
      tx,
      links.map(({ entry }) => entry.hash),
    ),
    records: await listRecordsKeys(tx),
  }));
  const isIn = ({ entry }: Link) => (places.get(entry.hash) ?? Infinity) < checkpoint.tree_size;
  const firstUncovered = links.findIndex((link) => !isIn(link));
  const covered = firstUncovered < 0 ? links.length : firstUncovered;
  const { tree_size, root, at, key_id } = content;
  const key = publicKeyAt(records, key_id, at);
  const signed = key !== null && isSigned(checkpoint, key);
  return { tree_size, root, at, key_id, covers_seq: links[covered - 1]?.entry.seq ?? 0, signed };
}

/** Every root that is or was trusted for time stamps. */
export async function timeStampAuthorities({ db, log }: Pick<PipelineDeps, "db" | "log">): Promise<Uint8Array[]> {
  return [...log.tsaRoots, ...(await db.system((tx) => listAuthorities(tx, "tsa")))];
}

export async function timeFacts(deps: PipelineDeps, covered: Covered | null): Promise<Facts["time"]> {
  const configured = deps.seals.timeStamps.url !== null;
  if (covered === null) return { configured, token: null, failure: null };
  const { first, checkpoint, stamp } = covered;
  // A token over a later checkpoint is among the time marks.
  if (stamp.token === null || checkpoint.tree_size !== first.tree_size) return { configured, token: null, failure: stamp.error };
  const { gen_time, valid, fault } = readToken(stamp.token, checkpoint.bytes, await timeStampAuthorities(deps));
  return { configured, token: { gen_time, valid, fault, tree_size: checkpoint.tree_size }, failure: null };
}

/** What outsiders can see of the log, and whether one of them contradicts it. */
export async function logFacts({ db, log }: Pick<PipelineDeps, "db" | "log">): Promise<Facts2["log"]> {
  const alarm = await db.system((tx) => lookUpForkAlarm(tx));
  return { witness_quorum: log.notes.quorum, witness_conflict: alarm !== null, public: log.notes.isPublic };
}

// The hourly job stamps thousands of checkpoints a year. The earliest valid token says most; a few before it may be of an authority that
// was never trusted.
const MOST_TOKENS = 8;

/**
 * What outsiders saw of checkpoints that contain the storing: the time stamps up to the earliest valid one, and the first cosignature of each
 * witness. The root of the valid time stamp is remembered, so that the token verifies after the setting has changed.
 */
export async function timeMarks(deps: PipelineDeps, covered: Covered | null): Promise<Facts2["times"]> {
  if (covered === null) return [];
  const marks = [...(await tokenMarks(deps, covered.first.tree_size)), ...(await cosignatureMarks(deps, covered.first.tree_size))];
  return marks.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

async function tokenMarks(deps: PipelineDeps, from_size: number): Promise<TimeMark[]> {
  const roots = await timeStampAuthorities(deps);
  const marks: TimeMark[] = [];
  for (const { tree_size, token } of await deps.db.system((tx) => listTokens(tx, from_size, MOST_TOKENS))) {
    const checkpoint = await deps.db.system((tx) => lookUpCheckpoint(tx, tree_size));
    if (checkpoint === null) throw new Error(`checkpoint ${tree_size} has a token and is not there`);
    const { gen_time: at, by, valid, root } = readToken(token, checkpoint.bytes, roots);
    if (at !== "") marks.push({ tree_size, kind: "token", at, by, valid });
    if (root === null) continue;
    await deps.db.system((tx) => rememberAuthority(tx, "tsa", root));
    break;
  }
  return marks;
}

async function cosignatureMarks({ db }: PipelineDeps, from_size: number): Promise<TimeMark[]> {
  const cosignatures = await db.system((tx) => listFirstCosignatures(tx, from_size));
  return cosignatures.map(({ tree_size, at, vkey, valid }) => ({ tree_size, kind: "cosignature", at, by: vkey, valid }));
}
