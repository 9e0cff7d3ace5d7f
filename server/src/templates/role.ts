import { type Static, Type } from "typebox";
import { about, Email, Label, Name, named, nullable } from "../http/shapes.ts";
import { type Locale, locales } from "../shared/locales.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { misfitsOf } from "../signing/people.ts";
import { RecipientKindShape } from "../signing/shapes.ts";
import { type Delivery, deliveries, type RecipientKind } from "../signing/submission.ts";

/** A place of a template: what its person does in envelopes from it and, perhaps, who the person is. */
export interface TemplateRole {
  readonly kind: RecipientKind;
  readonly role: string | null;
  readonly step: number | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly locale: Locale | null;
  readonly message: string | null;
  readonly delivery: Delivery;
}

// As many as an envelope can have people.
const MAX_ROLES = 100;

// One type with two kinds of members instead of a union, so that a mistake is reported by its own rule.
const Step = Type.Unsafe<number | null>({ ...Type.Integer({ minimum: 1, maximum: MAX_ROLES }), type: ["integer", "null"] });
const Message = Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 2_000 });
const members = {
  kind: RecipientKindShape,
  role: about(nullable(Label), "The role of the fields. Required for signers; null for viewers and cc"),
  step: about(Step, "People of the same step act at the same time. On everyone who acts, or on none"),
  name: about(nullable(Name), "Who it is in every envelope; null if that is different each time"),
  email: nullable(Email),
  locale: Type.Unsafe<Locale | null>({ enum: [...locales, null], description: "Language of the signing page" }),
  message: about(Message, "Shown to this person only"),
  delivery: Type.Enum([...deliveries]),
};

export const TemplateRoleView = named("TemplateRecipient", Type.Object(members));
const { kind, ...others } = members;
const TemplateRoleInput = named("TemplateRole", Type.Object({ kind, ...Type.Partial(Type.Object(others)).properties }));
export type TemplateRoleInput = Static<typeof TemplateRoleInput>;
export const TemplateRoles = Type.Array(TemplateRoleInput, {
  maxItems: MAX_ROLES,
  description:
    "The people of envelopes from this template: kind, step and role, and name and e-mail where they are always the same. Roles of the fields that are left out are signers",
});

/** With everything that the request left out. */
export const wholeRole = (given: TemplateRoleInput): TemplateRole => ({
  kind: given.kind,
  role: given.role ?? null,
  step: given.step ?? null,
  name: given.name ?? null,
  email: given.email ?? null,
  locale: given.locale ?? null,
  message: given.message === "" ? null : (given.message ?? null),
  delivery: given.delivery ?? "email",
});

/** Refuses what an envelope would refuse about its people, so that envelopes from the template can be created. Reports all mistakes at once. */
export function refuseUnfitRoles(roles: readonly TemplateRole[], ofFields: readonly string[]): void {
  const at = (index: number, part: string, code: Detail["code"], message: string): Detail => ({
    location: "body",
    field: `roles[${index}].${part}`,
    code,
    message,
  });
  const details = [
    ...misfitsOf(roles).map(({ index, part, code, message }) => at(index, part, code, message)),
    ...roles.flatMap(({ name, email }, index): Detail[] => {
      if (email === null && name !== null) return [at(index, "email", "required", "is required with a name")];
      return email !== null && name === null ? [at(index, "name", "required", "is required with an e-mail address")] : [];
    }),
  ];
  if (details.length > 0) throw new Problem("invalid_request", "roles", { details });
  const unknown = roles.flatMap(({ role }, index): Detail[] => {
    if (role === null || ofFields.length === 0 || ofFields.includes(role)) return [];
    return [at(index, "role", "unknown_role", `is no role of the document; it names: ${ofFields.join(", ")}`)];
  });
  if (unknown.length > 0) throw new Problem("unknown_roles", `${unknown.length} roles`, { details: unknown });
}

/** The saved places that the fields still have, and a signer for each role of the fields that no place names. */
export function allRoles(saved: readonly TemplateRole[], ofFields: readonly string[]): TemplateRole[] {
  const kept = saved.filter(({ role }) => role === null || ofFields.length === 0 || ofFields.includes(role));
  const missing = ofFields.filter((role) => !kept.some((one) => one.role === role));
  return [...kept, ...missing.map((role) => wholeRole({ kind: "signer", role }))];
}
