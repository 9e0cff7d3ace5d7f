import { encryptPlainValues } from "../secrets/encrypt-plain-values.ts";
import type { OrgValues } from "../secrets/org-values.ts";
import type { JobLog } from "../shared/job-log.ts";
import { encryptBlobs } from "./encrypt-blobs.ts";
import type { StorageDeps } from "./store-blob.ts";
import { sweepStorage } from "./sweep-storage.ts";

export const storageJobs = (deps: StorageDeps & { readonly values: OrgValues }, log?: JobLog) => ({
  "storage.sweep": async () => {
    const { away } = await sweepStorage(deps);
    if (away !== null) log?.warn({ err: away }, "the sweep of the blob store stopped; the next one goes on");
  },
  "storage.encrypt": async () => {
    const { waiting, failed: failedOrgs } = await encryptPlainValues(deps);
    for (const { org_id, cause } of waiting) log?.warn({ org_id, err: cause }, "values wait for the key of their organization");
    const { unreadable, failed, away } = await encryptBlobs(deps);
    for (const { org_id, sha256 } of unreadable) log?.warn({ org_id, sha256 }, "a document is missing or damaged and cannot be encrypted");
    if (away !== null) log?.warn({ err: away }, "the encryption of documents stopped; the next run goes on");
    const failures = [
      ...failedOrgs.map(({ org_id, cause }) => new Error(`values of ${org_id}`, { cause })),
      ...failed.map(({ org_id, sha256, cause }) => new Error(`document ${sha256} of ${org_id}`, { cause })),
    ];
    const [first] = failures;
    if (first !== undefined)
      throw new AggregateError(failures, `${failures.length} could not be encrypted, of which the first: ${first.message}`);
  },
});
