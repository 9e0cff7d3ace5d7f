// A published text as a document to keep, such as the disclosure that a signer accepted.

import { lineBlock } from "./closing-blocks.ts";
import type { Block, CertificateModel } from "./document.ts";
import { shortHash } from "./wording.ts";

export type KeptText = { readonly version: string; readonly locale: string; readonly sha256: string; readonly text: string };

/**
 * The text with its first heading as the title, in its own language and without words of ours; the footer has its version and hash.
 * @example const { bytes } = await pool.typeset(textDocument(disclosure))
 */
export function textDocument({ version, locale, sha256, text }: KeptText): CertificateModel {
  const lines = text.split("\n");
  const heading = lines.findIndex((line) => line.startsWith("# "));
  const title = heading === -1 ? version : (lines[heading] ?? "").slice(2).trim();
  const rest = lines.filter((_, index) => index !== heading);
  const first: Block = { kind: "title", text: title };
  return {
    title,
    subject: title,
    author: "",
    language: locale,
    paper: "a4",
    footer: { before: version, after: shortHash(sha256) },
    blocks: [first, ...rest.flatMap(lineBlock)],
  };
}
