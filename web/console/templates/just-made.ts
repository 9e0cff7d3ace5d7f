import { signal } from "@preact/signals";
import type { MadeTemplate } from "./api.ts";

/** What the upload answered, for the screen that it leads to. */
export const justMade = signal<MadeTemplate | null>(null);
