// A log is restarted when its operator accepts a backup that is older than what was published. The tree of the backup goes on under a new
// name, so that no witness has to accept two histories under one name. A record in the log says so.

import { canonicalize } from "./canonical.ts";
import { canonicalValue } from "./checkpoint.ts";
import { isHash, isId, isTime } from "./entry.ts";

export type LogRestart = {
  readonly type: "countersign/log-restart/1";
  readonly log_id: string;
  /** the name from now on */
  readonly origin: string;
  readonly previous_origin: string;
  /** the last state under the previous name that the operator knows of */
  readonly tree_size: number;
  readonly root: string;
  readonly reason: string;
  readonly at: string;
};

/** The bytes whose SHA-256 is a leaf of the log. */
export const writeLogRestart = (restart: LogRestart): Buffer => Buffer.from(canonicalize(restart));

/** Null unless the bytes are canonical and have exactly the members of a restart. */
export function readLogRestart(bytes: Uint8Array): LogRestart | null {
  const value = canonicalValue(bytes);
  const { type, log_id, origin, previous_origin, tree_size, root, reason, at } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 8 || type !== "countersign/log-restart/1" || !isId(log_id) || !isHash(root)) return null;
  if (![origin, previous_origin, reason].every((text) => typeof text === "string") || !isTime(at)) return null;
  return Number.isSafeInteger(tree_size) && Number(tree_size) >= 0 ? (value as LogRestart) : null;
}

/** The name of a log after so many starts: the first has the name itself, the second ends with `/2`. */
export const originOf = (first: string, start: number): string => (start === 1 ? first : `${first}/${start}`);

/** Whether two names are those of one log before and after a restart. */
export function areRestarts(one: string, other: string): boolean {
  if (one === other) return false;
  const bases = (origin: string): string[] => [origin, origin.replace(/\/([2-9]|[1-9][0-9]+)$/, "")];
  return bases(one).some((base) => bases(other).includes(base));
}
