import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { setLanguage as setCommonLanguage } from "../i18n.ts";
import { vaultWords } from "../locales.ts";
import { en, type VaultMessages } from "./en.ts";

/** Loaded in addition to the common words, by the vault page only. */
export const vault = signal<VaultMessages>(en);

export async function setLanguage(wanted: Locale): Promise<void> {
  const [own] = await Promise.all([wanted === "en" ? en : vaultWords(wanted), setCommonLanguage(wanted)]);
  vault.value = own;
}
