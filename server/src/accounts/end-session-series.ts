import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import type { OrgId, SessionId } from "../shared/ids.ts";
import { endSession, lookUpMove } from "./store.ts";

interface Place {
  readonly org_id: OrgId;
  readonly session_id: SessionId;
}

/** Ends the session and every later session that the person switched to from it. Each org gets an audit entry. */
export async function endSessionSeries(
  tx: SystemTx,
  by: Origin,
  first: Place,
  type: "session.reuse_detected" | "session.reported",
): Promise<void> {
  for (let next: Place | null = first; next !== null; ) {
    const place: Place = next;
    next = await tx.forOrg(place.org_id, async () => {
      const user_id = await endSession(tx, place.org_id, place.session_id);
      if (user_id !== null) {
        const actor = { kind: "user", id: user_id } as const;
        await appendAudit(tx, place.org_id, { type, by: { ...by, actor }, data: { session_id: place.session_id } });
      }
      return lookUpMove(tx, place.org_id, place.session_id);
    });
  }
}
