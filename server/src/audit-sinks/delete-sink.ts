import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { AuditSinkId } from "../shared/ids.ts";
import type { SinkDeps } from "./sink.ts";
import { lockSink, removeSink } from "./sink-store.ts";

export async function deleteSink({ db }: Pick<SinkDeps, "db">, caller: Caller, sink_id: AuditSinkId): Promise<void> {
  await db.tx(caller.org, async (tx) => {
    const { kind, target } = await lockSink(tx, caller.org, sink_id);
    await removeSink(tx, caller.org, sink_id);
    const data = { sink_id, kind, host: new URL(target).host };
    await appendAudit(tx, caller.org, { type: "audit_sink.deleted", by: caller, data });
  });
}
