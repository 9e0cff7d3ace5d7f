import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { AuditSinkId } from "../shared/ids.ts";
import { type From, refuseTarget } from "./add-sink.ts";
import { lastPosition } from "./position-store.ts";
import type { AuditSink, SinkDeps } from "./sink.ts";
import { changeSink, findSink, lockSink } from "./sink-store.ts";

export interface SinkChange {
  readonly target?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly from?: From | undefined;
}

/** Any change makes the next attempt due at once. */
export async function updateSink(deps: SinkDeps, caller: Caller, sink_id: AuditSinkId, change: SinkChange): Promise<AuditSink> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const sink = await lockSink(tx, org, sink_id);
    const { target = sink.target, enabled = sink.enabled, from } = change;
    refuseTarget(deps, sink.kind, target);
    const beginning = from === "beginning" ? -1 : null;
    const after = from === undefined ? sink.after : (beginning ?? (await lastPosition(tx)));
    await changeSink(tx, org, { sink_id, target, enabled, after });
    const data = { sink_id, host: new URL(target).host, enabled, ...(from !== undefined && { from }) };
    await appendAudit(tx, org, { type: "audit_sink.changed", by: caller, data });
    return findSink(tx, org, sink_id);
  });
}
