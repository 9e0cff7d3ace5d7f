import type { Locale } from "../shared/locales.ts";

/** Each kind is a folder of server/texts/. */
export const textKinds = ["disclosure", "intent", "terms", "agreement", "act"] as const;
export type TextKind = (typeof textKinds)[number];

/** One version of a text in one language. The hash is of its bytes in UTF-8, which are what is shown. */
export interface LegalText {
  readonly kind: TextKind;
  readonly version: string;
  readonly locale: string;
  readonly sha256: string;
  readonly text: string;
}

/** A text as people are shown it. */
export interface ShownText {
  readonly version: string;
  readonly locale: Locale;
  readonly sha256: string;
  readonly text: string;
}

/** The versions that people are shown and asked to accept now. */
export interface CurrentVersions {
  readonly disclosure: string;
  readonly intent: string;
  readonly terms: string;
  readonly agreement: string;
  readonly terms_effective_at: string;
}

/** The texts that this release has, of every version, and which of them are current. */
export interface Texts {
  readonly files: readonly LegalText[];
  readonly current: CurrentVersions;
}
