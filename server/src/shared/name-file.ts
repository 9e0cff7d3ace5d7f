import { withoutDirections } from "./without-directions.ts";

// What file systems accept for one name. Windows counts characters, others count bytes, so bytes are safe on both.
const MAX_BYTES = 255;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The beginning of a text that fits into so many bytes of UTF-8. A character is never cut, also if it has several code points. */
function cutTo(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  let [kept, left] = ["", bytes];
  for (const { segment } of graphemes.segment(text)) {
    left -= bytesOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return kept.trimEnd();
}

/** On one line, without characters that are invisible, change the direction of the text, or have a meaning in paths of any system. */
export function oneLine(text: string): string {
  return withoutDirections(text.toWellFormed().normalize("NFC"))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/[\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const portable = (text: string): string =>
  oneLine(text)
    .replace(/[/\\|:]/g, "-")
    .replace(/"/g, "'")
    .replace(/[*?<>]/g, "")
    .replace(/\s+/g, " ")
    // Dots in front hide a file or name a folder. Windows removes dots and spaces at the end.
    .replace(/^[.\s]+|[.\s]+$/g, "");

// Windows opens a device for these, with any ending.
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A file name that is valid on every system, whatever it was before. */
export function safeFileName(name: string): string {
  const whole = portable(name);
  const [, title = "", ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/.exec(whole) ?? [];
  return `${cutTo(title === "" ? "document" : title, MAX_BYTES - 1 - bytesOf(ending))}${ending}`.replace(DEVICES, "_$1");
}

/**
 * The name under which a file about something is saved. An ending that the title has from an uploaded file is left out.
 * @example nameFile("Lease Elm Street 14", "pdf", "signed") // "Lease Elm Street 14 – signed.pdf"
 */
export function nameFile(title: string, ending: string, what: string | null = null): string {
  const tail = `${what === null ? "" : ` – ${what}`}.${ending}`;
  const plain = portable(title.replace(/\.(pdf|png|jpe?g)\s*$/i, ""));
  return safeFileName(`${cutTo(plain === "" ? "Document" : plain, MAX_BYTES - 1 - bytesOf(tail))}${tail}`);
}

/** Gives each name once, also where case does not count: `Lease.pdf`, `lease (2).pdf`. */
export function uniqueFileNames(): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? "";
    const title = name.slice(0, name.length - ending.length);
    for (let count = 1; ; count++) {
      const tail = `${count === 1 ? "" : ` (${count})`}${ending}`;
      const unique = `${cutTo(title, MAX_BYTES - bytesOf(tail))}${tail}`;
      const key = unique.normalize("NFKC").toLowerCase();
      if (given.has(key)) continue;
      given.add(key);
      return unique;
    }
  };
}
