import type { Db } from "../db/connect.ts";
import type { Fence } from "../outbound/address-fence.ts";
import { makeResolveName } from "../outbound/name-resolver.ts";
import { RETRY_SCHEDULE } from "../outbound/retry-schedule.ts";
import type { MayLeave } from "../shared/departures.ts";
import type { KeyRing } from "../shared/secrets.ts";
import { LIMITS, type WebhookDeps } from "./endpoint.ts";

interface WebhookSettings {
  readonly allowHttp: boolean;
  readonly allowedNetworks: Fence["allowedNetworks"];
  readonly retrySchedule: readonly number[] | null;
}

export function buildWebhooks(
  { allowHttp, allowedNetworks, retrySchedule }: WebhookSettings,
  {
    db,
    mayLeave,
    dnsServers,
    secretKey,
    localMode,
    version,
  }: { db: Db; mayLeave: MayLeave; dnsServers: readonly string[] | undefined; secretKey: KeyRing; localMode: boolean; version: string },
): WebhookDeps {
  return {
    db,
    mayLeave,
    secretKey,
    fence: { loopback: localMode, plainHttp: allowHttp, allowedNetworks },
    resolve: makeResolveName(dnsServers),
    limits: LIMITS,
    retrySchedule: retrySchedule ?? RETRY_SCHEDULE,
    version,
  };
}
