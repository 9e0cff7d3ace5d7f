import { Type } from "typebox";
import { arriving, type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, idOf, named, nullable, Timestamp } from "../http/shapes.ts";
import type { CustomerId } from "../shared/ids.ts";
import { createCustomer } from "./create-customer.ts";
import { type CustomerDeps, type CustomerField, customerFields, fieldRules } from "./customer.ts";
import { deleteCustomer } from "./delete-customer.ts";
import * as examples from "./examples.ts";
import { findContacts } from "./find-contacts.ts";
import { findOneCustomer } from "./find-one-customer.ts";
import { listByWords } from "./list-by-words.ts";
import { mergeCustomers } from "./merge-customers.ts";
import { listMerged } from "./merge-store.ts";
import { presentContact, presentCustomer, presentFormer, presentMerged, presentUpload } from "./present.ts";
import { findCustomer, listCustomers } from "./store.ts";
import { updateCustomerDetails } from "./update-customer-details.ts";
import { uploadCustomers } from "./upload-customers.ts";

const Text = nullable(Type.String());
const customerView = {
  customer_id: idOf("customer"),
  name: Text,
  email: Text,
  phone: Text,
  company: Text,
  job_title: Text,
  entity_type: Text,
  client_id: about(Text, "Your own ID for the customer, unique; case is ignored"),
  category: Text,
  industry: Text,
  address_line1: Text,
  address_line2: Text,
  city: Text,
  state: Text,
  postal_code: Text,
  country: Text,
  website_url: Text,
  primary_contact_name: Text,
  created_at: Timestamp,
  updated_at: Timestamp,
};
const CustomerView = named("Customer", Type.Object(customerView));

const MergedView = named(
  "MergedCustomers",
  Type.Object({
    customer: CustomerView,
    merged_customer_id: idOf("customer"),
    envelopes_moved: Type.Integer(),
  }),
);
const FormerView = named(
  "FormerCustomer",
  Type.Object({
    customer_id: idOf("customer"),
    name: Text,
    email: Text,
    client_id: about(Text, "null if the customer had none, or if the other customer took it over"),
    merged_at: Timestamp,
  }),
);
const DeletedView = named("DeletedCustomer", Type.Object({ customer_id: idOf("customer"), deleted: Type.Literal(true) }));

/** One schema with two types instead of a union, so that an error names the broken rule, such as the length or the format. */
function fieldSchema(field: CustomerField) {
  const { says, ...rule }: { maxLength: number; pattern?: string; says?: string } = fieldRules[field];
  return Type.Unsafe<string | null>({
    type: ["string", "null"],
    ...rule,
    ...(says !== undefined && { "x-message": says }),
  });
}
const fields = Object.fromEntries(customerFields.map((field) => [field, fieldSchema(field)])) as {
  [F in CustomerField]: ReturnType<typeof fieldSchema>;
};
const CustomerBody = Type.Partial(Type.Object(fields));

const ContactView = named(
  "Contact",
  Type.Object({
    name: Text,
    email: Type.String(),
    customer_id: about(nullable(idOf("customer")), "null for a person who is not a customer"),
    last_used_at: about(nullable(Timestamp), "When you last sent an envelope to this address"),
  }),
);

/** The response of a bulk upload. */
const RowErrorView = named(
  "CustomerRowError",
  Type.Object({
    row: Type.Integer({ description: "As in a spreadsheet, the header is row 1" }),
    column: about(Text, "Null if the error concerns the whole row"),
    message: Type.String(),
  }),
);
const BulkView = named(
  "CustomerUpload",
  Type.Object({
    rows: Type.Integer({ description: "Total of created, updated and failed rows" }),
    created: Type.Integer(),
    updated: Type.Integer({ description: "Rows with a known client_id, including those that changed nothing" }),
    failed: Type.Integer(),
    errors: Type.Array(RowErrorView, { description: "The first 1,000 errors" }),
  }),
);

const oneCustomer = { params: { customer_id: "customer" }, missing: "customer_not_found" } as const;

