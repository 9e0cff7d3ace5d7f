/**
 * The words by which envelopes, customers and recipients are found, and how texts are compared. The program folds texts instead of the
 * database: a collation can change with the operating system, and then an index over it is wrong.
 */

/** In characters. Longer words are cut, in what is stored and in what is searched. */
export const MAX_WORD_LENGTH = 60;
/** For one record. The words of the first texts count first. */
export const MAX_WORDS = 40;
/** In a search. */
export const MAX_SEARCHED_WORDS = 10;

// A text with more characters than this is cut before it is folded. No text that is searched may be longer, except an imported one.
const MAX_TEXT_LENGTH = 2_000;

/**
 * Texts that differ only in case, width or composition become equal. Upper case first, because only it makes `ß` and `ss`, or `ı` and `i`,
 * the same; then the dot that remains of `İ` and the form of a final sigma are removed.
 */
export function foldText(text: string): string {
  return lowered(lowered(text.slice(0, MAX_TEXT_LENGTH).toWellFormed())).normalize("NFKC");
}

const lowered = (text: string): string =>
  text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("i\u0307", "i").replaceAll("ς", "σ");

/** Cuts a text by characters, so that no character is cut in two. */
const cut = (text: string, length: number): string => (text.length <= length ? text : Array.from(text).slice(0, length).join(""));

const MAX_NAME_KEY = 80;

/** The name of an envelope as lists are sorted by it. */
export const nameKey = (name: string): string => cut(foldText(name).trim().replaceAll(/\s+/g, " "), MAX_NAME_KEY);

/** Marks belong to the letter before them. Without them, words of Indic scripts would fall apart. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts that are written without spaces: what looks like one word is a sentence. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}][\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{M}]*/gu;
const LETTER = /[\p{L}\p{N}]\p{M}*/gu;

const plainWords = (folded: string): string[] => folded.match(WORD) ?? [];

/** Of `契約書` also `約書` and `書`, so that it is found by each word in it. */
function innerWords(word: string): string[] {
  return (word.match(UNSPACED) ?? []).flatMap((run) => {
    const letters = (run.match(LETTER) ?? []).slice(0, MAX_WORDS);
    const isWhole = run.length === word.length;
    return letters.map((_, index) => letters.slice(index).join("")).slice(isWhole ? 1 : 0);
  });
}

/**
 * The different words of these texts. An e-mail address is also one word as a whole, and its domain is another. Of a text in a script
 * without spaces, every place can begin a word.
 */
export function wordsOf(texts: readonly (string | null | undefined)[]): string[] {
  const words = new Set<string>();
  const inner: string[] = [];
  const add = (word: string): void => {
    if (words.size < MAX_WORDS && word !== "") words.add(cut(word, MAX_WORD_LENGTH));
  };
  for (const text of texts) {
    if (text === null || text === undefined) continue;
    const folded = foldText(text);
    for (const token of folded.split(/\s+/u)) {
      const { whole, domain } = addressOf(token);
      if (whole !== null) add(whole);
      if (domain !== null) add(domain);
    }
    for (const word of plainWords(folded)) {
      add(word);
      if (inner.length < MAX_WORDS) inner.push(...innerWords(word));
    }
  }
  for (const word of inner) add(word);
  return [...words];
}

/** The parts of an e-mail address, or of the beginning or the end of one. */
function addressOf(token: string): { readonly whole: string | null; readonly domain: string | null } {
  const at = token.lastIndexOf("@");
  if (at < 0) return { whole: null, domain: null };
  const domain = token.slice(at + 1).replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const local = token.slice(0, at).replaceAll(/^[^\p{L}\p{N}]+/gu, "");
  return { whole: local === "" ? null : `${local}@${domain}`, domain: domain === "" ? null : domain };
}

/** A beginning of words that a record must have. */
export type SearchedWord = string;

/** The beginnings of words in a search, each once. Part of an e-mail address is searched in whole addresses or domains. */
export function searchedWords(q: string): SearchedWord[] {
  const words = foldText(q)
    .split(/\s+/u)
    .flatMap((token) => {
      const { whole, domain } = addressOf(token);
      if (whole !== null) return [whole];
      return domain !== null ? [domain] : plainWords(token);
    })
    .map((word) => cut(word, MAX_WORD_LENGTH));
  const different = [...new Set(words)];
  // A beginning of another searched word adds nothing.
  return different.filter((word) => !different.some((other) => other !== word && other.startsWith(word)));
}

/** The end of the range of words with a beginning: no word contains this character, which is the last one of all. */
export const endOfPrefix = (prefix: SearchedWord): string => `${prefix}\u{10ffff}`;
