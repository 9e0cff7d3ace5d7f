import { sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import { type Static, Type } from "typebox";
import { Email, Label, Name, named } from "../http/shapes.ts";
import { type Locale, locales } from "../shared/locales.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { Authentication } from "../signing/identity/requirement.ts";
import { Questions } from "../signing/shapes.ts";

/** In the form that `GET …/signers` returns, so that it can be written back. */
export const SignerLocale = named(
  "SignerLocale",
  Type.Unsafe<Locale | null>({
    enum: [...locales, null],
    description: "Language of the signing page; null uses the language of the signer's browser",
  }),
);

/** The signers, in signing order. See the specification, "Signer input". */
export const SignerInput = named(
  "EnvelopeSigner",
  Type.Object({
    email: Email,
    name: Name,
    role: Label,
    locale: Type.Optional(SignerLocale),
  }),
);
export type SignerInput = Static<typeof SignerInput>;

// Every signer gets mail, a link and a turn. Contracts with more parties can be split into several envelopes.
export const MAX_SIGNERS = 100;
export const SignerInputs = Type.Array(SignerInput, { maxItems: MAX_SIGNERS });

/** A signer in a send request, with the questions that they must answer first, and the codes that they must enter. */
export const SendingSigner = named(
  "SendSigner",
  Type.Object({
    ...SignerInput.properties,
    authentication: Type.Optional(Authentication),
    kba: Type.Optional(
      named(
        "SendSignerQuestions",
        Type.Object({ questions: Questions }, { description: "Identity questions to answer first; the envelope must have `kba_required`" }),
      ),
    ),
  }),
);
export type SendingSigner = Static<typeof SendingSigner>;

/** Listed member by member, so that nothing else of the request is stored. */
export const keptSigners = (signers: readonly SignerInput[]): SignerInput[] =>
  signers.map(({ email, name, role, locale }) => ({ email, name, role, ...(typeof locale === "string" && { locale }) }));

const key = (text: string): string => text.trim().toLowerCase();

/** Refuses two signers with the same address or role, and names that cannot be written under a signature. Reports all mistakes at once. */
export function refuseUnfitSigners(signers: readonly SignerInput[], location: Detail["location"]): void {
  const details: Detail[] = signers.flatMap(({ name }, index): Detail[] => {
    const message = undrawableIn(name, sharedFonts());
    return message === null ? [] : [{ location, field: `signers[${index}].name`, code: "invalid_value", message }];
  });
  for (const part of ["email", "role"] as const) {
    const seen = new Set<string>();
    for (const [index, signer] of signers.entries()) {
      const value = key(signer[part]);
      if (seen.has(value))
        details.push({
          location,
          field: `signers[${index}].${part}`,
          code: "duplicate",
          message: "must be unique (upper and lower case count as equal)",
        });
      seen.add(value);
    }
  }
  if (details.length > 0) throw new Problem("invalid_request", "signers", { details });
}

/** If the tags of a document name roles, the signers must have these roles. Otherwise any role is accepted. */
export function refuseUnknownRoles(signers: readonly SignerInput[], roles: readonly string[], location: Detail["location"]): void {
  if (roles.length === 0) return;
  const message = `is no role of the document; it names: ${roles.join(", ")}`;
  const details = signers.flatMap(({ role }, index): Detail[] =>
    roles.includes(role) ? [] : [{ location, field: `signers[${index}].role`, code: "unknown_role", message }],
  );
  if (details.length > 0) throw new Problem("unknown_roles", `${details.length} roles`, { details });
}
