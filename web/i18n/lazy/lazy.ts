import type { Locale } from "@countersign/client/types";
import { effect, signal } from "@preact/signals";
import { locale } from "../i18n.ts";
import { lazyTable } from "../locales.ts";
import { en, type LazyMessages } from "./en.ts";

/** The words of the screens that are not needed to sign. English comes with those screens, and the other languages beside them. */
export const lazyWords = signal<LazyMessages>(en);

let shown: Locale = "en";

/** Resolves once the words are in the language of the page. */
export async function showLazyWords(): Promise<void> {
  const wanted = locale.value;
  if (wanted === shown) return;
  const table = wanted === "en" ? en : await lazyTable(wanted);
  // The language may have changed again in the meantime.
  if (wanted !== locale.peek()) return showLazyWords();
  shown = wanted;
  lazyWords.value = table;
}

const RETRY_MS = 3_000;
/** Tries until the words of the new language are there. */
const follow = (): Promise<void> => showLazyWords().catch(() => void setTimeout(follow, RETRY_MS));

/** They follow the language from then on. */
effect(() => void follow());
