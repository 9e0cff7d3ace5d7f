import type { JobHandlers } from "../jobs/catalogue.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { finishDocument } from "./finish-document.ts";
import { sweepEnvelopes } from "./sweep-envelopes.ts";

type EnvelopeJob = "envelopes.finish-document" | "envelopes.sweep";

export const envelopeJobs = (deps: EnvelopeDeps): Pick<JobHandlers, EnvelopeJob> => ({
  "envelopes.finish-document": (payload) => finishDocument(deps, payload),
  "envelopes.sweep": async () => {
    await sweepEnvelopes(deps);
  },
});
