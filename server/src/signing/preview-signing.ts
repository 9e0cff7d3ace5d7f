import type { Read } from "../db/sql.ts";
import { firstPages } from "../documents/first-pages.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { invalidField } from "../shared/problems.ts";
import { dayIn, type Filled, fill } from "./builtin/filled.ts";
import { NO_DRAFT } from "./builtin/store.ts";
import { type Field, rolesOf, type SentField } from "./field.ts";
import { type FinalValue, finalValuesIn } from "./signed-content.ts";
import type { Prepared, PreparedPerson, SigningDeps } from "./submission.ts";

export interface PreviewRequest {
  readonly role: string;
  /** what the person would have typed so far */
  readonly values?: readonly { readonly field_id: string; readonly value: string | number | boolean | null }[];
}

export interface Previewed {
  readonly prepared: Prepared;
  readonly you: PreparedPerson;
  readonly filled: Filled;
  /** what the sender filled in for others, or as a label */
  readonly others: readonly FinalValue[];
  readonly values_locale: Locale;
  readonly logo: Uint8Array | null;
}

/** Fields with their positions, and with pages that count through all documents. */
export function placedThrough(documents: readonly Counted[], fields: readonly Unplaced[]): SentField[] {
  const first = firstPages(documents.map(({ pages }) => pages.length));
  return fields.map(({ prefilled = null, ...field }, position) => {
    const areas = field.areas.map((area) => ({ ...area, page: area.page + (first[field.document_no - 1] ?? 1) - 1 }));
    return { ...field, position, prefilled, areas };
  });
}

interface Counted {
  readonly pages: readonly unknown[];
}

type Unplaced = Field & { readonly prefilled?: string | null };

/** The documents with their first pages; empty if there is only one. */
export function partsOf(documents: readonly (Counted & { readonly name: string })[]): Prepared["documents"] {
  const first = firstPages(documents.map(({ pages }) => pages.length));
  if (documents.length < 2) return [];
  return documents.map(({ name, pages }, index) => ({ name, first_page: first[index] ?? 1, pages: pages.length }));
}

/** What the person with this role would be shown if the document was sent as it is now. Nothing is stored. */
export function previewSigning(
  { db, lookUpLogo }: Pick<SigningDeps, "db" | "lookUpLogo">,
  org: OrgId,
  find: (read: Read) => Promise<Prepared>,
  { role, values = [] }: PreviewRequest,
): Promise<Previewed> {
  return db.tx(org, async (tx) => {
    const prepared = await find(tx);
    const { fields, pages, people, default_locale: values_locale } = prepared;
    const roles = rolesOf(fields);
    if (!roles.includes(role))
      throw invalidField("role", "unknown_role", `has no field here; roles with fields: ${roles.join(", ") || "none"}`);
    const you = people.find((one) => one.role === role) ?? { kind: "signer", role, name: null, message: null };
    const draft = { ...NO_DRAFT, values: Object.fromEntries(values.map(({ field_id, value }) => [field_id, value])) };
    const others = finalValuesIn({ fields, values_locale }, []).filter(({ step }) => step.role !== role);
    const filled = fill(draft, { role }, { fields, pages }, dayIn(tx.now));
    return { prepared, you, filled, others, values_locale, logo: await lookUpLogo(tx, org) };
  });
}
