import type { StreamAnswer } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { invalidQuery, Problem } from "../shared/problems.ts";
import { lastSignInEvent, listSignIns, numberBeforeLatest, type SignInEvent } from "./sign-in-event-store.ts";
import { AT_ONCE, type AuditSinkDeps } from "./stream-log.ts";

export interface WantedSignIns {
  readonly after?: number | undefined;
  /** only the latest ones, instead of those after a number */
  readonly latest?: number | undefined;
  readonly limit: number;
}

/** Events as lines of JSON, written while they are read. The last line says where to continue. */
export async function streamSignIns({ db }: AuditSinkDeps, org: OrgId, { after, latest, limit }: WantedSignIns): Promise<StreamAnswer> {
  if (after !== undefined && latest !== undefined) throw invalidQuery("latest", "conflict", "cannot be given with after");
  const start = await db.tx(org, async (tx) => {
    if (after !== undefined && after > (await lastSignInEvent(tx))) throw new Problem("audit_position_unknown");
    return latest === undefined ? (after ?? 0) : numberBeforeLatest(tx, org, latest);
  });
  async function* pieces(): AsyncGenerator<string> {
    let [at, left] = [start, limit];
    while (left > 0) {
      const size = Math.min(AT_ONCE, left);
      const events = await db.tx(org, (tx) => listSignIns(tx, org, at, size));
      at = events.at(-1)?.event_no ?? at;
      left = events.length < size ? 0 : left - size;
      if (events.length > 0) yield events.map(lineOf).join("");
    }
    yield `${JSON.stringify({ next_after: at === 0 ? null : at })}\n`;
  }
  return { type: "application/x-ndjson", file_name: "sign-in-events.ndjson", pieces: pieces() };
}

function lineOf({ event_no, user_id, key_id, ip, user_agent, method, result, reason, count, first_at, last_at }: SignInEvent): string {
  const times = { first_at: first_at.toISOString(), last_at: last_at.toISOString() };
  return `${JSON.stringify({ event_no, user_id, key_id, ip, user_agent, method, result, reason, count, ...times })}\n`;
}
