import type { CreatedTemplate } from "@countersign/client/types";
import { signal } from "@preact/signals";

/** The template that was just created, so that the next screen can confirm it. */
export const justCreated = signal<CreatedTemplate | null>(null);
