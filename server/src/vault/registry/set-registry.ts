import { appendAudit } from "../../audit/append-audit.ts";
import { faultOfUrl } from "../../outbound/fault-of-url.ts";
import { newSecret } from "../../outbound/sign-delivery.ts";
import type { Caller } from "../../shared/caller.ts";
import { invalidField } from "../../shared/problems.ts";
import type { RecordKind } from "../acts/kinds.ts";
import { hostOf, type Registry, type RegistryDeps, type RegistryMode, sealSecret } from "./registry.ts";
import { countWaiting, lockRegistry, lookUpRegistry, saveRegistry, type Waiting } from "./store.ts";

export interface RegistryInput {
  readonly url: string;
  readonly mode: RegistryMode;
  readonly kinds: readonly RecordKind[];
  /** replaces the secret */
  readonly new_secret?: boolean;
}

export interface SetRegistry extends Waiting {
  readonly registry: Registry;
  /** null: the one from before stays */
  readonly secret: string | null;
}

/** Sets or changes the organization's registry. The secret is shown when it is made, and never again. */
export function setRegistry(deps: RegistryDeps, caller: Caller, input: RegistryInput): Promise<SetRegistry> {
  const { org } = caller;
  const { url, mode, new_secret = false } = input;
  const fault = faultOfUrl(deps.registry.outbound.fence, url);
  if (fault !== null) throw invalidField("url", "invalid_value", fault);
  const kinds = [...new Set(input.kinds)];
  return deps.db.tx(org, async (tx) => {
    const before = await lockRegistry(tx, org);
    const secret = before === null || new_secret ? newSecret() : null;
    const secret_enc = secret === null ? (before as Registry).secret_enc : sealSecret(deps.registry, org, secret);
    await saveRegistry(tx, org, { url, secret_enc, mode, kinds });
    const data = { host: hostOf({ url }), mode, kinds, secret_changed: secret !== null };
    await appendAudit(tx, org, { type: "registry.set", by: caller, data });
    return { registry: (await lookUpRegistry(tx, org)) as Registry, secret, ...(await countWaiting(tx, org)) };
  });
}