export function customerEndpoints(deps: CustomerDeps): Endpoint[] {
  return [
    arriving({
      name: "upload_customers",
      summary: "Import customers from a CSV file",
      description:
        "Creates and updates customers from a CSV file in UTF-8 whose first row names the fields. A row with a known `client_id` updates that customer, and empty cells leave values as they are; any other row creates a customer. Rows with errors are reported in the response; the others are imported. Rows are saved while the file arrives, so an interrupted upload keeps the rows that arrived.",
      resource: "Customers",
      sdk: "customers.upload",
      path: "/customers/bulk",
      access: { anyScope: ["customers:write"] },
      answer: [200, BulkView],
      problems: ["invalid_request"],
      examples: { request: examples.file, answer: examples.upload },
      run: async (caller, csv) => presentUpload(await uploadCustomers(deps, caller, csv)),
    }),
    listing({
      name: "list_customers",
      summary: "List customers",
      description:
        "Lists customers, newest first. Each word of `q` must begin a word of the name, the e-mail address, the company or the `client_id`; case is ignored. With `q`, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To find one customer exactly, use `GET /partner/customers`.",
      resource: "Customers",
      sdk: "customers.list",
      path: "/customers",
      access: { anyScope: ["customers:read"] },
      query: Type.Object({
        q: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: "Beginnings of words of the name, e-mail, company or client_id" }),
        ),
      }),
      item: CustomerView,
      limits: { limit: 20, max: 100 },
      problems: ["page_too_deep"],
      examples: { answer: examples.customer },
      run: async (caller, { query: { q }, ...page }, read) => {
        const { items, ...totals } = await (q === undefined
          ? listCustomers(read, caller.org, page)
          : listByWords(read, caller.org, q, page));
        return { items: items.map(presentCustomer), ...totals };
      },
    }),
    reading({
      name: "find_contacts",
      summary: "Find people to send to",
      description:
        "Returns up to 8 people for what was typed so far: customers with an e-mail address, and people to whom you sent an envelope in the last two years. Each word of `q` must begin a word of the name, the e-mail address or, for customers, the company or `client_id`. The person to whom you sent last comes first.",
      resource: "Customers",
      sdk: "contacts.find",
      path: "/contacts",
      access: { anyScope: ["customers:read"] },
      query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200, description: "Beginnings of words, in any order" }) }),
      answer: [200, Type.Array(ContactView)],
      examples: { answer: [examples.contact] },
      run: async (caller, { query }, read) => (await findContacts(read, caller.org, query.q)).map(presentContact),
    }),
    reading({
      name: "look_up_customer",
      summary: "Look up a customer by client_id or e-mail",
      description:
        "Returns the one customer with this `client_id` or this e-mail address; case is ignored. Give exactly one of the two. If several customers share the e-mail address, the response is 409 and `candidates` lists them, oldest first.",
      resource: "Customers",
      sdk: "customers.lookUp",
      path: "/partner/customers",
      access: { anyScope: ["customers:read"] },
      query: Type.Object({
        client_id: Type.Optional(Type.String({ minLength: 1, maxLength: fieldRules.client_id.maxLength })),
        email: Type.Optional(Type.String({ minLength: 1, maxLength: fieldRules.email.maxLength })),
      }),
      answer: [200, CustomerView],
      problems: ["customer_not_found", "several_customers"],
      examples: { answer: examples.customer },
      run: async (caller, { query }, read) => presentCustomer(await findOneCustomer(read, caller.org, query)),
    }),
    endpoint({
      name: "create_customer",
      summary: "Create a customer",
      description:
        "Creates a customer. All fields are optional; null and blank values are stored as null. Returns 409 if another customer has this `client_id`; case is ignored.",
      resource: "Customers",
      sdk: "customers.create",
      method: "POST",
      path: "/partner/customers",
      access: { anyScope: ["customers:write"] },
      body: CustomerBody,
      answer: [201, CustomerView],
      examples: { request: examples.known, answer: examples.customer },
      problems: ["client_id_taken"],
      run: async (caller, { body }) => presentCustomer(await createCustomer(deps, caller, body)),
    }),
    reading({
      name: "get_customer",
      summary: "Get a customer",
      description:
        "Returns one customer by its ID. The ID of a customer that was merged returns the one into which it was merged. To find a customer by your own ID or an e-mail, use `GET /partner/customers`.",
      resource: "Customers",
      sdk: "customers.get",
      path: "/partner/customers/:customer_id",
      access: { anyScope: ["customers:read"] },
      ...oneCustomer,
      answer: [200, CustomerView],
      examples: { answer: examples.customer },
      run: async (caller, { params }, read) => presentCustomer(await findCustomer(read, caller.org, params.customer_id)),
    }),
    endpoint({
      name: "update_customer",
      summary: "Update a customer",
      description:
        "Changes the fields that you send; the others keep their values. Null or a blank value clears a field. Returns 409 if another customer has this `client_id`; case is ignored.",
      resource: "Customers",
      sdk: "customers.update",
      method: "PATCH",
      path: "/partner/customers/:customer_id",
      access: { anyScope: ["customers:write"] },
      ...oneCustomer,
      body: CustomerBody,
      answer: [200, CustomerView],
      examples: { request: examples.changed, answer: { ...examples.customer, ...examples.changed } },
      problems: ["client_id_taken"],
      ifMatch: true,
      run: async (caller, { params, body, unchanged }) =>
        presentCustomer(await updateCustomerDetails(deps, caller, params.customer_id, body, (now) => unchanged(presentCustomer(now)))),
    }),
    endpoint({
      name: "merge_customers",
      summary: "Merge a duplicate into a customer",
      description:
        "Merges another customer into this one. This customer keeps every value that it has and takes over the others. All envelopes of the duplicate move, at most 20,000; from then on the duplicate's `customer_id`, `client_id` and e-mail address find this customer. Audit trails and evidence are not rewritten: they name the customer that they named. A merge cannot be undone. While an audit grant covers the records of one of the two, the response is 409.",
      resource: "Customers",
      sdk: "customers.merge",
      method: "POST",
      path: "/partner/customers/:customer_id/merge",
      access: { anyScope: ["customers:write"] },
      ...oneCustomer,
      body: Type.Object({ duplicate_customer_id: about(idOf("customer"), "The customer that is merged away") }),
      answer: [200, MergedView],
      examples: { request: examples.duplicate, answer: examples.merged },
      problems: ["customer_audited", "customer_too_large", "customers_changed"],
      run: async (caller, { params, body }) =>
        presentMerged(await mergeCustomers(deps, caller, params.customer_id, body.duplicate_customer_id as CustomerId)),
    }),
    listing({
      name: "list_merged_customers",
      summary: "List merged customers",
      description:
        "Lists the customers that were merged into this one, the last first, with the values that they had. Their IDs, client_ids and e-mail addresses find this customer.",
      resource: "Customers",
      sdk: "customers.listMerged",
      path: "/partner/customers/:customer_id/merged",
      access: { anyScope: ["customers:read"] },
      ...oneCustomer,
      item: FormerView,
      limits: { limit: 20, max: 100 },
      examples: { answer: examples.former },
      run: async (caller, { params, ...page }, read) => {
        const { customer_id } = await findCustomer(read, caller.org, params.customer_id);
        const { items, total } = await listMerged(read, caller.org, customer_id, page);
        return { items: items.map(presentFormer), total };
      },
    }),
    endpoint({
      name: "delete_customer",
      summary: "Delete a customer",
      description:
        "Deletes a customer and everything that you entered about them. Returns 409 `customer_kept` with the reasons while drafts, envelopes out for signature, signed documents, or records in the vault whose retention runs belong to the customer. Envelopes that were declined, voided or expired stay, with `customer_id` null. Audit trails stay; they contain IDs and names of fields.",
      resource: "Customers",
      sdk: "customers.delete",
      method: "DELETE",
      path: "/partner/customers/:customer_id",
      access: { anyScope: ["customers:write"] },
      ...oneCustomer,
      answer: [200, DeletedView],
      examples: { answer: examples.deleted },
      problems: ["customer_kept", "customers_changed"],
      run: async (caller, { params }) => {
        return { customer_id: await deleteCustomer(deps, caller, params.customer_id), deleted: true } as const;
      },
    }),
  ];
}
