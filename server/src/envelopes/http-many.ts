import { type Static, Type } from "typebox";
import { type Endpoint, endpoint, reading, serving } from "../http/endpoint.ts";
import { about, idOf, named, Reason } from "../http/shapes.ts";
import { type EnvelopeId, isId } from "../shared/ids.ts";
import { invalidQuery } from "../shared/problems.ts";
import { Colour, TagName, TagNames } from "../tags/tag.ts";
import { type ActionRequest, actions, actOnMany } from "./act-on-many.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import * as examples from "./examples.ts";
import { exportEnvelopes } from "./export-envelopes.ts";
import { filterOf, filters } from "./http-list.ts";
import { presentActedOn, presentTag } from "./present.ts";
import { removeTag } from "./remove-tag.ts";
import { saveTag } from "./save-tag.ts";
import { listCountedTags } from "./tag-store.ts";
import { zipDocuments } from "./zip-documents.ts";

/** Endpoints for many envelopes at once: actions, the export, the documents, and tags. */

const MAX_ACTED_ON = 200;

const ActionBody = Type.Object({
  action: named("EnvelopeAction", Type.Enum([...actions])),
  envelope_ids: Type.Array(idOf("envelope"), { minItems: 1, maxItems: MAX_ACTED_ON }),
  tags: Type.Optional(about(TagNames, "For tag and untag")),
  owner_user_id: Type.Optional(about(idOf("user"), "For set_owner: a member of your organization")),
  reason: Type.Optional(about(Reason, "For void")),
});

const DocumentsBody = Type.Object({
  envelope_ids: Type.Array(idOf("envelope"), { minItems: 1, maxItems: MAX_ACTED_ON }),
});

const ChosenIds = Type.String({
  minLength: 1,
  maxLength: MAX_ACTED_ON * "env_00000000000000000000000000,".length,
  description: `Only these envelopes: up to ${MAX_ACTED_ON} IDs, separated by commas`,
});

function chosenFrom(text: string): EnvelopeId[] {
  const ids = text.split(",");
  if (ids.length <= MAX_ACTED_ON && ids.every((id): id is EnvelopeId => isId("envelope", id))) return ids;
  throw invalidQuery("envelope_ids", "invalid_value", `must be up to ${MAX_ACTED_ON} envelope IDs (env_…), separated by commas`);
}

const ActedOnView = named(
  "EnvelopeActionResult",
  Type.Object({
    done: Type.Array(idOf("envelope")),
    failed: Type.Array(
      named(
        "EnvelopeActionFailure",
        Type.Object({
          envelope_id: idOf("envelope"),
          code: Type.String({ description: "The error code that the request for this envelope alone would have" }),
          error: Type.String(),
        }),
      ),
    ),
  }),
);

const TagView = named("Tag", Type.Object({ name: Type.String(), colour: Colour }));
const CountedTagView = named(
  "TagSummary",
  Type.Object({
    ...TagView.properties,
    envelopes: Type.Integer({ description: "How many envelopes have the tag, at most 1,000" }),
    envelopes_capped: Type.Boolean({ description: "true: more than 1,000 have it" }),
  }),
);
const RemovedTag = named("RemovedTag", Type.Object({ removed: Type.Literal(true) }));

