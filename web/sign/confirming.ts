import { signal } from "@preact/signals";

/** Actions that must be confirmed first. */
export type ConfirmedAction = "decline" | "withdraw" | "paper";
export const confirming = signal<ConfirmedAction | null>(null);
