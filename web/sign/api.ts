/** What the service answers under `/embed/sign/:envelope_id`; `openapi.json` says the same for other programs. */

export type Mark =
  | { readonly kind: "drawn"; readonly w: number; readonly h: number; readonly strokes: readonly Stroke[] }
  | { readonly kind: "typed"; readonly text: string; readonly font: MarkFont }
  | { readonly kind: "uploaded"; readonly png: string };
/** `[x, y, ms]` each; the time is evidence and not drawn. */
export type Stroke = readonly (readonly number[])[];
export type MarkFont = "dancing-script" | "caveat" | "great-vibes" | "plain";

/** Fractions of the page as it is shown, from the top left. */
export interface Area {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type FieldType = "text" | "number" | "date" | "checkbox" | "select" | "radio" | "signature" | "initials";
export type Value = string | boolean | null;
export type ErrorCode = "required" | "invalid_value" | "does_not_fit";

export interface Field {
  readonly field_id: string;
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly options: readonly string[] | null;
  readonly areas: readonly Area[];
  readonly value: Value;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

/** What somebody else entered, or the sender. */
export interface Other {
  readonly type: FieldType;
  readonly areas: readonly Area[];
  readonly options: readonly string[] | null;
  readonly value: Value;
  readonly mark_sha256: string | null;
  readonly name: string | null;
}

export interface PublishedText {
  readonly version: string;
  readonly locale: string;
  readonly sha256: string;
  readonly text: string;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface Identity {
  readonly state: "not_required" | "unavailable" | "required" | "passed" | "expired" | "locked";
  readonly valid_until: string | null;
  readonly attempts_left: number | null;
}

export interface PageSize {
  readonly n: number;
  readonly w: number;
  readonly h: number;
}

export interface Opened {
  readonly envelope: {
    readonly envelope_id: string;
    readonly name: string;
    readonly status: string;
    readonly expires_at: string | null;
    readonly sender: string;
    readonly message: string | null;
  };
  readonly you: {
    readonly name: string | null;
    readonly email: string;
    readonly role: string | null;
    readonly status: string | null;
    readonly mode: "sign" | "view";
    readonly signed_at: string | null;
  };
  readonly state: "ready" | "signed" | "read_only" | "waiting" | "mailed_link_required" | "locked" | "identity_unavailable";
  readonly signers: { readonly signed: number; readonly total: number; readonly before_you: number };
  readonly identity: Identity;
  readonly consent: { readonly accepted_at: string | null; readonly disclosure: PublishedText } | null;
  readonly intent: PublishedText | null;
  readonly document: {
    readonly prepared_sha256: string;
    readonly state_sha256: string;
    readonly page_count: number;
    readonly pages: readonly PageSize[];
  } | null;
  readonly fields: readonly Field[] | null;
  readonly others: readonly Other[] | null;
  readonly marks: readonly { readonly sha256: string; readonly mark: Mark | null }[] | null;
  readonly signature: Mark | null;
  readonly initials: Mark | null;
  readonly progress: Progress | null;
  readonly revision: number | null;
  readonly copy: { readonly ready: boolean };
  readonly branding: Readonly<Record<string, string>>;
  readonly default_locale?: string;
  readonly token_expires_at: string;
  readonly server_time: string;
}

export interface Questions {
  readonly challenge_id: string;
  readonly expires_at: string;
  readonly questions: readonly { readonly id: number; readonly text: string }[];
  readonly attempts_left: number;
}

export interface Saved {
  readonly revision: number;
  readonly progress: Progress;
  readonly errors: readonly { readonly field_id: string; readonly code: ErrorCode; readonly message: string }[];
}

export interface Completed {
  readonly status: "signed";
  readonly signed_at: string;
  readonly envelope_status: string;
  readonly signed: number;
  readonly total: number;
}

export interface PageText {
  readonly page: number;
  readonly blocks: readonly string[];
  readonly has_text: boolean;
}
