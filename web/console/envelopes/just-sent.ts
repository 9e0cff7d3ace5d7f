import { signal } from "@preact/signals";

interface JustSent {
  readonly envelope_id: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What was sent a moment ago, for the screen that comes next to say so. */
export const justSent = signal<JustSent | null>(null);
