import type { SentEnvelope } from "@countersign/client/types";
import { signal } from "@preact/signals";

/** The envelope that was just sent, so that the next screen can confirm it. */
export const justSent = signal<Pick<SentEnvelope, "envelope_id" | "warnings" | "recipients"> | null>(null);
