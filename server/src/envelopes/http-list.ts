import { type Static, Type } from "typebox";
import { type Endpoint, listing } from "../http/endpoint.ts";
import { about, Timestamp } from "../http/shapes.ts";
import type { Caller } from "../shared/caller.ts";
import { type DetailCode, Problem } from "../shared/problems.ts";
import * as examples from "./examples.ts";
import { type Expansion, expandEnvelopes, expansions } from "./expansion-store.ts";
import { type EnvelopeFilter, listEnvelopes } from "./list-store.ts";
import { presentExpanded, presentListed } from "./present.ts";
import { ListedView, Status } from "./shapes.ts";

const ListQuery = Type.Object({
  customer_id: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Status),
  external_id: Type.Optional(Type.String({ maxLength: 200, description: "Exactly this external_id; several envelopes can have it" })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Finds part of the envelope name or external_id and, with customers:read, of the customer's name, e-mail or client_id. Case does not matter",
    }),
  ),
  created_from: Type.Optional(about(Timestamp, "Created at this time or later")),
  created_to: Type.Optional(about(Timestamp, "Created before this time")),
  expand: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma-separated related objects to include: ${expansions.join(", ")} (needs customers:read)`,
    }),
  ),
});

/** Without `expand`, a row has exactly the seven fields of the specification. */
export function listingEnvelopes(): Endpoint {
  return listing({
    name: "list_envelopes",
    summary: "List envelopes",
    description:
      "Lists your envelopes, newest first. Filter by customer, status, text or date of creation, and use `expand` to include signers and customers. To follow envelopes as they change, use webhooks instead of polling this list.",
    resource: "Envelopes",
    sdk: "envelopes.list",
    path: "/partner/envelopes",
    access: { anyScope: ["envelopes:read"] },
    query: ListQuery,
    item: ListedView,
    limits: { limit: 20, max: 100 },
    examples: { answer: examples.listed },
    run: async (caller, { query, page, limit }, read) => {
      const expand = expansionsOf(caller, query.expand);
      const { items, total } = await listEnvelopes(read, caller.org, filterOf(caller, query), { page, limit });
      if (expand.length === 0) return { items: items.map(presentListed), total };
      const ids = items.map(({ envelope_id }) => envelope_id);
      const expanded = await expandEnvelopes(read, caller.org, ids);
      return { items: items.map((item) => presentExpanded(item, expanded.get(item.envelope_id) ?? gone(), expand)), total };
    },
  });
}

const mayReadCustomers = ({ scopes }: Caller): boolean => scopes.includes("customers:read");

function filterOf(
  caller: Caller,
  { created_from, created_to, customer_id, status, external_id, q }: Static<typeof ListQuery>,
): EnvelopeFilter {
  return {
    customer_id,
    status,
    external_id,
    q,
    created_from: momentOf(created_from),
    created_to: momentOf(created_to),
    searchesCustomers: mayReadCustomers(caller),
  };
}

function expansionsOf(caller: Caller, text: string | undefined): Expansion[] {
  const words = text?.split(",") ?? [];
  if (!words.every((word): word is Expansion => expansions.some((known) => known === word))) {
    throw invalidQuery("expand", "invalid_value", `must be of: ${expansions.join(", ")}`);
  }
  if (words.includes("customer") && !mayReadCustomers(caller))
    throw new Problem("scope_missing", "", { words: { scope: "customers:read" } });
  return words;
}

const momentOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

function invalidQuery(field: string, code: DetailCode, message: string): Problem {
  return new Problem("invalid_request", `${field} ${code}`, { details: [{ location: "query", field, code, message }] });
}

function gone(): never {
  throw new Error("a listed envelope was not found");
}
