import type { Pages } from "../documents/pages.ts";
import { validator } from "../http/validate.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { type Field, rolesOf } from "../signing/field.ts";
import { keyFields } from "../templates/key-fields.ts";
import { chooseRecipients, refuseUndrawable, refuseUnfillableGroups, refuseUnfinished } from "./choose-recipients.ts";
import type { EnvelopeRequest, OfBatch } from "./create-envelope.ts";
import type { EnvelopeField } from "./document-store.ts";
import { planRecipients } from "./plan-recipients.ts";
import { type Prefilled, readKeyed } from "./prefilled.ts";
import { recipientsOf } from "./recipient-input.ts";
import { inOneDocument } from "./send-envelope.ts";
import { CreateBody } from "./shapes.ts";

/** The documents and the fields that the envelope would have. */
export interface Material {
  readonly documents: readonly { readonly document_no: number; readonly pages: Pages }[];
  readonly fields: readonly Field[];
}

const validate = validator(CreateBody, "body");

/**
 * What creating and sending this envelope would refuse, all at once, without creating anything. Two people of one envelope, a value that
 * does not fit its field: everything that depends on the request and the template alone.
 */
export function checkRequest(request: EnvelopeRequest, values: OfBatch["values"], { documents, fields }: Material): Detail[] {
  const details: Detail[] = [];
  const attempt = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, says } = error;
      details.push(...(error.details ?? [{ location: "body", field: null, code, message: says } as const]));
    }
  };
  attempt(() => validate(request));
  let prefilled: readonly Prefilled[] = [];
  // One by one, so that a wrong value does not make the others missing.
  for (const [key, value] of Object.entries(values)) {
    attempt(() => {
      prefilled = [...prefilled, ...readKeyed({ [key]: value }, fields)];
    });
  }
  attempt(() => {
    const { people } = chooseRecipients(recipientsOf(request), [], null, fields.map(unfilled), rolesOf(fields));
    planRecipients(people, request.signing_order ?? "sequential");
  });
  // A value that its field cannot hold is reported once, and says nothing about what else the field lacks.
  const refused = new Set(details.map(({ field }) => field));
  const filled = keyFields(fields, []).flatMap((field, nth): EnvelopeField[] =>
    refused.has(`prefilled_data.${field.field_key}`)
      ? []
      : [{ ...field, prefilled: prefilled.find((one) => one.nth === nth)?.value ?? null }],
  );
  attempt(() => refuseUnfinished(filled));
  if (filled.length === fields.length) attempt(() => refuseUnfillableGroups(filled));
  attempt(() => refuseUndrawable(inOneDocument(filled, documents), { pages: documents.flatMap(({ pages }) => pages) }));
  return details;
}

const unfilled = (field: Field): EnvelopeField => ({ ...field, prefilled: null });
