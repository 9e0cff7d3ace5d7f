import type { EnvelopeFields, Recipient } from "@countersign/client/types";
import { en as words } from "../words/blanks/en.ts";
import { isWaiting } from "./at-turn.ts";

/** A place on a page that a person still has to fill in. */
export interface Blank {
  readonly area: EnvelopeFields["fields"][number]["areas"][number];
  readonly words: string;
}

type Person = Pick<Recipient, "kind" | "name" | "role" | "status">;

/** The empty fields of the people who have not acted yet. */
export function blanksOf(fields: EnvelopeFields["fields"], recipients: readonly Person[]): readonly Blank[] {
  const firstSigner = recipients.find(({ kind }) => kind === "signer");
  return fields
    .filter(({ type, readonly }) => type !== "label" && !readonly)
    .flatMap(({ type, role, areas, required }) => {
      const person = role === null ? firstSigner : recipients.find((one) => one.role === role);
      if (person === undefined || !isWaiting(person)) return [];
      const textOf = !required ? words.optional : type === "signature" ? words.signs : type === "initials" ? words.initials : words.fills;
      return areas.map((area) => ({ area, words: textOf(person.name) }));
    });
}
