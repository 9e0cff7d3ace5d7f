import type { OpenedVault, VaultCopyState, VaultVerification } from "@countersign/client/pages";
import { computed, signal } from "@preact/signals";

/** The last answer of the service and the selected tab. */

export const record = signal<OpenedVault | null>(null);
/** the document is not in the vault yet; the record is polled */
export const isWaiting = signal(false);
/** set when nothing more can be done on this page */
export const ending = signal<{ readonly why: "not_found" | "problem"; readonly reference: string } | null>(null);

export const stage = computed(() => {
  if (ending.value !== null) return "ended";
  if (record.value !== null) return "open";
  return isWaiting.value ? "waiting" : "loading";
});

const handedOut: readonly VaultCopyState[] = ["active", "escrowed", "exported", "transferred", "papering", "papered"];
const verifiable: readonly VaultCopyState[] = ["active", "escrowed", "tampered"];
const isIn = (states: readonly VaultCopyState[]) => record.value !== null && states.includes(record.value.copy.state);

/** whether copies can be downloaded */
export const hasCopies = computed(() => isIn(handedOut));
/** whether the stored document can be verified */
export const isVerifiable = computed(() => isIn(verifiable));
export const isDamaged = computed(() => record.value?.copy.state === "tampered");

/** how often a page was refused because the state of the copy has changed */
export const pagesRefused = signal(0);

/** the result of this reader's last verification */
export const verification = signal<VaultVerification | null>(null);

export const tabs = ["document", "record", "checks", "log"] as const;
export type Tab = (typeof tabs)[number];
/** On a wide screen the document is always visible, and `document` shows the first other tab. */
export const tab = signal<Tab>("document");
