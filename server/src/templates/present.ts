import type { Area } from "@countersign/pdf/pool";
import { iso, isoOrNull } from "../http/shapes.ts";
import type { TemplateId } from "../shared/ids.ts";
import { type Field, rolesOf } from "../signing/field.ts";
import type { PreparedTemplate } from "./create-template.ts";
import type { ListedTemplate, Placed, Template } from "./template.ts";

const presentArea = ({ page, x, y, w, h }: Area) => ({ page, x, y, w, h });

/** The specification's view of a placed field. */
export const presentField = ({ name, type, role, required, anchor_match, areas }: Field) => ({
  name,
  type,
  role,
  required,
  ...(anchor_match !== null && { anchor_match: presentArea(anchor_match) }),
  areas: areas.map(presentArea),
});

const presentWholeField = (field: Field) => ({
  ...presentField(field),
  readonly: field.readonly,
  default_value: field.default_value,
  options: field.options === null ? null : [...field.options],
});

export const presentFieldList = ({ fields, warnings }: Placed) => ({
  fields_added: fields.length,
  fields: fields.map(presentField),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

export const presentCreated = ({ template, ...placed }: PreparedTemplate) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  ...presentFieldList(placed),
});

export const presentFieldsPlaced = (template_id: TemplateId, placed: Placed) => ({ template_id, ...presentFieldList(placed) });

export const presentListed = (template: ListedTemplate) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  external_id: template.external_id,
  page_count: template.pages.length,
  field_count: template.field_count,
  roles: [...template.roles],
  created_at: iso(template.created_at),
  updated_at: iso(template.updated_at),
});

export const presentTemplate = (template: Template, fields: readonly Field[]) => ({
  template_id: template.template_id,
  provider_template_id: template.provider_template_id,
  name: template.name,
  external_id: template.external_id,
  pages: template.pages.map(({ w_pt, h_pt, rotate, has_text, scan_dpi }) => ({ w_pt, h_pt, rotate, has_text, scan_dpi })),
  roles: rolesOf(fields),
  fields: fields.map(presentWholeField),
  created_at: iso(template.created_at),
  updated_at: iso(template.updated_at),
  archived_at: isoOrNull(template.archived_at),
});
