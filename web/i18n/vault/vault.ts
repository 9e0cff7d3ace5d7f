import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { speak as speakCommon } from "../i18n.ts";
import { en, type VaultMessages } from "./en.ts";

/** Beside the table that every page has: only this page fetches these. */
const tables: Record<Locale, () => Promise<VaultMessages>> = {
  en: async () => en,
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
  de: async () => (await import("./de.ts")).de,
};

export const vault = signal<VaultMessages>(en);

export async function speak(wanted: Locale): Promise<void> {
  const [own] = await Promise.all([tables[wanted](), speakCommon(wanted)]);
  vault.value = own;
}
