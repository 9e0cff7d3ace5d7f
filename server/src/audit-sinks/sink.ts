import type { Db } from "../db/connect.ts";
import type { Limits, Outbound } from "../outbound/send-request.ts";
import type { OrgKeys } from "../secrets/org-keys.ts";
import type { AuditSinkId, OrgId } from "../shared/ids.ts";

/** A system of the organization that its audit entries are sent to. */
export interface AuditSink {
  readonly sink_id: AuditSinkId;
  readonly kind: SinkKind;
  readonly target: string;
  readonly enabled: boolean;
  /** the last position that it has received; -1: nothing yet */
  readonly after: number;
  readonly last_success_at: Date | null;
  readonly failing_since: Date | null;
  readonly failures: number;
  readonly last_error: string | null;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const sinkKinds = ["webhook", "syslog"] as const;
export type SinkKind = (typeof sinkKinds)[number];

export const MAX_SINKS = 3;

export interface SinkDeps extends Outbound {
  readonly db: Db;
  readonly orgKeys: OrgKeys;
  readonly retrySchedule: readonly number[];
  /** of this program, for `User-Agent` */
  readonly version: string;
  /** the name of this installation in syslog messages */
  readonly host: string;
  /** certificates to trust for syslog instead of the well-known ones */
  readonly syslogCa: string | null;
  /** where entries of all organizations go; null: nowhere */
  readonly operatorSyslog: string | null;
}

// 500 lines take a receiver longer than one event.
export const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 30_000, body_ms: 2_000, body_bytes: 1_024 };

/** Binds a secret to its sink. */
export const secretContext = (org: OrgId, sink_id: AuditSinkId): string => `audit sink secret ${org} ${sink_id}`;

export const SYSLOG_SCHEME = "syslog+tls:";
export const SYSLOG_PORT = 6514;
