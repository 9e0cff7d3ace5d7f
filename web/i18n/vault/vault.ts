import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { speak as speakCommon } from "../i18n.ts";
import { vaultWords } from "../locales.ts";
import { en, type VaultMessages } from "./en.ts";

/** Beside the words that every page has: only this page loads these. */
export const vault = signal<VaultMessages>(en);

export async function speak(wanted: Locale): Promise<void> {
  const [own] = await Promise.all([wanted === "en" ? en : vaultWords[wanted](), speakCommon(wanted)]);
  vault.value = own;
}
