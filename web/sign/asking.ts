import { signal } from "@preact/signals";

/** Actions that must be confirmed first. */
export type Asking = "decline" | "withdraw" | "paper";
export const asking = signal<Asking | null>(null);
