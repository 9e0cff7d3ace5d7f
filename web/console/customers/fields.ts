import type { CreateCustomerRequest } from "@countersign/client/types";
/** The fields of a customer, in groups. Their names are those of the API and of the columns in a CSV file. */

export type CustomerField = keyof CreateCustomerRequest;

export const labels = {
  name: "Name",
  email: "E-mail address",
  company: "Company",
  client_id: "Client ID",
  phone: "Phone",
  job_title: "Job title",
  primary_contact_name: "Primary contact",
  website_url: "Website",
  address_line1: "Address",
  address_line2: "Address line 2",
  postal_code: "Postal code",
  city: "City",
  state: "State",
  country: "Country",
  entity_type: "Entity type",
  category: "Category",
  industry: "Industry",
} as const satisfies Record<CustomerField, string>;

export const customerFields = Object.keys(labels) as readonly CustomerField[];

/** Always visible in the form. Every field is optional. */
export const mainFields = ["name", "email", "company", "client_id"] as const satisfies readonly CustomerField[];

export const moreGroups: readonly (readonly [string, readonly CustomerField[]])[] = [
  ["Contact", ["phone", "job_title", "primary_contact_name", "website_url"]],
  ["Address", ["address_line1", "address_line2", "postal_code", "city", "state", "country"]],
  ["Classification", ["entity_type", "category", "industry"]],
];

export type Entered = Readonly<Record<CustomerField, string>>;

export const enteredOf = (known: { readonly [F in CustomerField]?: string | null }): Entered =>
  Object.fromEntries(customerFields.map((field) => [field, known[field] ?? ""])) as Entered;

/** Only the changed fields. An empty value clears a field. */
export function changesOf(before: Entered, now: Entered): { readonly [F in CustomerField]?: string | null } {
  const changed = customerFields.filter((field) => now[field].trim() !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, now[field].trim() || null]));
}
