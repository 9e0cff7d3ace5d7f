import { type Static, Type } from "typebox";
import { type Endpoint, listing } from "../http/endpoint.ts";
import { about, Email, idOf, named, Timestamp } from "../http/shapes.ts";
import type { Caller } from "../shared/caller.ts";
import { isId, type UserId } from "../shared/ids.ts";
import { invalidQuery, Problem } from "../shared/problems.ts";
import { tagKey } from "../tags/tag.ts";
import * as examples from "./examples.ts";
import { type Expansion, expandEnvelopes, expansions } from "./expansion-store.ts";
import { type EnvelopeFilter, sorts, stages } from "./filter.ts";
import { listEnvelopes } from "./list-store.ts";
import { presentExpanded, presentListed } from "./present.ts";
import { ListedView, Status } from "./shapes.ts";

/** What narrows and sorts a list of envelopes. The export has the same. */
export const filters = {
  customer_id: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Status),
  stage: Type.Optional(
    Type.Enum([...stages], {
      description: "draft: not sent yet (pending, uploaded or preparing). open: sent, and not ended (sent or viewed)",
    }),
  ),
  external_id: Type.Optional(Type.String({ maxLength: 200, description: "Exactly this external_id; several envelopes can have it" })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Beginnings of words, in any order: each must begin a word of the envelope's name, external_id or tags, of a name or e-mail address of its signers or, with customers:read, of its customer's name, e-mail, company or client_id. Case does not matter. An e-mail address also counts as one word",
    }),
  ),
  created_from: Type.Optional(about(Timestamp, "Created at this time or later")),
  created_to: Type.Optional(about(Timestamp, "Created before this time")),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: "The name of a tag. Case does not matter" })),
  owner: Type.Optional(Type.String({ maxLength: 100, description: "The user ID of the owner, or `me` in a console session" })),
  recipient_email: Type.Optional(about(Email, "Sent to this address. Drafts are not searched")),
  template_id: Type.Optional(idOf("template")),
  batch_id: Type.Optional(idOf("bulkBatch")),
  form_id: Type.Optional(idOf("form")),
  waiting_for: Type.Optional(
    Type.Enum(["me"], { description: "Open envelopes that you were asked to sign and have not signed. Only in a console session" }),
  ),
  discarded: Type.Optional(
    Type.Enum(["exclude", "only"], { description: "Leaves out discarded drafts, or lists only them. Without it the list has both" }),
  ),
  sort: Type.Optional(
    named(
      "EnvelopeSort",
      Type.Enum([...sorts], {
        description:
          "-created_at: newest first. -updated_at: latest change first. expires_at: open envelopes by expiry date, then the others. envelope_name: by name",
        default: "-created_at",
      }),
    ),
  ),
};
const Filters = Type.Object(filters);

const ListQuery = Type.Object({
  ...filters,
  expand: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma-separated related objects to include: ${expansions.join(", ")} (customer needs customers:read)`,
    }),
  ),
});

/** Without `expand`, a row has exactly the seven fields of the specification. */
export function listingEnvelopes(): Endpoint {
  return listing({
    name: "list_envelopes",
    summary: "List envelopes",
    description:
      "Lists your envelopes, newest first unless you `sort`. Filter by customer, status, words, tag, owner or date, and use `expand` to include related objects. With any filter other than customer_id, status, external_id and dates, or with another order, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To follow envelopes as they change, use webhooks instead of polling this list.",
    resource: "Envelopes",
    sdk: "envelopes.list",
    path: "/partner/envelopes",
    access: { anyScope: ["envelopes:read", "drafts:write"] },
    query: ListQuery,
    item: ListedView,
    limits: { limit: 20, max: 100 },
    problems: ["search_too_broad", "page_too_deep"],
    examples: { answer: examples.listed },
    run: async (caller, { query, page, limit }, read) => {
      const expand = expansionsOf(caller, query.expand);
      const { items, ...totals } = await listEnvelopes(read, caller.org, filterOf(caller, query), { page, limit });
      if (expand.length === 0) return { items: items.map(presentListed), ...totals };
      const ids = items.map(({ envelope_id }) => envelope_id);
      const expanded = await expandEnvelopes(read, caller.org, ids);
      const present = (item: (typeof items)[number]) => presentExpanded(item, expanded.get(item.envelope_id) ?? gone(), expand, caller);
      return { items: items.map(present), ...totals };
    },
  });
}

export const mayReadCustomers = ({ scopes }: Caller): boolean => scopes.includes("customers:read");

export function filterOf(caller: Caller, query: Static<typeof Filters>): EnvelopeFilter {
  const { created_from, created_to, tag, owner, waiting_for, ...others } = query;
  return {
    ...others,
    created_from: momentOf(created_from),
    created_to: momentOf(created_to),
    tag: tag === undefined ? undefined : tagKey(tag),
    owner: owner === undefined ? undefined : ownerOf(caller, owner),
    waiting_for: waiting_for === undefined ? undefined : personOf(caller, "waiting_for"),
    searchesCustomers: mayReadCustomers(caller),
  };
}

function ownerOf(caller: Caller, text: string): UserId {
  if (text === "me") return personOf(caller, "owner");
  if (!isId("user", text)) throw invalidQuery("owner", "invalid_value", "must be a user ID (usr_…) or me");
  return text;
}

/** A key is not a person. */
function personOf({ session }: Caller, parameter: string): UserId {
  if (session === null) throw invalidQuery(parameter, "session_required", "me is only for members who are logged in, not for API keys");
  return session.user_id;
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

function gone(): never {
  throw new Error("a listed envelope was not found");
}
