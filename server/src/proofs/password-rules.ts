import { isBreached } from "./breached.ts";
import type { Judgement, PasswordPart } from "./protocol.ts";
import { addTo, finish, folded, isCommonWord, MAX_WORD, MIN_WORD, START } from "./words.ts";

/**
 * How many bits an attacker has to guess who knows how people make passwords. One pass over the characters finds the cheapest way to put the
 * password together from words, years, repetitions, sequences and single characters.
 */

const ENOUGH_BITS = 36;

const WORD_BITS = 13;
/** a word that an attacker of this very account tries first */
const OWN_BITS = 2;
const YEAR_BITS = 6;
const RUN_BITS = 6;
const DIGIT_BITS = Math.log2(10);
const LETTER_BITS = Math.log2(26);
const OTHER_BITS = 5;

export interface Estimate {
  readonly bits: number;
  /** what it is made of, in its order */
  readonly parts: readonly PasswordPart[];
}

/** `breached_file`: see breached.ts; null without one. */
export function judgePassword(password: string, own: readonly string[], breached_file: string | null): Judgement {
  const { bits, parts } = estimate(password, own);
  if (bits < ENOUGH_BITS) return { ok: false, why: "guessable", parts };
  return breached_file !== null && isBreached(breached_file, password) ? { ok: false, why: "breached" } : { ok: true };
}

interface Best {
  bits: number;
  from: number;
  part: PasswordPart;
}

/** `own`: names, addresses and other words that belong to the person or their organizations. */
export function estimate(password: string, own: readonly string[]): Estimate {
  const characters = folded([...password.normalize("NFKC")]);
  const swapped = characters.map((character) => SWAPS[character] ?? character);
  const best: Best[] = [
    { bits: 0, from: 0, part: "character" },
    ...characters.map((): Best => ({ bits: Infinity, from: 0, part: "character" })),
  ];
  const offer = (from: number, to: number, bits: number, part: PasswordPart): void => {
    const [before, there] = [best[from], best[to]];
    if (before !== undefined && there !== undefined && before.bits + bits < there.bits) best[to] = { bits: before.bits + bits, from, part };
  };
  const ownWords = wordsOf(own);
  for (let start = 0; start < characters.length; start++) {
    offer(start, start + 1, bitsOf(characters[start] ?? ""), "character");
    for (const form of [characters, swapped]) offerWords(form, start, ownWords, offer);
    offerYear(characters, start, offer);
    offerRuns(characters, start, offer);
    offerRepeats(characters, start, offer);
  }
  const parts: PasswordPart[] = [];
  for (let at = characters.length; at > 0; at = best[at]?.from ?? 0) parts.unshift(best[at]?.part ?? "character");
  return { bits: best[characters.length]?.bits ?? 0, parts };
}

type Offer = (from: number, to: number, bits: number, part: PasswordPart) => void;

const SWAPS: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s", "!": "i" };

const bitsOf = (character: string): number => (/\d/.test(character) ? DIGIT_BITS : /[a-z]/.test(character) ? LETTER_BITS : OTHER_BITS);

function wordsOf(own: readonly string[]): ReadonlySet<string> {
  const whole = own.map((text) => folded([...text.normalize("NFKC")]).join(""));
  const words = whole.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]/gu, ""), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return new Set(words.filter((word) => word.length >= MIN_WORD));
}

function offerWords(form: readonly string[], start: number, own: ReadonlySet<string>, offer: Offer): void {
  let hash = START;
  let text = "";
  // An own word can be as long as an address.
  for (let end = start + 1; end <= form.length; end++) {
    const character = form[end - 1] ?? "";
    text += character;
    hash = addTo(hash, character);
    if (own.has(text)) offer(start, end, OWN_BITS, "own");
    const length = end - start;
    if (length >= MIN_WORD && length <= MAX_WORD && isCommonWord(finish(hash))) offer(start, end, WORD_BITS, "word");
  }
}

function offerYear(characters: readonly string[], start: number, offer: Offer): void {
  if (/^(19|20)\d\d$/.test(characters.slice(start, start + 4).join(""))) offer(start, start + 4, YEAR_BITS, "year");
}

const KEYBOARD = [
  "1234567890",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
];

type Step = (a: string, b: string) => boolean;
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
const upwards: Step = (a, b) => codeOf(b) === codeOf(a) + 1;
const downwards: Step = (a, b) => codeOf(b) === codeOf(a) - 1;
const onKeyboard: Step = (a, b) => KEYBOARD.some((row) => row.includes(a + b) || row.includes(b + a));

/** Characters that follow each other in the alphabet, among the digits or on the keyboard. */
function offerRuns(characters: readonly string[], start: number, offer: Offer): void {
  for (const follows of [upwards, downwards, onKeyboard]) {
    let end = start + 1;
    while (end < characters.length && follows(characters[end - 1] ?? "", characters[end] ?? "")) {
      end++;
      if (end - start >= 3) offer(start, end, RUN_BITS, "sequence");
    }
  }
}

/** The same character several times, or what stands before once more, as often as it likes. */
function offerRepeats(characters: readonly string[], start: number, offer: Offer): void {
  for (let end = start + 2; end <= characters.length && characters[end - 1] === characters[start]; end++)
    offer(start, end, RUN_BITS, "repeat");
  for (let unit = 1; unit <= start; unit++) {
    for (let end = start; end < characters.length && characters[end] === characters[end - unit]; end++)
      if ((end + 1 - start) % unit === 0) offer(start, end + 1, RUN_BITS, "repeat");
  }
}
