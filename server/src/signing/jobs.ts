import type { JobHandlers } from "../jobs/catalogue.ts";
import { drawPages } from "./builtin/draw-pages.ts";
import { cancelSubmission } from "./cancel-submission.ts";
import type { SigningProvider } from "./provider.ts";
import type { SigningDeps } from "./submission.ts";

type SigningJob = "signing.cancel" | "signing.draw-pages";

export const signingJobs = (deps: SigningDeps, provider: SigningProvider): Pick<JobHandlers, SigningJob> => ({
  "signing.cancel": (payload) => cancelSubmission(provider, payload),
  "signing.draw-pages": (payload) => drawPages(deps, payload),
});
