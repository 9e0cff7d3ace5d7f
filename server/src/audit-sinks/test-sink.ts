import type { Caller } from "../shared/caller.ts";
import type { AuditSinkId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type Line, sendToSyslog, sendToWebhook } from "./delivery-lines.ts";
import { openSecret } from "./push.ts";
import type { SinkDeps } from "./sink.ts";
import { findSink } from "./sink-store.ts";

/** Sends one line that is no entry, and says why it was not accepted. Null if it was. The position does not change. */
export async function testSink(deps: SinkDeps, { org }: Caller, sink_id: AuditSinkId): Promise<string | null> {
  const { kind, target } = await deps.db.tx(org, (tx) => findSink(tx, org, sink_id));
  const at = new Date();
  const type = "audit_sink.test";
  const line: Line = { text: `${JSON.stringify({ type, org_id: org, sink_id, at: at.toISOString() })}\n`, type, at };
  if (kind === "syslog") return sendToSyslog(deps, target, true, [line]);
  const opened = await openSecret(deps, org, sink_id);
  if ("error" in opened) {
    if (opened.error === "key_service_away") throw new Problem(opened.error);
    return opened.error;
  }
  return sendToWebhook(deps, { url: target, secret: opened.secret, id: `${sink_id}.test.${at.getTime()}` }, [line]);
}
