import type { Jobs } from "../jobs/catalogue.ts";
import type { SigningProvider } from "./provider.ts";

/**
 * Ends the submission at the provider. If the provider is unreachable, the job fails and the queue retries it. If the provider rejects
 * the call, the submission has already ended there.
 */
export async function cancelSubmission(provider: SigningProvider, { org_id, submission_id }: Jobs["signing.cancel"]): Promise<void> {
  const outcome = await provider.cancel(org_id, submission_id);
  if (outcome.kind === "unreachable") throw new Error(`the signing provider could not be reached: ${outcome.reason}`);
}
