import type { EnvelopeSignerInput, Locale } from "@countersign/client/types";
import { blankQuestions, isBlank, type Question } from "../envelopes/questions.tsx";
import type { Draft } from "./api.ts";

/** A signer as entered in the form. */
export interface Person {
  /** stays the same when the signer is moved */
  readonly key: number;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  /** empty: the browser's language */
  readonly locale: Locale | "";
  /** kept in memory only, never saved with the draft */
  readonly questions: readonly Question[];
}

/** By e-mail, lower case. */
export type QuestionsByEmail = Readonly<Record<string, readonly Question[]>>;

let made = 0;
export const newPerson = (given: Partial<Omit<Person, "key">> = {}): Person => ({
  key: ++made,
  name: "",
  email: "",
  role: "",
  locale: "",
  questions: blankQuestions(),
  ...given,
});

export const keyOf = (email: string): string => email.trim().toLowerCase();

/** The saved signers. If there are none yet, one for each role in the document, with the customer first. */
export function peopleOf({ signers, document, customer }: Draft, questions: QuestionsByEmail): readonly Person[] {
  if (signers.length > 0) {
    return signers.map(({ name, email, role, locale }) =>
      newPerson({ name, email, role, locale: locale ?? "", questions: questions[keyOf(email)] ?? blankQuestions() }),
    );
  }
  const [first = "Signer", ...others] = document.roles;
  const named = newPerson({ name: customer?.name ?? "", email: customer?.email ?? "", role: first });
  return [named, ...others.map((role) => newPerson({ role }))];
}

/** A role that no signer has yet: one from the document, or a new one if the document names none. */
export function freeRole(people: readonly Person[], roles: readonly string[]): string {
  const isFree = (role: string) => !people.some((one) => one.role.trim().toLowerCase() === role.toLowerCase());
  const numbered = Array.from({ length: people.length + 2 }, (_, index) => (index === 0 ? "Signer" : `Signer ${index + 1}`));
  return roles.find(isFree) ?? (roles.length > 0 ? "" : (numbered.find(isFree) ?? ""));
}

/** As the API expects them. */
export const signersOf = (people: readonly Person[]): readonly EnvelopeSignerInput[] =>
  people.map(({ name, email, role, locale }) => ({
    email: email.trim(),
    name: name.trim(),
    role: role.trim(),
    ...(locale !== "" && { locale }),
  }));

/** The questions that are not empty. */
export const questionsOf = (people: readonly Person[]): QuestionsByEmail =>
  Object.fromEntries(people.flatMap(({ email, questions }) => (isBlank(questions) ? [] : [[keyOf(email), questions]])));

/** Compares what would be sent; the keys do not matter. */
export const isSame = (a: readonly Person[], b: readonly Person[]): boolean =>
  JSON.stringify(signersOf(a)) === JSON.stringify(signersOf(b));

export function moved(people: readonly Person[], index: number, by: 1 | -1): readonly Person[] {
  const [one, other] = [people[index], people[index + by]];
  if (one === undefined || other === undefined) return people;
  return people.map((person, at) => (at === index ? other : at === index + by ? one : person));
}
