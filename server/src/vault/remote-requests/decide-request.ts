import { appendAudit } from "../../audit/append-audit.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { RemoteRequestId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { onOneLine } from "../links/message.ts";
import { findPrincipal } from "../principal-store.ts";
import { outcomeOf, type RemoteRequest, stateOfRequest } from "./request.ts";
import { findRequest, lockRequest, lookUpNames, recordDecided } from "./store.ts";

export interface RequestDecision {
  readonly decision: "confirm" | "refuse";
  /** of the act's document: what the member saw */
  readonly sha256: string;
  /** why it is refused */
  readonly reason?: string;
}

/** A member, or a key of one, decides for this organization. The decision is signed and sent by a job; it cannot be withdrawn. */
export function decideRequest(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  request_id: RemoteRequestId,
  { decision, sha256, reason }: RequestDecision,
): Promise<RemoteRequest> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const principal = await findPrincipal(tx, caller);
    const one = await lockRequest(tx, org, request_id);
    const state = stateOfRequest(one);
    if (state === "closed") throw new Problem("act_closed", "", { words: { state: outcomeOf(one) ?? "expired" } });
    if (state === "decided") throw new Problem("not_asked");
    if (sha256 !== one.act_sha256) throw invalidField("sha256", "conflict", "is not the hash of this act");
    const names = await lookUpNames(tx, org, principal.id, actor);
    if (names === null) throw new Problem("no_principal");
    const { name, key_name } = names;
    const email = principal.email.toLowerCase();
    const decided_by = { user_id: principal.id, name: onOneLine(name), email, key_name: key_name === null ? null : onOneLine(key_name) };
    await recordDecided(tx, org, one, { decision, reason: reason ?? null, decided_by });
    const { vault_id, act_id, party_id } = one;
    const data = { request_id, act_id, sha256, decision, email, reason: reason ?? null };
    await appendAudit(tx, org, { type: "remote_request.decided", by: caller, data });
    await enqueue(tx, "vault.exchange-act", { org_id: org, vault_id, act_id, party_id, side: "decider" });
    return findRequest(tx, org, request_id);
  });
}
