import { iso, isoOrNull } from "../http/shapes.ts";
import type { Contact } from "./contact-store.ts";
import type { Customer } from "./customer.ts";
import type { Merged } from "./merge-customers.ts";
import type { FormerCustomer } from "./merge-store.ts";
import type { Upload } from "./upload-customers.ts";

/** The fields of the response, listed explicitly. Notes, payment reference, properties and revenue metrics are internal and never included. */
export const presentCustomer = (customer: Customer) => ({
  customer_id: customer.customer_id,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  company: customer.company,
  job_title: customer.job_title,
  entity_type: customer.entity_type,
  client_id: customer.client_id,
  category: customer.category,
  industry: customer.industry,
  address_line1: customer.address_line1,
  address_line2: customer.address_line2,
  city: customer.city,
  state: customer.state,
  postal_code: customer.postal_code,
  country: customer.country,
  website_url: customer.website_url,
  primary_contact_name: customer.primary_contact_name,
  created_at: iso(customer.created_at),
  updated_at: iso(customer.updated_at),
});

export const presentMerged = ({ customer, merged_customer_id, envelopes_moved }: Merged) => ({
  customer: presentCustomer(customer),
  merged_customer_id,
  envelopes_moved,
});

export const presentFormer = ({ customer_id, name, email, client_id, merged_at }: FormerCustomer) => ({
  customer_id,
  name,
  email,
  client_id,
  merged_at: iso(merged_at),
});

export const presentContact = ({ name, email, customer_id, last_used_at }: Contact) => ({
  name,
  email,
  customer_id,
  last_used_at: isoOrNull(last_used_at),
});

export const presentUpload = ({ rows, created, updated, failed, errors }: Upload) => ({
  rows,
  created,
  updated,
  failed,
  errors: errors.map(({ row, column, message }) => ({ row, column, message })),
});
