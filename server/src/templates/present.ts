import type { Area } from "@countersign/pdf/pool";
import { presentPages } from "../documents/pages.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import { type Field, type FieldSettings, rolesOf } from "../signing/field.ts";
import type { PreparedTemplate } from "./create-template.ts";
import { keptDefaults } from "./defaults.ts";
import type { TemplateDocument } from "./document-store.ts";
import type { AnchorMatches } from "./find-anchors.ts";
import type { PreparedFields } from "./place-fields.ts";
import { allRoles, type TemplateRole } from "./role.ts";
import type { ListedTemplate, Placed, WholeTemplate } from "./template.ts";

const presentArea = ({ page, x, y, w, h }: Area) => ({ page, x, y, w, h });

/** A field of a template always has a role. A field of an envelope may have none until it is sent. */
type Shown<R extends string | null> = Omit<Field, "role"> & { readonly role: R };

/** The specification's view of a placed field. */
export const presentField = <R extends string | null>({ name, type, role, required, anchor_match, areas, document_no }: Shown<R>) => ({
  name,
  type,
  role: role === "" ? null : role,
  required,
  ...(anchor_match !== null && { anchor_match: presentArea(anchor_match) }),
  areas: areas.map(presentArea),
  ...(document_no > 1 && { document: document_no }),
});

export interface WholeField extends ReturnType<typeof presentField> {
  readonly readonly: boolean;
  readonly default_value: string | null;
  readonly options: string[] | null;
  readonly settings?: FieldSettings;
  readonly field_key?: string;
}

export const presentWholeField = <R extends string | null>(field: Shown<R>): WholeField => ({
  ...presentField(field),
  readonly: field.readonly,
  default_value: field.default_value,
  options: field.options === null ? null : [...field.options],
  ...(Object.keys(field.settings).length > 0 && { settings: { ...field.settings } }),
  ...(field.field_key !== null && { field_key: field.field_key }),
});

export const presentFieldList = <R extends string | null>({ fields, warnings }: Placed<Shown<R>>) => ({
  fields_added: fields.length,
  fields: fields.map(presentField),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

/** With the results of a dry run. */
export const presentTried = <R extends string | null>({ matches, ...placed }: Placed<Shown<R>> & Tried) => ({
  ...presentFieldList(placed),
  ...(matches !== null && { anchors: matches.map((one) => ({ field: one.field, matches: one.matches.map(presentArea) })) }),
});

interface Tried {
  readonly matches: readonly AnchorMatches[] | null;
}

export const presentCreated = ({ template, ...placed }: PreparedTemplate) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  ...presentFieldList(placed),
});

export const presentFieldsPlaced = (prepared: PreparedFields) => ({ template_id: prepared.template_id, ...presentTried(prepared) });

export const presentListed = (template: ListedTemplate) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  external_id: template.external_id,
  page_count: template.pages.length,
  field_count: template.field_count,
  roles: [...template.roles],
  tags: [...template.tags],
  created_at: iso(template.created_at),
  updated_at: iso(template.updated_at),
  archived_at: isoOrNull(template.archived_at),
});

const presentRole = ({ kind, role, step, name, email, locale, message, delivery }: TemplateRole) => ({
  kind,
  role,
  step,
  name,
  email,
  locale,
  message,
  delivery,
});

export const presentPlacingDocuments = (documents: readonly Pick<TemplateDocument, "document_id" | "document_no" | "name" | "pages">[]) =>
  documents.map(({ document_id, document_no, name, pages }) => ({ document_id, document_no, name, pages: presentPages(pages) }));

export const presentDocument = ({ document_id, document_no, name, pages, pdf_sha256, pdf_size }: TemplateDocument) => ({
  document_id,
  document_no,
  name,
  pages: pages.length,
  hash: pdf_sha256 ?? "",
  size: pdf_size,
  contentType: "application/pdf",
  first_page: null,
});

export const presentTemplate = ({ template, documents, fields }: WholeTemplate) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  external_id: template.external_id,
  pages: presentPages(template.pages),
  documents: presentPlacingDocuments(documents),
  roles: rolesOf(fields),
  maker_roles: [...template.maker_roles],
  recipients: allRoles(template.role_rows, rolesOf(fields)).map(presentRole),
  defaults: keptDefaults(template.defaults),
  tags: [...template.tags],
  revision: template.revision,
  fields: fields.map(presentWholeField),
  created_at: iso(template.created_at),
  updated_at: iso(template.updated_at),
  archived_at: isoOrNull(template.archived_at),
});
