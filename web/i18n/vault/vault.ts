import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { vaultWords } from "../locales.ts";
import { setLanguage as speakCommon } from "../i18n.ts";
import { en, type VaultMessages } from "./en.ts";

/** Loaded in addition to the common words, by the vault page only. */
export const vault = signal<VaultMessages>(en);

export async function speak(wanted: Locale): Promise<void> {
  const [own] = await Promise.all([wanted === "en" ? en : vaultWords[wanted](), speakCommon(wanted)]);
  vault.value = own;
}
