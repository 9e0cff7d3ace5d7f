import { signal } from "@preact/signals";

/** What the page has just done for the signer; empty for nothing. */
export const told = signal("");
