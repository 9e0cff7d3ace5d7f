import type { EnvelopeFields, Recipient } from "@countersign/client/types";
import { isWaiting } from "./progress.ts";

/** A place on a page that a person still has to fill in. */
export interface Blank {
  readonly area: EnvelopeFields["fields"][number]["areas"][number];
  readonly words: string;
}

/** The empty fields of the people who have not acted yet. */
export function blanksOf(fields: EnvelopeFields["fields"], recipients: readonly Recipient[]): readonly Blank[] {
  const firstSigner = recipients.find(({ kind }) => kind === "signer");
  return fields
    .filter(({ type, readonly }) => type !== "label" && !readonly)
    .flatMap(({ type, role, areas, required }) => {
      const person = role === null ? firstSigner : recipients.find((one) => one.role === role);
      if (person === undefined || !isWaiting(person)) return [];
      const what = type === "signature" ? "signs here" : type === "initials" ? "initials here" : "fills this in";
      return areas.map((area) => ({ area, words: required ? `${person.name} ${what}` : `Optional, for ${person.name}` }));
    });
}
