import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import { Email } from "../http/shapes.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import { type DetailCode, Problem } from "../shared/problems.ts";

export interface CustomerDeps {
  readonly db: Db;
  /** Gives the envelopes of a customer to another, or to none. Returns how many. Implemented in `envelopes/`. */
  readonly moveEnvelopes: (tx: Tx, org: OrgId, from: CustomerId, into: CustomerId | null) => Promise<number>;
}

interface FieldRule {
  /** in characters, as JSON schema counts them */
  readonly maxLength: number;
  readonly pattern?: string;
  /** the error message for a value that does not match the pattern */
  readonly says?: string;
}

// Type.String keeps its options, but its type does not include them.
const EMAIL = (Email as unknown as { pattern: string }).pattern.slice(1, -1);
// Only http and https links, because another scheme could run a script when the link is opened.
const WEB_ADDRESS = "[Hh][Tt][Tt][Pp][Ss]?://[^\\s<>\"'`/?#][^\\s<>\"'`]*";

/**
 * White space around a value is allowed and a blank value means none, in JSON and in files. The pattern has two branches, because with
 * an optional middle part, backtracking over a long run of blanks would take minutes.
 */
const blankOr = (pattern: string) => `^\\s*$|^\\s*${pattern}\\s*$`;

/** The fields that a partner can set, which are also the columns of an uploaded file. */
export const fieldRules = {
  name: { maxLength: 200 },
  email: { maxLength: 254, pattern: blankOr(EMAIL), says: "must be an e-mail address, for example ann@example.com" },
  phone: { maxLength: 100 },
  company: { maxLength: 200 },
  job_title: { maxLength: 200 },
  entity_type: { maxLength: 100 },
  client_id: { maxLength: 200 },
  category: { maxLength: 100 },
  industry: { maxLength: 100 },
  address_line1: { maxLength: 300 },
  address_line2: { maxLength: 300 },
  city: { maxLength: 200 },
  state: { maxLength: 100 },
  postal_code: { maxLength: 100 },
  country: { maxLength: 100 },
  website_url: { maxLength: 2000, pattern: blankOr(WEB_ADDRESS), says: "must be a web address that begins with http:// or https://" },
  primary_contact_name: { maxLength: 200 },
} as const satisfies Record<string, FieldRule>;

export type CustomerField = keyof typeof fieldRules;
export const customerFields = Object.keys(fieldRules) as readonly CustomerField[];

export type CustomerValues = { readonly [F in CustomerField]: string | null };
/** Fields that are not given do not change. */
export type CustomerChange = { readonly [F in CustomerField]?: string | null | undefined };

export type Customer = CustomerValues & {
  readonly customer_id: CustomerId;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Only the known fields of a body, trimmed. A blank value becomes null. */
export function tidy(body: CustomerChange): CustomerChange {
  const named = customerFields.filter((field) => body[field] !== undefined);
  return Object.fromEntries(named.map((field) => [field, body[field]?.trim() || null]));
}

/**
 * Two client ids are equal if they have the same key. Each character is lowercased separately, because in a whole text a capital sigma
 * becomes one of two letters, depending on its position. Here `ΟΔΟΣ`, `οδοσ` and `οδος` are equal.
 */
export function clientKey(client_id: string): string {
  return Array.from(client_id.trim(), (character) => (character === "ς" ? "σ" : character.toLowerCase())).join("");
}

export interface Fault {
  readonly code: DetailCode;
  readonly message: string;
}

const patterns = new Map(
  customerFields.flatMap((field) => {
    const { pattern }: FieldRule = fieldRules[field];
    return pattern === undefined ? [] : [[field, new RegExp(pattern, "u")] as const];
  }),
);

/** Checks a value that was not validated by a schema, with the same rules. Returns the error, or null. */
export function faultOf(field: CustomerField, text: string): Fault | null {
  const { maxLength, says = "does not match the pattern in the API description" }: FieldRule = fieldRules[field];
  if (text.includes("\0")) return { code: "invalid_format", message: "must not contain a NUL character" };
  // The replacement character that a decoder inserts for invalid bytes.
  if (text.includes("\ufffd")) return { code: "invalid_format", message: "must be valid UTF-8" };
  if (text.length > maxLength && Array.from(text).length > maxLength) {
    return { code: "too_long", message: `must have at most ${maxLength} characters` };
  }
  return patterns.get(field)?.test(text) === false ? { code: "invalid_format", message: says } : null;
}

export function severalCustomers(customers: readonly Customer[]): Problem {
  const candidates = customers.map(({ customer_id, name, client_id }) => ({ customer_id, name, client_id }));
  return new Problem("several_customers", `${candidates.length} candidates`, { candidates });
}

export function clientIdTaken(cause?: unknown): Problem {
  const message = "belongs to another customer";
  return new Problem("client_id_taken", "", { details: [{ location: "body", field: "client_id", code: "duplicate", message }], cause });
}
