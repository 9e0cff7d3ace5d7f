import { type Static, Type } from "typebox";
import { about, Email, Label, Name, named, nullable } from "../http/shapes.ts";
import type { Locale } from "../shared/locales.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { Authentication, KeptAuthentication } from "../signing/identity/requirement.ts";
import { misfitsOf } from "../signing/people.ts";
import { DeliveryShape, Questions, RecipientKindShape } from "../signing/shapes.ts";
import type { Delivery, RecipientKind } from "../signing/submission.ts";
import { MAX_SIGNERS, type SignerInput, SignerLocale } from "./signer-input.ts";

// More steps than people are never needed.
const MAX_STEP = MAX_SIGNERS;

// One type with two kinds of members instead of a union, so that a mistake is reported by its own rule.
const Step = Type.Unsafe<number | null>({
  ...Type.Integer({ minimum: 1, maximum: MAX_STEP }),
  type: ["integer", "null"],
  description: "People of the same step act at the same time, after everyone of the steps before. On everyone who acts, or on none",
});
const Role = about(nullable(Label), "Names the person's fields. Required for signers; not for viewers and cc");
export const RecipientMessage = Type.Unsafe<string | null>({
  type: ["string", "null"],
  maxLength: 2_000,
  description: "Shown to this person only, below the message of the envelope",
});
const common = {
  kind: RecipientKindShape,
  email: Email,
  name: Name,
  step: Type.Optional(Step),
  locale: Type.Optional(SignerLocale),
  message: Type.Optional(RecipientMessage),
  delivery: Type.Optional(DeliveryShape),
};

/** A person whom an envelope is for. `signers` is the short form for those who sign. */
export const RecipientInput = named(
  "EnvelopeRecipient",
  Type.Object({
    ...common,
    role: Type.Optional(Role),
  }),
);
export interface RecipientInput {
  readonly kind: RecipientKind;
  readonly email: string;
  readonly name: string;
  readonly role?: string | null;
  readonly step?: number | null;
  readonly locale?: Locale | null;
  readonly message?: string | null;
  readonly delivery?: Delivery;
}

export const RecipientInputs = Type.Array(RecipientInput, { maxItems: MAX_SIGNERS });

/** A person of a draft. */
export interface DraftRecipient extends RecipientInput {
  readonly authentication?: KeptAuthentication;
}
export const DraftRecipients = Type.Array(
  named("DraftRecipient", Type.Object({ ...RecipientInput.properties, authentication: Type.Optional(KeptAuthentication) })),
  { maxItems: MAX_SIGNERS },
);

const kba = named(
  "SendRecipientQuestions",
  Type.Object({ questions: Questions }, { description: "Identity questions to answer first; the envelope must have `kba_required`" }),
);
/** In a send request, with the questions that the person must answer first, and the codes that they must enter. */
export const SendingRecipients = Type.Array(
  named(
    "SendRecipient",
    Type.Object({ ...RecipientInput.properties, authentication: Type.Optional(Authentication), kba: Type.Optional(kba) }),
  ),
  {
    maxItems: MAX_SIGNERS,
    description:
      "At least one signer. The default is the people of the draft or, if it has none, the customer. Not together with `signers`",
  },
);
export type SendingRecipient = RecipientInput & { readonly authentication?: Authentication; readonly kba?: Static<typeof kba> };

/** A person who is added after the envelope was sent. Fields are placed before it is sent, so that there is no role. */
export const AddedRecipient = Type.Object({ ...common, kind: Type.Enum(["approver", "viewer", "cc"]) });
export type AddedRecipient = Omit<RecipientInput, "role" | "kind"> & { readonly kind: Exclude<RecipientKind, "signer"> };

/** The people of a request, with the name of the member that has them: mistakes are reported there. */
export interface GivenRecipients {
  readonly field: "signers" | "recipients";
  readonly people: readonly DraftRecipient[];
}

interface Body {
  readonly signers?: readonly SignerInput[] | undefined;
  readonly recipients?: readonly DraftRecipient[] | undefined;
}

/** Undefined if the request names none. 422 if it names them twice. */
export function recipientsOf({ signers, recipients }: Body): GivenRecipients | undefined {
  if (signers !== undefined && recipients !== undefined) {
    const message = "cannot be combined with signers, which is the short form for people who sign";
    throw refused([{ location: "body", field: "recipients", code: "conflict", message }]);
  }
  if (recipients !== undefined) return { field: "recipients", people: recipients };
  return signers === undefined ? undefined : { field: "signers", people: asRecipients(signers) };
}

