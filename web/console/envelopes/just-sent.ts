import type { SentEnvelope } from "@countersign/client/types";
import { signal } from "@preact/signals";

/** What was sent a moment ago, for the screen that comes next to say so. */
export const justSent = signal<Pick<SentEnvelope, "envelope_id" | "warnings"> | null>(null);
