import { signal } from "@preact/signals";

/** What is open over the screen: the search over everything, or the list of keys. */
export const opened = signal<"search" | "keys" | null>(null);
