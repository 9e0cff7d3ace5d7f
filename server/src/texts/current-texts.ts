import { locales } from "../shared/locales.ts";
import type { ShownText, Texts } from "./text.ts";

export const shownKinds = ["disclosure", "intent", "terms", "agreement"] as const;
type ShownKind = (typeof shownKinds)[number];

/** For showing only: the current text in every language that it has, English first. Evidence finds a text by its hash. */
export function currentTexts({ files, current }: Texts, kind: ShownKind): readonly ShownText[] {
  return locales.flatMap((locale): ShownText[] => {
    const found = files.find((text) => text.kind === kind && text.version === current[kind] && text.locale === locale);
    return found === undefined ? [] : [{ version: found.version, locale, sha256: found.sha256, text: found.text }];
  });
}

/** In the requested language, otherwise in English. */
export function currentText(texts: Texts, kind: ShownKind, lang?: string): ShownText {
  const all = currentTexts(texts, kind);
  const chosen = all.find(({ locale }) => locale === lang) ?? all.find(({ locale }) => locale === "en");
  if (chosen === undefined) throw new Error(`the current ${kind} has no English text`);
  return chosen;
}
