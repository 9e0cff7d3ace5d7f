import { drawLetter, wholeOf } from "./draw-letter.ts";
import { type Letter, MAX_QUOTE_CHARACTERS } from "./letter.ts";
import type { Words } from "./message.ts";
import { manyLines, oneLine } from "./plain-text.ts";

// Mail programs show about 70 characters. Only names make a subject longer, and their beginning is enough.
const SUBJECT_CHARACTERS = 180;

export function writeLetter(letter: Letter): Words {
  const clean = cleaned(letter);
  return { kind: letter.kind, subject: clean.subject, text: textOf(clean), html: drawLetter(clean) };
}

/** A letter of which every part is one line, except what people wrote in several. */
function cleaned(letter: Letter): Letter {
  const lines = (texts: readonly string[] = []) => texts.map((text) => manyLines(text, MAX_QUOTE_CHARACTERS)).filter((text) => text !== "");
  const { quote, link } = letter;
  const quoted = quote == null ? null : { ...quote, by: oneLine(quote.by), text: manyLines(quote.text, MAX_QUOTE_CHARACTERS) };
  return {
    ...letter,
    subject: oneLine(letter.subject, SUBJECT_CHARACTERS),
    ...(letter.heading !== undefined && { heading: oneLine(letter.heading) }),
    opening: lines(letter.opening),
    closing: lines(letter.closing),
    notices: lines(letter.notices),
    footer: lines(letter.footer),
    facts: (letter.facts ?? []).map(({ label, value, more }) => ({
      label: oneLine(label),
      value: oneLine(value),
      ...(more !== undefined && { more: oneLine(more) }),
    })),
    quote: quoted?.text === "" ? null : quoted,
    ...(link !== undefined && { link: { fails: "Or open this address:", ...link } }),
  };
}

function textOf({ heading, opening, quote, facts = [], link, closing, notices = [], footer = [] }: Letter): string {
  const quoted = quote == null ? [] : [`${quote.by}\n${quote.text.replace(/^/gm, "> ")}`];
  const listed = facts.length === 0 ? [] : [facts.map((fact) => `${fact.label}: ${wholeOf(fact)}`).join("\n")];
  const linked = link === undefined ? [] : [`${link.lead}:\n${link.url}`];
  // RFC 3676, 4.3: mail programs recognize what follows as a signature.
  const signed = footer.length === 0 ? [] : [`-- \n${footer.join("\n")}`];
  const headed = heading === undefined ? [] : [heading];
  return `${[...headed, ...opening, ...quoted, ...listed, ...linked, ...closing, ...notices, ...signed].join("\n\n")}\n`;
}
