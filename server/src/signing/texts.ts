import { readFileSync } from "node:fs";
import { sha256 } from "../shared/secrets.ts";

/** What signers are shown and agree to. One file for each version and language, never edited: a test pins each hash. */
export interface PublishedText {
  readonly version: string;
  readonly locale: string;
  readonly sha256: string;
  readonly text: string;
}

type Kind = "disclosure" | "intent";

const current: Record<Kind, { readonly version: string; readonly locale: string; readonly extension: string }> = {
  disclosure: { version: "2026-01", locale: "en", extension: "md" },
  intent: { version: "2026-01", locale: "en", extension: "txt" },
};

const read = new Map<Kind, PublishedText>();

/** The text of today. The hash is of the file's bytes, which are the text that is shown. */
export function currentText(kind: Kind): PublishedText {
  const known = read.get(kind);
  if (known !== undefined) return known;
  const { version, locale, extension } = current[kind];
  const bytes = readFileSync(new URL(`../../texts/${kind}/${version}.${locale}.${extension}`, import.meta.url));
  const published = { version, locale, sha256: sha256(bytes).toString("hex"), text: bytes.toString("utf8") };
  read.set(kind, published);
  return published;
}
