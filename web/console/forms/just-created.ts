import { signal } from "@preact/signals";

/** The form that this user has just created, until its screen is left. */
export const justCreated = signal<string | null>(null);
