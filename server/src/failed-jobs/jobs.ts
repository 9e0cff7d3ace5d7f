import type { JobHandlers } from "../jobs/catalogue.ts";
import { type OperatorDeps, tellOperator } from "./tell-operator.ts";

export const failedJobJobs = (deps: OperatorDeps): Pick<JobHandlers, "failed-jobs.tell-operator"> => ({
  "failed-jobs.tell-operator": async () => {
    await tellOperator(deps);
  },
});
