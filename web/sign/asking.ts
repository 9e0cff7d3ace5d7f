import { signal } from "@preact/signals";

/** What the signer wants to do and is asked about first, since it cannot be taken back. */
export type Asking = "decline" | "withdraw" | "paper";
export const asking = signal<Asking | null>(null);
