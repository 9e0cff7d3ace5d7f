import type { JobHandlers } from "../jobs/catalogue.ts";
import { cleanSandboxes, removeData, type SandboxDeps } from "./remove-data.ts";

export const sandboxJobs = (deps: SandboxDeps): Pick<JobHandlers, "sandbox.reset" | "sandbox.clean-up"> => ({
  "sandbox.reset": ({ org_id }) => removeData(deps, org_id),
  "sandbox.clean-up": () => cleanSandboxes(deps),
});
