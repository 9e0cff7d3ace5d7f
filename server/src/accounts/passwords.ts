import { DECOY, isCurrent } from "../proofs/parameters.ts";
import type { ProofPool, Turn } from "../proofs/pool.ts";
import type { PasswordPart } from "../proofs/protocol.ts";
import { emailKey } from "../shared/email.ts";
import { invalidField } from "../shared/problems.ts";

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

export interface PasswordContext {
  /** of the account */
  readonly email: string;
  /** names of the person and their organizations, which an attacker of this account tries first */
  readonly names: readonly string[];
  readonly field?: string;
  /** the fewest characters that the person's organizations accept */
  readonly min?: number;
}

const PRODUCT = "countersign";

const parts: Readonly<Record<PasswordPart, string>> = {
  own: "your name, your address or your organization",
  word: "a common word or password",
  year: "a year",
  repeat: "a repetition",
  sequence: "a row of the alphabet or the keyboard",
  character: "",
};

/** Throws 422 with the reason. `field` is the location of the password in the body. Before the transaction, because a thread judges it. */
export async function refuseWeakPassword({ proofs }: PasswordDeps, given: string, context: PasswordContext): Promise<void> {
  const { email, names, field = "password", min = MIN_CHARACTERS } = context;
  // Checked in the form in which it is hashed, where full-width letters are ordinary letters.
  const password = given.normalize("NFKC");
  const length = [...password].length;
  if (length < min) throw invalidField(field, "too_small", `must have at least ${min} characters`);
  if (length > MAX_CHARACTERS) throw invalidField(field, "too_long", `must have at most ${MAX_CHARACTERS} characters`);
  if (emailKey(password) === emailKey(email)) throw invalidField(field, "invalid_value", "must not be the e-mail address");
  const judged = await proofs.judge(password, [email, ...names, PRODUCT], PROVED);
  if (judged.ok) return;
  if (judged.why === "breached") throw invalidField(field, "invalid_value", "is in a list of stolen passwords. Use another one");
  const made = [...new Set(judged.parts)].map((part) => parts[part]).filter((words) => words !== "");
  const message = `is too easy to guess: it is mostly ${listed.format(made)}. Use several unrelated words`;
  throw invalidField(field, "invalid_value", message);
}

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });
