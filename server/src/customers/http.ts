import { Type } from "typebox";
import { arriving, type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { idOf, nullable, Timestamp } from "../http/shapes.ts";
import { createCustomer } from "./create-customer.ts";
import { type CustomerDeps, type CustomerField, customerFields, fieldRules } from "./customer.ts";
import { findOneCustomer } from "./find-one-customer.ts";
import { presentCustomer, presentUpload } from "./present.ts";
import { findCustomer, listCustomers, searchCustomers } from "./store.ts";
import { updateCustomerDetails } from "./update-customer.ts";
import { uploadCustomers } from "./upload-customers.ts";

const Text = nullable(Type.String());
const CustomerView = Type.Object({
  customer_id: idOf("customer"),
  name: Text,
  email: Text,
  phone: Text,
  company: Text,
  job_title: Text,
  entity_type: Text,
  client_id: Text,
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
});

/** One type of two names and not a union, so that a mistake is told by its own rule: too long, wrong form. */
function fieldSchema(field: CustomerField) {
  const { says, ...rule }: { maxLength: number; pattern?: string; says?: string } = fieldRules[field];
  return Type.Unsafe<string | null>({ type: ["string", "null"], ...rule, ...(says !== undefined && { description: says }) });
}
const fields = Object.fromEntries(customerFields.map((field) => [field, fieldSchema(field)])) as {
  [F in CustomerField]: ReturnType<typeof fieldSchema>;
};
const CustomerBody = Type.Partial(Type.Object(fields));

/** The answer of a bulk upload. */
const BulkView = Type.Object({
  rows: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(Type.Object({ row: Type.Integer(), column: Text, message: Type.String() })),
});

const oneCustomer = { params: { customer_id: "customer" }, missing: "customer_not_found" } as const;

const example = {
  name: "Ann",
  email: "ann@example.com",
  phone: "+49 30 1234567",
  company: "Acme",
  job_title: "Owner",
  entity_type: "company",
  client_id: "C-1007",
  category: "retail",
  industry: "furniture",
  address_line1: "12 Harbour Road",
  address_line2: null,
  city: "Hamburg",
  state: null,
  postal_code: "20457",
  country: "DE",
  website_url: "https://acme.example",
  primary_contact_name: "Sam",
};
const viewExample = {
  customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
  ...example,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};
const bulkExample = {
  rows: 3,
  created: 1,
  updated: 1,
  failed: 1,
  errors: [{ row: 3, column: "email", message: "must be an e-mail address" }],
};

export function customerEndpoints(deps: CustomerDeps): Endpoint[] {
  return [
    arriving({
      name: "upload_customers",
      summary:
        "Create and change customers from a CSV file, row by row as it arrives; a row whose client_id is known changes that customer",
      path: "/customers/bulk",
      access: { anyScope: ["customers:write"] },
      answer: [200, BulkView],
      problems: ["invalid_request"],
      examples: { request: { file: "client_id,name,email\nC-1007,Ann,ann@example.com\n" }, answer: bulkExample },
      run: async (caller, csv) => presentUpload(await uploadCustomers(deps, caller, csv)),
    }),
    listing({
      name: "list_customers",
      summary: "Customers, newest first; `q` finds those with it in their name, e-mail, company or client_id, without regard to case",
      path: "/customers",
      access: { anyScope: ["customers:read"] },
      query: Type.Object({ q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
      item: CustomerView,
      limits: { limit: 20, max: 100 },
      examples: { answer: viewExample },
      run: async (caller, { query: { q }, ...page }, read) => {
        const { items, total } = await (q === undefined
          ? listCustomers(read, caller.org, page)
          : searchCustomers(read, caller.org, q, page));
        return { items: items.map(presentCustomer), total };
      },
    }),
    reading({
      name: "look_up_customer",
      summary: "The customer with this client_id or this e-mail, without regard to case",
      path: "/partner/customers",
      access: { anyScope: ["customers:read"] },
      query: Type.Object({
        client_id: Type.Optional(Type.String({ minLength: 1, maxLength: fieldRules.client_id.maxLength })),
        email: Type.Optional(Type.String({ minLength: 1, maxLength: fieldRules.email.maxLength })),
      }),
      answer: [200, CustomerView],
      problems: ["customer_not_found", "several_customers"],
      examples: { answer: viewExample },
      run: async (caller, { query }, read) => presentCustomer(await findOneCustomer(read, caller.org, query)),
    }),
    endpoint({
      name: "create_customer",
      summary: "Create a customer; every field may be left out",
      method: "POST",
      path: "/partner/customers",
      access: { anyScope: ["customers:write"] },
      body: CustomerBody,
      answer: [201, CustomerView],
      examples: { request: example, answer: viewExample },
      problems: ["client_id_taken"],
      run: async (caller, { body }) => presentCustomer(await createCustomer(deps, caller, body)),
    }),
    reading({
      name: "get_customer",
      summary: "One customer",
      path: "/partner/customers/:customer_id",
      access: { anyScope: ["customers:read"] },
      ...oneCustomer,
      answer: [200, CustomerView],
      examples: { answer: viewExample },
      run: async (caller, { params }, read) => presentCustomer(await findCustomer(read, caller.org, params.customer_id)),
    }),
    endpoint({
      name: "update_customer",
      summary: "Change the fields that are named; null or a blank clears one",
      method: "PATCH",
      path: "/partner/customers/:customer_id",
      access: { anyScope: ["customers:write"] },
      ...oneCustomer,
      body: CustomerBody,
      answer: [200, CustomerView],
      examples: { request: { phone: "+49 40 7654321", address_line2: null }, answer: viewExample },
      problems: ["client_id_taken"],
      run: async (caller, { params, body }) => presentCustomer(await updateCustomerDetails(deps, caller, params.customer_id, body)),
    }),
  ];
}
