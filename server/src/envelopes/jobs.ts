import type { JobHandlers } from "../jobs/catalogue.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { finishDocument } from "./finish-document.ts";
import { indexWords } from "./index-words.ts";
import { sweepEnvelopes } from "./sweep-envelopes.ts";

type EnvelopeJob = "envelopes.finish-document" | "envelopes.index-words" | "envelopes.sweep";

export const envelopeJobs = (deps: EnvelopeDeps): Pick<JobHandlers, EnvelopeJob> => ({
  "envelopes.finish-document": (payload) => finishDocument(deps, payload),
  "envelopes.index-words": () => indexWords(deps),
  "envelopes.sweep": async () => {
    await sweepEnvelopes(deps);
  },
});
