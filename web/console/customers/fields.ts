import type { CreateCustomerRequest } from "@countersign/client/types";
import { en } from "../words/customers/en.ts";

/** The fields of a customer, in groups. Their names are those of the API and of the columns in a CSV file. */

export type CustomerField = keyof CreateCustomerRequest;

export const labels: Readonly<Record<CustomerField, string>> = en.fields;

export const customerFields = Object.keys(labels) as readonly CustomerField[];

/** Always visible in the form. Every field is optional. */
export const mainFields = ["name", "email", "company", "client_id"] as const satisfies readonly CustomerField[];

export const moreGroups: readonly (readonly [string, readonly CustomerField[]])[] = [
  [en.groups.contact, ["phone", "job_title", "primary_contact_name", "website_url"]],
  [en.groups.address, ["address_line1", "address_line2", "postal_code", "city", "state", "country"]],
  [en.groups.classification, ["entity_type", "category", "industry"]],
];

export type Entered = Readonly<Record<CustomerField, string>>;

export const enteredOf = (known: { readonly [F in CustomerField]?: string | null }): Entered =>
  Object.fromEntries(customerFields.map((field) => [field, known[field] ?? ""])) as Entered;

/** Only the changed fields. An empty value clears a field. */
export function changesOf(before: Entered, now: Entered): { readonly [F in CustomerField]?: string | null } {
  const changed = customerFields.filter((field) => now[field].trim() !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, now[field].trim() || null]));
}
