export interface ListedTemplate {
  readonly template_id: string;
  readonly name: string;
  readonly external_id: string | null;
  readonly page_count: number;
  readonly field_count: number;
  readonly roles: readonly string[];
  readonly updated_at: string;
}

export interface Template {
  readonly template_id: string;
  readonly name: string;
  readonly external_id: string | null;
  readonly pages: readonly unknown[];
  readonly roles: readonly string[];
  readonly fields: readonly unknown[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
}

export interface MadeTemplate {
  readonly template_id: string;
  readonly fields_added: number;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}
