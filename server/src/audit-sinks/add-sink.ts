import { appendAudit } from "../audit/append-audit.ts";
import { isReachable } from "../outbound/address-fence.ts";
import { addressOf, faultOfUrl } from "../outbound/fault-of-url.ts";
import { newSecret } from "../outbound/sign-delivery.ts";
import { CannotUnwrap, KmsUnavailable } from "../secrets/kms.ts";
import { type SealedValue, sealValue } from "../secrets/value-sealing.ts";
import type { Caller } from "../shared/caller.ts";
import { type AuditSinkId, newId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { lastPosition } from "./position-store.ts";
import { type AuditSink, MAX_SINKS, type SinkDeps, type SinkKind, SYSLOG_SCHEME, secretContext } from "./sink.ts";
import { countForAdding, findSink, insertSink } from "./sink-store.ts";

/** Where a sink begins or continues: with the first entry of the organization, or with entries from now on. */
export type From = "beginning" | "now";

export interface SinkInput {
  readonly kind: SinkKind;
  readonly target: string;
  readonly enabled?: boolean | undefined;
  readonly from?: From | undefined;
}

interface PreparedSink {
  readonly sink_id: AuditSinkId;
  /** null for syslog */
  readonly secret: string | null;
  readonly sealed: SealedValue | null;
}

/** Before the transaction, because the key service may be another machine, and the organization may not have a key yet. */
async function prepare(deps: SinkDeps, caller: Caller, { kind, target }: SinkInput): Promise<PreparedSink> {
  refuseTarget(deps, kind, target);
  const sink_id = newId("auditSink");
  const secret = kind === "webhook" ? newSecret() : null;
  const sealed = secret === null ? null : await sealValue(deps.orgKeys, caller.org, secret, secretContext(caller.org, sink_id)).catch(away);
  return { sink_id, secret, sealed };
}

/** Only this response shows the secret. */
function save(
  { db }: Pick<SinkDeps, "db">,
  caller: Caller,
  input: SinkInput,
  { sink_id, secret, sealed }: PreparedSink,
): Promise<AuditSink & { readonly secret: string | null }> {
  const { kind, target, enabled = true, from = "now" } = input;
  return db.tx(caller.org, async (tx) => {
    if ((await countForAdding(tx, caller.org)) >= MAX_SINKS) throw new Problem("too_many_audit_sinks");
    const after = from === "beginning" ? -1 : await lastPosition(tx);
    await insertSink(tx, caller.org, { sink_id, kind, target, enabled, after }, sealed);
    const { host } = new URL(target);
    await appendAudit(tx, caller.org, { type: "audit_sink.created", by: caller, data: { sink_id, kind, host, enabled, from } });
    return { ...(await findSink(tx, caller.org, sink_id)), secret };
  });
}

export const addSink = { prepare, save };

function away(cause: unknown): never {
  throw cause instanceof KmsUnavailable || cause instanceof CannotUnwrap
    ? new Problem("key_service_away", cause.message, { cause })
    : cause;
}

export function refuseTarget({ fence }: SinkDeps, kind: SinkKind, target: string): void {
  const fault = kind === "webhook" ? faultOfUrl(fence, target) : faultOfSyslog(fence, target);
  if (fault !== null) throw invalidField("target", "invalid_value", fault);
}

function faultOfSyslog(fence: SinkDeps["fence"], target: string): string | null {
  const wrong = `must be an address such as ${SYSLOG_SCHEME}//logs.example.com:6514`;
  if (/[\s\p{Cc}\\]/u.test(target) || !URL.canParse(target)) return wrong;
  const url = new URL(target);
  if (url.protocol !== SYSLOG_SCHEME || url.hostname === "" || !["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    return wrong;
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  const literal = addressOf(url);
  return literal !== null && !isReachable(fence, literal) ? "must not be an address that nothing is sent to" : null;
}
