import type { Words } from "./message.ts";
import { escapeHtml, manyLines, oneLine } from "./plain-text.ts";

/** The content of a message. The text part and the HTML part are both made from it, so they always say the same. */
export interface Letter {
  readonly kind: string;
  readonly subject: string;
  /** paragraphs before the link */
  readonly opening: readonly string[];
  /** text that another person wrote, shown as a quotation */
  readonly quote?: { readonly by: string; readonly text: string } | null;
  readonly link?: { readonly lead: string; readonly button: string; readonly url: string };
  /** paragraphs after the link */
  readonly closing: readonly string[];
}

// Mail programs show about 70 characters. Only names make a subject longer, and their beginning is enough.
const SUBJECT_CHARACTERS = 180;
export const MAX_QUOTE_CHARACTERS = 2_000;

export function writeLetter(letter: Letter): Words {
  const quoted = letter.quote == null ? null : { by: oneLine(letter.quote.by), text: manyLines(letter.quote.text, MAX_QUOTE_CHARACTERS) };
  const clean = {
    ...letter,
    opening: letter.opening.map((paragraph) => oneLine(paragraph)),
    closing: letter.closing.map((paragraph) => oneLine(paragraph)),
    quote: quoted?.text === "" ? null : quoted,
  };
  return { kind: letter.kind, subject: oneLine(letter.subject, SUBJECT_CHARACTERS), text: textOf(clean), html: htmlOf(clean) };
}

function textOf({ opening, quote, link, closing }: Letter): string {
  const quoted = quote == null ? [] : [`${quote.by}\n${quote.text.replace(/^/gm, "> ")}`];
  const linked = link === undefined ? [] : [`${link.lead}:\n${link.url}`];
  return `${[...opening, ...quoted, ...linked, ...closing].join("\n\n")}\n`;
}

// No text or page colors, so that the mail program's light and dark modes work. Only the button sets its colors.
const PAGE =
  "margin:0 auto;padding:24px;max-width:560px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5";
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none";
const QUOTE = "margin:16px 0;padding:4px 16px;border-left:4px solid #808080;white-space:pre-line";

function htmlOf({ subject, opening, quote, link, closing }: Letter): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const quoted = quote == null ? [] : [paragraph(quote.by), `<blockquote style="${QUOTE}">${escapeHtml(quote.text)}</blockquote>`];
  const linked = link === undefined ? [] : linkOf(link);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(oneLine(subject, SUBJECT_CHARACTERS))}</title></head>`,
    `<body style="margin:0;color-scheme:light dark"><div style="${PAGE}">`,
    ...opening.map(paragraph),
    ...quoted,
    ...linked,
    ...closing.map(paragraph),
    "</div></body></html>\n",
  ].join("\n");
}

/** The full address is below the button, because some programs show no buttons and readers may want to see where a link goes. */
function linkOf({ lead, button, url }: NonNullable<Letter["link"]>): string[] {
  const href = escapeHtml(url);
  return [
    `<p>${escapeHtml(lead)}:</p>`,
    `<p><a href="${href}" style="${BUTTON}">${escapeHtml(button)}</a></p>`,
    `<p style="font-size:14px;overflow-wrap:anywhere">Or open this address: <a href="${href}">${href}</a></p>`,
  ];
}
