import type { DraftRecipient, RecipientKind, SigningOrder } from "@countersign/client/types";
import { isBlank } from "../envelopes/question.ts";
import { methodsOf } from "./identity.ts";
import { acts, type ChecksByEmail, hasFields, inSteps, keyOf, newPerson, type Person } from "./people.ts";

/** The people of the form: their order and roles, and how the API expects them. */

/** A role that no person has yet: one from the document, otherwise a new one. A document whose tags name roles refuses a new one. */
export function freeRole(people: readonly Person[], roles: readonly string[]): string {
  const isFree = (role: string) => !people.some((one) => one.role.trim().toLowerCase() === role.toLowerCase());
  const numbered = Array.from({ length: people.length + 2 }, (_, index) => (index === 0 ? "Signer" : `Signer ${index + 1}`));
  return roles.find(isFree) ?? numbered.find(isFree) ?? "";
}

/** A place for each role of the document that no one has yet. */
export function withOpenRoles(people: readonly Person[], roles: readonly string[]): readonly Person[] {
  const open = roles.filter((role) => !people.some((one) => one.role === role));
  return [...people, ...open.map((role) => newPerson({ role, step: Math.max(1, lastStep(people)) }))];
}

const EMAIL = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,189}$/;

/** The people whom the service would refuse, for example because the user is still typing. */
export function incompleteIn(people: readonly Person[]): readonly Person[] {
  const seen = new Set<string>();
  return people.filter((person) => {
    const role = hasFields(person) ? person.role.trim().toLowerCase() : "";
    const [email, as] = [keyOf(person.email), `as ${role}`];
    const isTaken = seen.has(email) || (role !== "" && seen.has(as));
    seen.add(email).add(as);
    return isTaken || person.name.trim() === "" || !EMAIL.test(email) || (person.kind === "signer" && role === "");
  });
}

/** As a draft keeps them. */
export const recipientsOf = (people: readonly Person[], order: SigningOrder): readonly DraftRecipient[] =>
  people.map((person) => {
    const { kind, name, email, role, step, locale, message, delivery, identity } = person;
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
      ...(acts(person) && identity.check !== "none" && { authentication: methodsOf(identity.check) }),
    };
  });

/** Whether nothing was entered that is only kept in memory. */
export const isUnchecked = ({ questions, identity }: Person): boolean => isBlank(questions) && identity.code === "";

/** What was entered and is only kept in memory. */
export const checksOf = (people: readonly Person[]): ChecksByEmail =>
  Object.fromEntries(
    people.flatMap((one) => (isUnchecked(one) ? [] : [[keyOf(one.email), { questions: one.questions, code: one.identity.code }]])),
  );

export function moved(people: readonly Person[], index: number, by: 1 | -1): readonly Person[] {
  const [one, other] = [people[index], people[index + by]];
  if (one === undefined || other === undefined) return people;
  return people.map((person, at) => (at === index ? other : at === index + by ? one : person));
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
