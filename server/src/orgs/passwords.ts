import { hash, verify } from "@node-rs/argon2";
import { invalidField } from "../shared/problems.ts";
import { commonPasswords } from "./common-passwords.ts";

// OWASP's second choice for argon2id: 19 MiB, two passes, one lane (argon2id is the library's default). More memory would let a burst of log-ons exhaust a small machine.
const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 128;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), PARAMETERS);
}

export function needsRehash(stored: string): boolean {
  return !CURRENT.test(stored);
}

let decoy: Promise<string> | undefined;

/** An unknown person costs the same work as a known one with a wrong password: the time of the answer tells nothing. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("the password of nobody");
  const matches = await verify(stored ?? (await decoy), password.normalize("NFKC"));
  return matches && stored !== null;
}

/** Throws 422 with the reason; `field` is where the password stood in the body. */
export function refuseWeakPassword(password: string, email: string, field = "password"): void {
  const length = [...password].length;
  if (length < MIN_CHARACTERS) throw invalidField(field, "too_small", `must have at least ${MIN_CHARACTERS} characters`);
  if (length > MAX_CHARACTERS) throw invalidField(field, "too_long", `must have at most ${MAX_CHARACTERS} characters`);
  if (isCommon(password)) throw invalidField(field, "invalid_value", "is too easy to guess; use a few words that do not belong together");
  if (password.toLowerCase() === email.toLowerCase()) throw invalidField(field, "invalid_value", "must not be the e-mail address");
}

/** In the list as it stands, or once what people usually append and swap is taken away; or made of very few different characters. */
function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  if (new Set(lower).size < 5) return true;
  const letters = lower.replaceAll("0", "o").replaceAll("1", "i").replaceAll("3", "e").replaceAll("4", "a").replaceAll("5", "s");
  const forms = [lower, letters, letters.replaceAll("@", "a").replaceAll("$", "s")].flatMap((form) => [
    form,
    form.replace(/[^a-z]+$/, ""),
    form.replace(/[^a-z]/g, ""),
  ]);
  return forms.some((form) => commonPasswords.has(form) || commonPasswords.has(halfOf(form))) || isRun(lower);
}

/** "welcomewelcome" is no better than "welcome". */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

const RUNS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "98765432109876543210",
  "qwertyuiopasdfghjklzxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn",
];

function isRun(text: string): boolean {
  return RUNS.some((run) => run.includes(text));
}
