import { askTimeStamp } from "../seals/ask-time-stamp.ts";
import { sha256 } from "../shared/secrets.ts";
import type { LogDeps, SignedCheckpoint, Stamp } from "./checkpoint.ts";
import { insertStamp, lookUpLatestCheckpoint, lookUpToken } from "./store.ts";

/** Sends one request to the authority, outside transactions, and records the result. The caller decides whether to repeat it. */
export async function stampCheckpoint(deps: LogDeps, { tree_size, bytes }: SignedCheckpoint): Promise<Stamp> {
  const { url } = deps.seals.timeStamps;
  if (url === null) return { token: null, error: null };
  const stamp = await askAbout({ ...deps.seals.timeStamps, url }, bytes);
  await deps.db.system((tx) => insertStamp(tx, tree_size, stamp));
  return stamp;
}

async function askAbout(authority: Parameters<typeof askTimeStamp>[0], bytes: Uint8Array): Promise<Stamp> {
  try {
    return { token: Buffer.from(await askTimeStamp(authority, sha256(bytes))), error: null };
  } catch (cause) {
    // The authority is external: whatever it does is recorded, and our own time never replaces its time.
    return { token: null, error: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** The hourly time-stamp. Null if the latest checkpoint has a token, or there is no checkpoint or no authority. */
export async function stampLatest(deps: LogDeps): Promise<Stamp | null> {
  if (deps.seals.timeStamps.url === null) return null;
  const unstamped = await deps.db.system(async (tx) => {
    const latest = await lookUpLatestCheckpoint(tx);
    return latest === null || (await lookUpToken(tx, latest.tree_size)) !== null ? null : latest;
  });
  return unstamped === null ? null : stampCheckpoint(deps, unstamped);
}