export const asRecipients = (signers: readonly SignerInput[]): DraftRecipient[] => signers.map((signer) => ({ kind: "signer", ...signer }));

/**
 * As the draft keeps them, listed member by member, so that nothing else of the request is stored. A signer without anything else is kept
 * in the short form.
 */
export type SavedRecipient = Omit<DraftRecipient, "kind" | "role"> & { readonly kind?: RecipientKind; readonly role?: string };

export const keptRecipients = (people: readonly DraftRecipient[]): SavedRecipient[] =>
  people.map(({ kind, email, name, role, step, locale, message, delivery, authentication = [] }) => ({
    ...(kind !== "signer" && { kind }),
    email,
    name,
    ...(typeof role === "string" && { role }),
    ...(typeof step === "number" && { step }),
    ...(typeof locale === "string" && { locale }),
    ...(typeof message === "string" && message !== "" && { message }),
    ...(delivery === "link" && { delivery }),
    ...(authentication.length > 0 && { authentication: authentication.map(({ method }) => ({ method })) }),
  }));

/** The people of a draft. */
export const savedRecipients = (saved: readonly SavedRecipient[]): DraftRecipient[] => saved.map((one) => ({ kind: "signer", ...one }));

/** The signers of a draft, in the short form. */
export const savedSigners = (saved: readonly SavedRecipient[]): SignerInput[] =>
  saved
    .filter(({ kind = "signer" }) => kind === "signer")
    .map(({ email, name, role = "", locale }) => ({ email, name, role, ...(typeof locale === "string" && { locale }) }));

export const rolesOfSigners = (people: readonly RecipientInput[]): string[] =>
  people.flatMap(({ kind, role }) => (kind === "signer" && typeof role === "string" ? [role] : []));

/** Whether the short form says everything about the people of a draft. */
export const isShort = (saved: readonly SavedRecipient[]): boolean =>
  saved.every(
    ({ kind, step, message, delivery, authentication }) =>
      kind === undefined && step === undefined && message === undefined && delivery === undefined && authentication === undefined,
  );

const refused = (details: readonly Detail[]): Problem => new Problem("invalid_request", "recipients", { details });

/**
 * Refuses two people with the same address or role, roles that the kind has or lacks, steps that only some have, names that cannot be
 * written under a signature, and checks that cannot be asked. Reports all mistakes at once.
 */
export function refuseUnfitRecipients({ field, people }: GivenRecipients, location: Detail["location"]): void {
  const whole = people.map(({ kind, name, email, role = null, step = null }) => ({ kind, name, email, role, step }));
  const details = [
    ...misfitsOf(whole).map(({ index, part, code, message }): Detail => ({ location, field: `${field}[${index}].${part}`, code, message })),
    ...people.flatMap((one, index) => unaskable(one).map((fault) => ({ ...fault, location, field: `${field}[${index}].${fault.field}` }))),
  ];
  if (details.length > 0) throw refused(details);
}

function unaskable({ kind, authentication = [] }: DraftRecipient): Pick<Detail, "field" | "code" | "message">[] {
  if (kind === "cc" && authentication.length > 0) return [{ field: "authentication", code: "conflict", message: "a cc enters no codes" }];
  return authentication.flatMap(({ method }, at) => {
    const isRepeated = authentication.findIndex((one) => one.method === method) < at;
    return isRepeated ? [{ field: `authentication[${at}].method`, code: "duplicate", message: "must not be required twice" }] : [];
  });
}

/**
 * If the tags of a document, or its template, name roles, the people must have these roles or those of fields that were placed since.
 * Otherwise any role is accepted: a signer without a field signs on a page that is added.
 */
export function refuseUnknownRecipientRoles(
  { field, people }: GivenRecipients,
  { named, placed }: { readonly named: readonly string[]; readonly placed: readonly string[] },
  location: Detail["location"],
): void {
  if (named.length === 0) return;
  const roles = [...new Set([...named, ...placed])];
  const message = `is no role of the document; it names: ${roles.join(", ")}`;
  const details = people.flatMap(({ role = null }, index): Detail[] =>
    role === null || roles.includes(role) ? [] : [{ location, field: `${field}[${index}].role`, code: "unknown_role", message }],
  );
  if (details.length > 0) throw new Problem("unknown_roles", `${details.length} roles`, { details });
}
