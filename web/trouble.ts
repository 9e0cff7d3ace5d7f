import { signal } from "@preact/signals";
import { Refusal } from "./http.ts";

/** The connection or the service is away; what is on the page stays. */
export type Trouble = { readonly kind: "offline" | "server" } | { readonly kind: "busy"; readonly seconds: number };
export const trouble = signal<Trouble | null>(null);

/** Of an error that passes; others are no trouble, but an answer. */
export function tellTrouble(error: unknown): void {
  if (!(error instanceof Refusal)) trouble.value = { kind: "offline" };
  else if (error.status === 429) trouble.value = { kind: "busy", seconds: error.retry_after_s ?? 60 };
  else trouble.value = { kind: "server" };
}
