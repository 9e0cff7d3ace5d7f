import { appendAudit } from "../audit/append-audit.ts";
import { newSecret } from "../outbound/sign-delivery.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { sealSecret, type WebhookDeps } from "./endpoint.ts";
import { lockEndpoint, replaceSecret } from "./store.ts";

export interface RotatedSecret {
  readonly endpoint_id: EndpointId;
  readonly secret: string;
  readonly previous_secret_expires_at: Date | null;
}

/** Until the overlap ends every delivery has two signatures, so that a receiver can switch at any time. */
export async function rotateSecret(
  deps: WebhookDeps,
  caller: Caller,
  endpoint_id: EndpointId,
  overlap_seconds: number,
): Promise<RotatedSecret> {
  const secret = newSecret();
  return deps.db.tx(caller.org, async (tx) => {
    await lockEndpoint(tx, caller.org, endpoint_id);
    const overlap_until = overlap_seconds === 0 ? null : new Date(tx.now.getTime() + overlap_seconds * 1000);
    await replaceSecret(tx, caller.org, endpoint_id, sealSecret(deps, caller.org, endpoint_id, secret), overlap_until);
    await appendAudit(tx, caller.org, {
      type: "endpoint.secret_rotated",
      by: caller,
      data: { endpoint_id, grace_period_seconds: overlap_seconds },
    });
    return { endpoint_id, secret, previous_secret_expires_at: overlap_until };
  });
}