export function endpointsOfMany(deps: EnvelopeDeps): Endpoint[] {
  return [
    endpoint({
      name: "act_on_envelopes",
      summary: "Act on many envelopes",
      description:
        "Does the same to up to 200 envelopes: `remind`, `void` (with `reason`), `discard`, `tag` and `untag` (with `tags`), `set_owner` (with `owner_user_id`). Each envelope is changed on its own: `done` lists those that were, `failed` the others with the reason. Idempotency-Key is not supported, because there is one transaction for each envelope; repeating a request changes nothing twice. All but `remind` need envelopes:write.",
      resource: "Envelopes",
      sdk: "envelopes.act",
      method: "POST",
      path: "/partner/envelopes/actions",
      access: { anyScope: ["envelopes:write", "esign:write"] },
      body: ActionBody,
      answer: [200, ActedOnView],
      idempotent: false,
      examples: { request: examples.action, answer: examples.actedOn },
      run: async (caller, { body }) =>
        presentActedOn(await actOnMany(deps, caller, body as Static<typeof ActionBody> as unknown as ActionRequest)),
    }),
    serving({
      name: "export_envelopes",
      summary: "Export envelopes as CSV",
      description:
        "Returns the list as a CSV file in UTF-8, with the same filters and order as `list_envelopes`, only the envelopes of `envelope_ids` if it is given, and at most 100,000 rows; more are 422. Columns: envelope_id, envelope_name, status, customer_name, customer_email (both empty without customers:read), external_id, tags, owner, created_at, sent_at, signed_at, expires_at. A cell that a spreadsheet would run as a formula gets an apostrophe in front.",
      resource: "Envelopes",
      sdk: "envelopes.export",
      path: "/partner/envelopes.csv",
      access: { anyScope: ["envelopes:read"] },
      query: Type.Object({ ...filters, envelope_ids: Type.Optional(ChosenIds) }),
      types: ["text/csv"],
      problems: ["search_too_broad", "export_too_large"],
      run: (caller, { query: { envelope_ids, ...query } }) =>
        exportEnvelopes(deps, caller, {
          ...filterOf(caller, query),
          envelope_ids: envelope_ids === undefined ? undefined : chosenFrom(envelope_ids),
        }),
    }),
    serving({
      name: "download_documents",
      summary: "Download the documents of many envelopes as ZIP",
      description:
        "Returns the documents of up to 200 envelopes in one ZIP file, which is written while it is sent. Each document is the one that `GET /partner/envelopes/{envelope_id}/document` returns, under the same rules, and is recorded in the same way. File names are unique and made from the names of the envelopes. Documents that cannot be included are listed with the reason in `Not included.txt`; an envelope of another organization is listed as not found.",
      resource: "Envelopes",
      sdk: "envelopes.downloadDocuments",
      method: "POST",
      path: "/partner/envelopes/documents.zip",
      access: { anyScope: ["envelopes:read"] },
      body: DocumentsBody,
      types: ["application/zip"],
      examples: { request: { envelope_ids: examples.action.envelope_ids } },
      run: (caller, { body }) => zipDocuments(deps, caller, body.envelope_ids as readonly string[] as readonly EnvelopeId[]),
    }),
    reading({
      name: "list_tags",
      summary: "List tags",
      description: "Returns all tags of your organization, at most 500, by name.",
      resource: "Envelopes",
      sdk: "tags.list",
      path: "/partner/tags",
      access: { anyScope: ["envelopes:read"] },
      answer: [200, Type.Array(CountedTagView)],
      examples: { answer: [examples.countedTag] },
      run: async (caller, _input, read) =>
        (await listCountedTags(read, caller.org)).map((tag) => ({
          ...presentTag(tag),
          envelopes: tag.envelopes,
          envelopes_capped: tag.envelopes_capped,
        })),
    }),
    endpoint({
      name: "save_tag",
      summary: "Create or change a tag",
      description:
        "Creates the tag in the path if it does not exist. `name` gives it another name on all its envelopes, and `colour` a colour. Names are compared without regard to case. A name that another tag has is 409.",
      resource: "Envelopes",
      sdk: "tags.save",
      method: "PUT",
      path: "/partner/tags/:tag",
      access: { anyScope: ["envelopes:write"] },
      params: { tag: "tag" },
      missing: "tag_not_found",
      body: Type.Partial(Type.Object({ name: TagName, colour: Colour })),
      answer: [200, TagView],
      problems: ["tag_exists", "too_many_tags"],
      examples: { request: { colour: "#d1242f" }, answer: examples.tag },
      run: async (caller, { params, body }) => presentTag(await saveTag(deps, caller, params.tag, body)),
    }),
    endpoint({
      name: "delete_tag",
      summary: "Delete a tag",
      description: "Removes the tag from all envelopes and templates. The envelopes themselves stay as they are.",
      resource: "Envelopes",
      sdk: "tags.delete",
      method: "DELETE",
      path: "/partner/tags/:tag",
      access: { anyScope: ["envelopes:write"] },
      params: { tag: "tag" },
      missing: "tag_not_found",
      answer: [200, RemovedTag],
      examples: { answer: { removed: true } },
      run: async (caller, { params }) => {
        await removeTag(deps, caller, params.tag);
        return { removed: true as const };
      },
    }),
  ];
}
