import type { JobLog } from "../shared/job-log.ts";
import { type KeyServices, KmsUnavailable } from "./kms.ts";
import { type ReWrapDeps, reWrap } from "./re-wrap.ts";
import { reWrapOrgKeys } from "./re-wrap-org-keys.ts";

export interface SecretDeps extends ReWrapDeps {
  readonly kms: KeyServices;
}

export const secretJobs = (deps: SecretDeps, log?: JobLog) => ({
  "secrets.re-wrap": async () => {
    const { unreadable } = await reWrap(deps);
    for (const { place, org_id, id } of unreadable)
      log?.warn({ place, org_id, id }, "a value cannot be decrypted with any version of APP_SECRET");
    await reWrapKeys(deps, log);
  },
});

async function reWrapKeys(deps: SecretDeps, log: JobLog | undefined): Promise<void> {
  try {
    const { unreadable } = await reWrapOrgKeys(deps);
    for (const key of unreadable) log?.warn(key, "the key of an organization cannot be unwrapped by any key service");
  } catch (err) {
    if (!(err instanceof KmsUnavailable)) throw err;
    log?.warn({ err }, "the key service is away; the next run goes on");
  }
}
