import type { CreatedTemplate } from "@countersign/client/types";
import { signal } from "@preact/signals";

/** What the upload answered, for the screen that it leads to. */
export const justMade = signal<CreatedTemplate | null>(null);
