import { signal } from "@preact/signals";

/** The name of the customer who was just deleted, for the list that is shown next. */
export const justDeleted = signal<string | null>(null);
