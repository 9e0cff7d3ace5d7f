import { existsSync, readFileSync } from "node:fs";
import { type Locale, locales } from "../shared/locales.ts";
import { sha256 } from "../shared/secrets.ts";

/** The texts that signers are shown and agree to. One file for each version and language, never edited: a test pins each hash. */
export interface PublishedText {
  readonly version: string;
  readonly locale: Locale;
  readonly sha256: string;
  readonly text: string;
}

type Kind = "disclosure" | "intent";

const current: Record<Kind, { readonly version: string; readonly extension: string }> = {
  disclosure: { version: "2026-01", extension: "md" },
  intent: { version: "2026-01", extension: "txt" },
};

const read = new Map<Kind, readonly PublishedText[]>();

/** The current text in every published language, English first. The hash is of the file's bytes, which are the text that is shown. */
export function currentTexts(kind: Kind): readonly PublishedText[] {
  const known = read.get(kind);
  if (known !== undefined) return known;
  const { version, extension } = current[kind];
  const published = locales.flatMap((locale): PublishedText[] => {
    const file = new URL(`../../texts/${kind}/${version}.${locale}.${extension}`, import.meta.url);
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    return [{ version, locale, sha256: sha256(bytes).toString("hex"), text: bytes.toString("utf8") }];
  });
  read.set(kind, published);
  return published;
}

/** In the requested language, otherwise in English. */
export function currentText(kind: Kind, lang?: string): PublishedText {
  const texts = currentTexts(kind);
  const chosen = texts.find(({ locale }) => locale === lang) ?? texts.find(({ locale }) => locale === "en");
  if (chosen === undefined) throw new Error(`the current ${kind} has no English text`);
  return chosen;
}
