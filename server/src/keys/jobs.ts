import type { JobHandlers } from "../jobs/catalogue.ts";
import type { KeyDeps } from "./key.ts";
import { reportRefusals } from "./report-refusals.ts";
import { warnExpiry } from "./warn-expiry.ts";

export const keyJobs = (deps: KeyDeps): Pick<JobHandlers, "keys.report-refusals" | "keys.warn-expiry"> => ({
  "keys.report-refusals": async () => {
    await reportRefusals(deps);
  },
  "keys.warn-expiry": async () => {
    await warnExpiry(deps);
  },
});
