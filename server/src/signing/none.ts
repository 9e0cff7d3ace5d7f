import type { SigningProvider } from "./provider.ts";
import { recipientKinds } from "./submission.ts";

const notConfigured = async () => ({ kind: "not_configured" }) as const;

/** The provider of an installation without signing. */
export const noProvider: SigningProvider = {
  name: "none",
  capabilities: { kinds: recipientKinds, steps: true, documents: true },
  createTemplate: notConfigured,
  placeFields: notConfigured,
  removeTemplate: notConfigured,
  createSubmission: notConfigured,
  cancel: notConfigured,
};
