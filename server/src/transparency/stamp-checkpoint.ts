import { askTimeStamp } from "../seals/ask-time-stamp.ts";
import { rememberAuthority } from "../seals/authority-store.ts";
import { readToken } from "../seals/read-token.ts";
import { sha256 } from "../shared/secrets.ts";
import type { LogDeps, SignedCheckpoint, Stamp } from "./checkpoint.ts";
import { hasEntriesFrom, lookUpNewestToken } from "./renewal-store.ts";
import { insertStamp, lookUpLatestCheckpoint, lookUpToken } from "./store.ts";

/** Sends one request to the authority, outside transactions, and records the result. The caller decides whether to repeat it. */
export async function stampCheckpoint(deps: LogDeps, { tree_size, bytes }: SignedCheckpoint): Promise<Stamp> {
  const { url } = deps.seals.timeStamps;
  if (url === null) return { token: null, error: null };
  const stamp = await askAbout({ ...deps.seals.timeStamps, url }, bytes);
  const root = stamp.token === null ? null : readToken(stamp.token, bytes, deps.seals.timeStamps.roots).root;
  await deps.db.system(async (tx) => {
    await insertStamp(tx, tree_size, stamp);
    // Its time stamps, also those in seals, verify after the setting has changed.
    if (root !== null) await rememberAuthority(tx, "tsa", root);
  });
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

/**
 * The hourly time-stamp. Null if the latest checkpoint has a token or adds no entry to the last one that has, or there is no checkpoint or
 * no authority. Records of the log's own tokens are no entries: otherwise each token would cause the next one.
 */
export async function stampLatest(deps: LogDeps): Promise<Stamp | null> {
  if (deps.seals.timeStamps.url === null) return null;
  const unstamped = await deps.db.system(async (tx) => {
    const latest = await lookUpLatestCheckpoint(tx);
    if (latest === null || (await lookUpToken(tx, latest.tree_size)) !== null) return null;
    const stamped = await lookUpNewestToken(tx);
    return stamped === null || (await hasEntriesFrom(tx, stamped.tree_size)) ? latest : null;
  });
  return unstamped === null ? null : stampCheckpoint(deps, unstamped);
}
