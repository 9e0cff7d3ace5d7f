import type { EnvelopeRecipient, FormRecipient, RecipientKind } from "@countersign/client/types";

/** A person of a form, as they are being edited. */
export interface EditedPerson {
  /** names the row while it is edited */
  readonly key: number;
  readonly kind: RecipientKind;
  readonly name: string;
  readonly email: string;
  /** empty: none */
  readonly role: string;
  /** as it was typed */
  readonly step: string;
  /** what this screen does not change */
  readonly kept: Pick<FormRecipient, "locale" | "message" | "delivery"> | null;
}

let made = 0;

export const newPerson = (kind: RecipientKind, role = ""): EditedPerson => ({
  key: ++made,
  kind,
  name: "",
  email: "",
  role,
  step: "",
  kept: null,
});

export const editedPeople = (recipients: readonly FormRecipient[]): EditedPerson[] =>
  recipients.map(({ kind, name, email, role, step, locale, message, delivery }) => ({
    key: ++made,
    kind,
    name,
    email,
    role: role ?? "",
    step: step === null ? "" : String(step),
    kept: { locale, message, delivery },
  }));

export const hasRole = (kind: RecipientKind): boolean => kind === "signer" || kind === "approver";

export const recipientsFrom = (people: readonly EditedPerson[]): EnvelopeRecipient[] =>
  people.map(({ kind, name, email, role, step, kept }) => ({
    kind,
    name: name.trim(),
    email: email.trim(),
    ...(hasRole(kind) && role !== "" && { role }),
    ...(step.trim() !== "" && { step: Number(step) }),
    ...(kept !== null && { locale: kept.locale, message: kept.message, delivery: kept.delivery }),
  }));

/** Every role of the template that the visitor does not have needs a person. */
export const peopleFor = (roles: readonly string[], visitor_role: string): EditedPerson[] =>
  roles.filter((role) => role !== visitor_role).map((role) => newPerson("signer", role));
