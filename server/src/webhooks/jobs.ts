import type { JobHandlers } from "../jobs/catalogue.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { fanOut } from "./fan-out.ts";

export const webhookJobs = (deps: WebhookDeps): Pick<JobHandlers, "webhooks.fan-out"> => ({
  "webhooks.fan-out": (payload) => fanOut(deps, payload),
});
