import { Type } from "typebox";
import { about, idOf, Label, Name, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { TagNames } from "../tags/tag.ts";
import { TemplateDefaults } from "./defaults.ts";
import { Anchors, FieldView, PageView, PlacingDocuments, Warnings, WholeFieldView } from "./field-shapes.ts";
import { TemplateRoles, TemplateRoleView } from "./role.ts";

/** The shapes of templates in requests and responses. */

export const ExternalId = Type.String({ minLength: 1, maxLength: 200, description: "Your own id for the template" });

const identity = {
  template_id: idOf("template"),
  provider_template_id: about(nullable(Type.Integer()), "The id of the template at the signing provider"),
  name: Type.String(),
};
const placed = { fields_added: Type.Integer(), fields: Type.Array(FieldView), warnings: Warnings };

const Roles = Type.Array(Type.String(), { description: "Roles of the fields, in the order in which they first appear" });

const Tags = about(Type.Array(Type.String()), "Names of the tags of the template");

export const MakerRoles = Type.Array(Label, {
  maxItems: 100,
  uniqueItems: true,
  description: "The roles of makers, as a JSON array. They apply to envelopes of record_type transferable_record from this template",
});

export const CreatedView = named("CreatedTemplate", Type.Object({ ...identity, ...placed }));
export const PlacedView = named("PlacedTemplateFields", Type.Object({ template_id: idOf("template"), ...placed, anchors: Anchors }));
export const ArchivedView = named(
  "ArchivedTemplate",
  Type.Object({ template_id: idOf("template"), status: Type.Literal("archived"), archived_at: Timestamp }),
);

export const ListedView = named(
  "TemplateSummary",
  Type.Object({
    ...identity,
    external_id: nullable(Type.String()),
    page_count: Type.Integer(),
    field_count: Type.Integer(),
    roles: Roles,
    tags: Tags,
    created_at: Timestamp,
    updated_at: Timestamp,
    archived_at: OptionalTimestamp,
  }),
);

export const TemplateView = named(
  "Template",
  Type.Object({
    ...identity,
    external_id: nullable(Type.String()),
    pages: Type.Array(PageView),
    documents: PlacingDocuments,
    roles: Roles,
    maker_roles: about(Type.Array(Type.String()), "The roles of makers in envelopes of record_type transferable_record from this template"),
    recipients: about(
      Type.Array(TemplateRoleView),
      "The people of envelopes from this template, as `roles` of an update sets them, with a signer for each other role of the fields",
    ),
    defaults: TemplateDefaults,
    tags: Tags,
    revision: about(Type.Integer(), "Counts every change of name, fields, roles and defaults"),
    fields: Type.Array(WholeFieldView),
    created_at: Timestamp,
    updated_at: Timestamp,
    archived_at: OptionalTimestamp,
  }),
);

export const UsageView = named(
  "TemplateUsage",
  Type.Object({
    template_id: idOf("template"),
    envelopes: Type.Integer({
      description: "Envelopes that were created from it, drafts included and discarded drafts not. 10,000 means that many or more",
    }),
    drafts: Type.Integer({ description: "Those that are not sent yet. 10,000 means that many or more" }),
    forms: Type.Integer({ description: "Public forms, open and paused" }),
    bulk_batches: Type.Integer({ description: "Bulk sends in any state" }),
  }),
);

export const ChangeBody = Type.Partial(
  Type.Object({
    name: Name,
    roles: TemplateRoles,
    defaults: TemplateDefaults,
    tags: about(TagNames, "Replaces the tags of the template. A tag that does not exist yet is created"),
  }),
);
export const CopyBody = Type.Partial(Type.Object({ name: about(Name, "The default is the name of the template, followed by (copy)") }));
