import type { EnvelopeRecipient, Locale, RecipientDelivery, RecipientKind, SigningOrder } from "@countersign/client/types";
import { blankQuestions, isBlank, type Question } from "../envelopes/questions.tsx";
import type { Draft } from "./api.ts";

/** A recipient as entered in the form. */
export interface Person {
  /** stays the same when the person is moved */
  readonly key: number;
  readonly kind: RecipientKind;
  readonly name: string;
  readonly email: string;
  /** empty: none */
  readonly role: string;
  /** counts only if people act in steps. null: a copy of the result only */
  readonly step: number | null;
  /** empty: the browser's language */
  readonly locale: Locale | "";
  readonly message: string;
  readonly delivery: RecipientDelivery;
  /** kept in memory only, never saved with the draft */
  readonly questions: readonly Question[];
}

/** By e-mail, lower case. */
export type QuestionsByEmail = Readonly<Record<string, readonly Question[]>>;

let made = 0;
export const newPerson = (given: Partial<Omit<Person, "key">> = {}): Person => ({
  key: ++made,
  kind: "signer",
  name: "",
  email: "",
  role: "",
  step: 1,
  locale: "",
  message: "",
  delivery: "email",
  questions: blankQuestions(),
  ...given,
});

export const keyOf = (email: string): string => email.trim().toLowerCase();

/** Whether the envelope waits for this person. */
export const acts = ({ kind }: Pick<Person, "kind">): boolean => kind !== "cc";
/** Whether the kind of person can have fields. */
export const hasFields = ({ kind }: Pick<Person, "kind">): boolean => kind === "signer" || kind === "approver";

/** The saved recipients. If there are none yet, one for each role in the document, with the customer first. */
export function peopleOf({ recipients, document, customer }: Draft, questions: QuestionsByEmail): readonly Person[] {
  if (recipients.length > 0) {
    const saved = recipients.map(({ kind, name, email, role, step, locale, message, delivery }) =>
      newPerson({
        kind,
        name,
        email,
        role: role ?? "",
        step,
        locale: locale ?? "",
        message: message ?? "",
        delivery,
        questions: questions[keyOf(email)] ?? blankQuestions(),
      }),
    );
    return inSteps(saved);
  }
  const [first = "Signer", ...others] = document.roles;
  const named = newPerson({ name: customer?.name ?? "", email: customer?.email ?? "", role: first });
  return [named, ...others.map((role) => newPerson({ role }))];
}

/** The order of the draft. A copy that someone gets from a step on needs steps, whatever the order of the others. */
export function orderOf({ recipients, envelope }: Draft): SigningOrder {
  return recipients.some(({ kind, step }) => kind === "cc" && step !== null) ? "steps" : envelope.metadata.signing_order;
}

/** A role that no person has yet: one from the document, otherwise a new one. A document whose tags name roles refuses a new one. */
export function freeRole(people: readonly Person[], roles: readonly string[]): string {
  const isFree = (role: string) => !people.some((one) => one.role.trim().toLowerCase() === role.toLowerCase());
  const numbered = Array.from({ length: people.length + 2 }, (_, index) => (index === 0 ? "Signer" : `Signer ${index + 1}`));
  return roles.find(isFree) ?? numbered.find(isFree) ?? "";
}

/** As the API expects them. */
export const recipientsOf = (people: readonly Person[], order: SigningOrder): readonly EnvelopeRecipient[] =>
  people.map((person) => {
    const { kind, name, email, role, step, locale, message, delivery } = person;
    return {
      kind,
      email: email.trim(),
      name: name.trim(),
      // A signer without a role is refused by the service, which says so at the field.
      ...(hasFields(person) && (role.trim() !== "" || kind === "signer") && { role: role.trim() }),
      ...(order === "steps" && step !== null && { step }),
      ...(locale !== "" && { locale }),
      ...(message.trim() !== "" && { message: message.trim() }),
      ...(delivery === "link" && acts(person) && { delivery }),
    };
  });

/** The questions that are not empty. */
export const questionsOf = (people: readonly Person[]): QuestionsByEmail =>
  Object.fromEntries(people.flatMap(({ email, questions }) => (isBlank(questions) ? [] : [[keyOf(email), questions]])));

export function moved(people: readonly Person[], index: number, by: 1 | -1): readonly Person[] {
  const [one, other] = [people[index], people[index + by]];
  if (one === undefined || other === undefined) return people;
  return people.map((person, at) => (at === index ? other : at === index + by ? one : person));
}

/** By step, without gaps between steps. People who only get the result come last. */
export function inSteps(people: readonly Person[]): readonly Person[] {
  const steps = [...new Set(people.flatMap(({ step }) => (step === null ? [] : [step])))].sort((a, b) => a - b);
  return people
    .map((person) => (person.step === null ? person : { ...person, step: steps.indexOf(person.step) + 1 }))
    .sort((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity));
}

/** Moves a person to the step before or after. A person who shares the first or last step gets a new step beyond it. */
export function movedStep(people: readonly Person[], key: number, by: 1 | -1): readonly Person[] {
  const person = people.find((one) => one.key === key);
  if (person === undefined || person.step === null || !canMoveStep(people, person, by)) return people;
  const wanted = person.step + by;
  const others = wanted < 1 ? people.map((one) => (one.step === null ? one : { ...one, step: one.step + 1 })) : people;
  return inSteps(others.map((one) => (one.key === key ? { ...one, step: Math.max(wanted, 1) } : one)));
}

export function canMoveStep(people: readonly Person[], { key, step }: Person, by: 1 | -1): boolean {
  if (step === null) return false;
  const others = people.filter((one) => one.key !== key && one.step !== null);
  const isShared = others.some((one) => one.step === step);
  return isShared || others.some((one) => (by === 1 ? (one.step ?? 0) > step : (one.step ?? 0) < step));
}

/** The people when the order changes: steps follow from the order that was. */
export function withOrder(people: readonly Person[], from: SigningOrder, to: SigningOrder): readonly Person[] {
  if (to !== "steps" || from === "steps") return people;
  let turn = 0;
  return inSteps(people.map((one) => (acts(one) ? { ...one, step: from === "sequential" ? ++turn : 1 } : { ...one, step: null })));
}

/** A person of another kind has the parts that the kind has. */
export function ofKind(person: Person, kind: RecipientKind, steps: number, roles: readonly string[]): Person {
  const step = kind === "cc" ? null : (person.step ?? Math.max(steps, 1));
  // An approver needs a role only for fields. What was made up for a signer is not one of theirs.
  const isKept = kind === "signer" || (kind === "approver" && roles.includes(person.role));
  return { ...person, kind, step, role: isKept ? person.role : "" };
}

export const lastStep = (people: readonly Person[]): number => Math.max(0, ...people.map(({ step }) => step ?? 0));

/** Whether the person is the first of their step, in a list by step. */
export const beginsStep = (people: readonly Person[], index: number): boolean =>
  index === 0 || people[index - 1]?.step !== people[index]?.step;
