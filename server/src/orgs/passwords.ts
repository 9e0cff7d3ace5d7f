import { DECOY, isCurrent } from "../proofs/parameters.ts";
import type { ProofPool, Turn } from "../proofs/pool.ts";
import { emailKey } from "../shared/email.ts";
import { invalidField } from "../shared/problems.ts";
import { commonPasswords } from "./common-passwords.ts";

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 128;

interface PasswordDeps {
  readonly proofs: ProofPool;
}

/** The turn of callers with a session, a mailed link or the command line. They come before unknown browsers. */
const PROVED: Turn = { known: true, group: "" };

export function hashPassword({ proofs }: PasswordDeps, password: string, turn: Turn = PROVED): Promise<string> {
  return proofs.hash(password.normalize("NFKC"), turn);
}

export function needsRehash(stored: string): boolean {
  return !isCurrent(stored);
}

/** Does the same work for an unknown person as for a wrong password, so the response time reveals nothing. */
export async function passwordMatches({ proofs }: PasswordDeps, stored: string | null, password: string, turn: Turn): Promise<boolean> {
  const matches = await proofs.verify(stored ?? DECOY, password.normalize("NFKC"), turn);
  return matches && stored !== null;
}

/** Throws 422 with the reason. `field` is the location of the password in the body. */
export function refuseWeakPassword(given: string, email: string, field = "password"): void {
  // Checked in the form in which it is hashed, where full-width letters are ordinary letters.
  const password = given.normalize("NFKC");
  const length = [...password].length;
  if (length < MIN_CHARACTERS) throw invalidField(field, "too_small", `must have at least ${MIN_CHARACTERS} characters`);
  if (length > MAX_CHARACTERS) throw invalidField(field, "too_long", `must have at most ${MAX_CHARACTERS} characters`);
  if (emailKey(password) === emailKey(email)) throw invalidField(field, "invalid_value", "must not be the e-mail address");
  const lower = password.toLowerCase();
  if (isMonotonous(lower) || isMostlyRuns(lower) || isCommon(lower)) {
    throw invalidField(field, "invalid_value", "is too easy to guess. Use several unrelated words");
  }
}

function isMonotonous(text: string): boolean {
  return new Set(text).size < 5;
}

/** Whether the password is in the list once common suffixes, repetitions and substitutions are undone: "P@ssw0rd2024!" is "password". */
function isCommon(text: string): boolean {
  const forms = [text, text.replace(/[^a-z]+$/, ""), text.replace(/[^a-z]/g, "")].flatMap((form) => [form, unswapped(form), unitOf(form)]);
  return [...forms, unswapped(text.replace(/[\d!?.#*+_-]+$/, "")), unitOf(unswapped(text))].some((form) => commonPasswords.has(form));
}

const SWAPS: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s", "!": "i" };

function unswapped(text: string): string {
  return text.replace(/[013457@$!]/g, (character) => SWAPS[character] ?? character);
}

/** The shortest unit that the text repeats: "welcome" for "welcomewelcome". */
function unitOf(text: string): string {
  for (let size = 1; size <= text.length / 2; size++) {
    const unit = text.slice(0, size);
    if (text.length % size === 0 && unit.repeat(text.length / size) === text) return unit;
  }
  return text;
}

const KEYBOARD = [
  "1234567890",
  "qwertyuiop",
  "qwertzuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
  "6yhn",
  "7ujm",
];

/** Whether most characters follow their neighbour in the alphabet or on the keyboard, in either direction. Such passwords are easy to guess. */
function isMostlyRuns(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++) if (areNeighbours(text[i - 1] ?? "", text[i] ?? "")) steps++;
  return steps >= 0.7 * (text.length - 1);
}

function areNeighbours(a: string, b: string): boolean {
  if (Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) <= 1) return true;
  return KEYBOARD.some((row) => row.includes(a + b) || row.includes(b + a));
}
