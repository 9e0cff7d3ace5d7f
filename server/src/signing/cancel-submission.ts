import type { Jobs } from "../jobs/catalogue.ts";
import type { SigningProvider } from "./provider.ts";

/** Told until it is heard: a provider that is out of reach makes the job fail, and the queue tries again. What it refuses it has ended already. */
export async function cancelSubmission(provider: SigningProvider, { org_id, submission_id }: Jobs["signing.cancel"]): Promise<void> {
  const outcome = await provider.cancel(org_id, submission_id);
  if (outcome.kind === "unreachable") throw new Error(`the signing provider could not be reached: ${outcome.reason}`);
}
