import { iso, isoOrNull } from "../http/shapes.ts";
import type { AuditSink } from "./sink.ts";

const stateOf = ({ enabled, failing_since }: AuditSink): "ok" | "failing" | "off" =>
  !enabled ? "off" : failing_since === null ? "ok" : "failing";

/** Members are listed explicitly, so that no other column leaves. */
export const presentSink = (sink: AuditSink) => ({
  sink_id: sink.sink_id,
  kind: sink.kind,
  target: sink.target,
  enabled: sink.enabled,
  state: stateOf(sink),
  after: sink.after === -1 ? null : sink.after,
  last_success_at: isoOrNull(sink.last_success_at),
  failing_since: isoOrNull(sink.failing_since),
  last_error: sink.last_error,
  next_attempt_at: isoOrNull(sink.next_attempt_at),
  created_at: iso(sink.created_at),
  updated_at: iso(sink.updated_at),
});

export const presentNewSink = (sink: AuditSink & { readonly secret: string | null }) => ({ ...presentSink(sink), secret: sink.secret });
