import type { Locale, Recipient, SigningOrder } from "@countersign/client/types";
import { blankQuestions, type Question } from "../envelopes/question.ts";
import type { Draft } from "./api.ts";
import { hasCode, type Identity, identityOf, noIdentity } from "./identity.ts";

/** A recipient as entered in the form. */
export interface Person extends Readonly<Pick<Recipient, "kind" | "name" | "email" | "delivery">> {
  /** stays the same when the person is moved */
  readonly key: number;
  /** empty: none */
  readonly role: string;
  /** counts only if people act in steps. null: a copy of the result only */
  readonly step: number | null;
  /** empty: the browser's language */
  readonly locale: Locale | "";
  readonly message: string;
  /** kept in memory only, never saved with the draft */
  readonly questions: readonly Question[];
  /** the access code is kept in memory only too */
  readonly identity: Identity;
}

/** What is kept in memory of how a person is identified. */
export interface Checks extends Pick<Person, "questions"> {
  /** the access code; empty: none */
  readonly code: string;
}
/** By e-mail address in lower case. */
export type ChecksByEmail = Readonly<Record<string, Checks>>;

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
  identity: noIdentity,
  ...given,
});

export const keyOf = (email: string): string => email.trim().toLowerCase();

/** Whether the envelope waits for this person. */
export const acts = ({ kind }: Pick<Person, "kind">): boolean => kind !== "cc";
/** Whether the kind of person can have fields. */
export const hasFields = ({ kind }: Pick<Person, "kind">): boolean => kind === "signer" || kind === "approver";

/** The saved recipients. If there are none yet, one for each role in the document, with the customer first. */
export function peopleOf({ recipients, document, customer }: Draft, checks: ChecksByEmail): readonly Person[] {
  if (recipients.length > 0) {
    const saved = recipients.map(({ kind, name, email, role, step, locale, message, delivery, authentication = [] }) => {
      const { questions, code = "" } = checks[keyOf(email)] ?? {};
      const identity = identityOf(authentication);
      return newPerson({
        kind,
        name,
        email,
        role: role ?? "",
        step,
        locale: locale ?? "",
        message: message ?? "",
        delivery,
        ...(questions !== undefined && { questions }),
        identity: hasCode(identity) ? { ...identity, code } : identity,
      });
    });
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

/** By step, without gaps between steps. People who only get the result come last. */
export function inSteps(people: readonly Person[]): readonly Person[] {
  const steps = [...new Set(people.flatMap(({ step }) => (step === null ? [] : [step])))].sort((a, b) => a - b);
  return people
    .map((person) =>
      person.step === null || person.step === steps.indexOf(person.step) + 1 ? person : { ...person, step: steps.indexOf(person.step) + 1 },
    )
    .sort((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity));
}
