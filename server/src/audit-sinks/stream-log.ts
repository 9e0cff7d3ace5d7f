import type { Db } from "../db/connect.ts";
import type { StreamAnswer } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { lastPosition, listPlaced, type PlacedEntry } from "./position-store.ts";

export interface AuditSinkDeps {
  readonly db: Db;
  /** how long failed log-ins and refusals are kept */
  readonly signInEventDays: number;
}

export interface WantedEntries {
  readonly after?: number | undefined;
  readonly until?: number | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
}

// One transaction each, so that a slow reader holds no connection.
export const AT_ONCE = 1_000;

/**
 * Entries as lines of JSON, written while they are read. The last line says where to continue: after the last entry, or, if there are no
 * more, after the end of the log as it was at the beginning.
 */
export async function streamLog({ db }: AuditSinkDeps, org: OrgId, wanted: WantedEntries): Promise<StreamAnswer> {
  const { after = -1, types = null, limit } = wanted;
  const last = await db.tx(org, lastPosition);
  if (after > last) throw new Problem("audit_position_unknown");
  const until = Math.min(wanted.until ?? last, last);
  async function* pieces(): AsyncGenerator<string> {
    let [at, left] = [after, limit];
    while (left > 0) {
      const size = Math.min(AT_ONCE, left);
      const entries = await db.tx(org, (tx) => listPlaced(tx, org, { after: at, until, types, limit: size }));
      const isLast = entries.length < size;
      at = isLast ? Math.max(after, until) : (entries.at(-1)?.leaf_index ?? at);
      left = isLast ? 0 : left - size;
      if (entries.length > 0) yield entries.map((entry) => lineOf(org, entry)).join("");
    }
    yield `${JSON.stringify({ next_after: at === -1 ? null : at })}\n`;
  }
  return { type: "application/x-ndjson", file_name: "audit-log.ndjson", pieces: pieces() };
}

export function lineOf(org_id: OrgId, { leaf_index, subject, seq, type, at, actor, data, hash, prev }: PlacedEntry): string {
  return `${JSON.stringify({ leaf_index, org_id, subject, seq, type, at: at.toISOString(), actor, data, hash, prev })}\n`;
}
