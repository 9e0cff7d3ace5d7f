import type { JobHandlers } from "../jobs/catalogue.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { fanOut } from "./fan-out.ts";
import { forgetOldDeliveries } from "./forget-old-deliveries.ts";

export const webhookJobs = (deps: WebhookDeps): Pick<JobHandlers, "webhooks.fan-out" | "webhooks.forget"> => ({
  "webhooks.fan-out": (payload) => fanOut(deps, payload),
  "webhooks.forget": async () => {
    await forgetOldDeliveries(deps);
  },
});
