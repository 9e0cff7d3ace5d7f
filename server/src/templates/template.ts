import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { PageCache } from "../documents/page-cache.ts";
import type { Pages } from "../documents/pages.ts";
import type { Warning } from "../documents/warnings.ts";
import type { TemplateId } from "../shared/ids.ts";
import type { Field } from "../signing/field.ts";
import type { SigningProvider } from "../signing/provider.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import type { TemplateDefaults } from "./defaults.ts";
import type { TemplateDocument } from "./document-store.ts";
import type { TemplateRole } from "./role.ts";

export interface TemplateDeps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly storage: StorageDeps;
  readonly provider: SigningProvider;
  /** the cache of page images */
  readonly pageCache: PageCache;
}

export interface Template {
  readonly template_id: TemplateId;
  readonly name: string;
  readonly external_id: string | null;
  /** of the first document; null if one of its documents was erased */
  readonly document_sha256: string | null;
  /** of all documents, in order */
  readonly pages: Pages;
  /** the roles of makers in transferable records from this template */
  readonly maker_roles: readonly string[];
  /** the people of envelopes from this template, as they were saved */
  readonly role_rows: readonly TemplateRole[];
  readonly defaults: TemplateDefaults;
  readonly provider: string;
  readonly provider_template_id: number | null;
  /** names, in the order in which they are compared */
  readonly tags: readonly string[];
  /** counts every change */
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly archived_at: Date | null;
}

export interface WholeTemplate {
  readonly template: Template;
  readonly documents: readonly TemplateDocument[];
  readonly fields: readonly Field[];
}

export interface ListedTemplate extends Template {
  readonly field_count: number;
  readonly roles: readonly string[];
}

/** The limit for a request, and for a template in total. Each field is a row, a box on a page and a step of the ceremony. */
export const MAX_FIELDS = 2_000;

export type Placed<F = Field> = { readonly fields: readonly F[]; readonly warnings: readonly Warning[] };
