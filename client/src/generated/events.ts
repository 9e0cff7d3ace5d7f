// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.
import type * as T from "./types.ts";

/** The event types that are sent. `eventTypes` in lists.ts also contains reserved types. Later versions may send others. */
export const sentEventTypes = [
  "envelope.created",
  "envelope.sent",
  "envelope.voided",
  "envelope.reminder_sent",
  "vault.stored",
  "vault.compliance.passed",
  "vault.compliance.failed",
  "custodian.transfer",
  "webhook.test",
] as const;

/** The event of each type. */
export interface EventOfType {
  "envelope.created": T.EnvelopeCreatedEvent;
  "envelope.sent": T.EnvelopeSentEvent;
  "envelope.voided": T.EnvelopeVoidedEvent;
  "envelope.reminder_sent": T.EnvelopeReminderSentEvent;
  "vault.stored": T.VaultStoredEvent;
  "vault.compliance.passed": T.VaultCompliancePassedEvent;
  "vault.compliance.failed": T.VaultComplianceFailedEvent;
  "custodian.transfer": T.CustodianTransferEvent;
  "webhook.test": T.WebhookTestEvent;
}
