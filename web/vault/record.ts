import type { OpenedVault, VaultCopyState, VaultVerification } from "@countersign/client/pages";
import { computed, signal } from "@preact/signals";

/** What the service said last, and what is looked at of it. */

export const record = signal<OpenedVault | null>(null);
/** the record is not there yet: it is asked for again */
export const isWaiting = signal(false);
/** nothing more can be done here */
export const ending = signal<{ readonly why: "not_found" | "problem"; readonly reference: string } | null>(null);

export const stage = computed(() => {
  if (ending.value !== null) return "ended";
  if (record.value !== null) return "open";
  return isWaiting.value ? "waiting" : "loading";
});

const handedOut: readonly VaultCopyState[] = ["active", "escrowed", "exported"];
const verifiable: readonly VaultCopyState[] = ["active", "escrowed", "tampered"];
const isIn = (states: readonly VaultCopyState[]) => record.value !== null && states.includes(record.value.copy.state);

/** copies are to be had */
export const hasCopies = computed(() => isIn(handedOut));
/** there is something to look at anew */
export const isVerifiable = computed(() => isIn(verifiable));
export const isDamaged = computed(() => record.value?.copy.state === "tampered");

/** how often a page was refused: the copy is not what it was when the record was read */
export const pagesRefused = signal(0);

/** what the last look of this reader found */
export const verification = signal<VaultVerification | null>(null);

export const tabs = ["document", "record", "checks", "log"] as const;
export type Tab = (typeof tabs)[number];
/** Beside a document that is always in sight, `document` shows what comes first. */
export const tab = signal<Tab>("document");
