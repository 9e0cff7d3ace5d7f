import { signal } from "@preact/signals";
import { ApiError } from "./http.ts";

/** A temporary problem with the connection or the service. The page keeps its content. */
export type Trouble = { readonly kind: "offline" | "server" } | { readonly kind: "busy"; readonly seconds: number };
export const trouble = signal<Trouble | null>(null);

/** For temporary errors only. */
export function showTrouble(error: unknown): void {
  if (!(error instanceof ApiError)) trouble.value = { kind: "offline" };
  else if (error.status === 429) trouble.value = { kind: "busy", seconds: error.retry_after_s ?? 60 };
  else trouble.value = { kind: "server" };
}
