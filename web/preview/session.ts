import type { Mark, OpenedSigning, SavedSigningFields, SaveSigningFieldsRequest } from "@countersign/client/pages";
import type { SigningFieldValue, SigningPreview } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { locale } from "../i18n/i18n.ts";
import type { PreviewSource } from "../preview-source.ts";

/** In the place of `web/session.ts`: the same functions for a page that has no envelope, no token and no link. What is entered stays in memory. */

const source = (): PreviewSource => {
  const given = window.parent.previewSource;
  if (given === undefined) throw new Error("the console has closed the preview");
  return given;
};

const A_DAY_MS = 86_400_000;
const values = new Map<string, SigningFieldValue["value"]>();
const marks: { signature: Mark | null; initials: Mark | null } = { signature: null, initials: null };
const accepted: { consent: string | null; agreement: string | null } = { consent: null, agreement: null };
let revision = 0;

/** Whether a mark is applied is known here alone. */
let markFields: ReadonlySet<string> = new Set();

const typed = (): SigningFieldValue[] =>
  [...values].filter(([field_id]) => !markFields.has(field_id)).map(([field_id, value]) => ({ field_id, value }));

async function read(): Promise<SigningPreview> {
  const preview = await source().open(typed(), locale.peek());
  markFields = new Set(preview.fields.filter(({ type }) => type in marks).map(({ field_id }) => field_id));
  const fields = preview.fields.map((field) => {
    const isApplied = markFields.has(field.field_id) && values.get(field.field_id) === true;
    return isApplied ? { ...field, value: true, error: null } : field;
  });
  return { ...preview, fields };
}

async function opened(): Promise<OpenedSigning> {
  const { name, sender, message, recipient, signers, disclosure, agreement, intent, pages, documents, ...shown } = await read();
  const now = Date.now();
  const isSigner = recipient.kind === "signer";
  return {
    envelope: { envelope_id: "", name, status: "sent", expires_at: null, sender, message, success_text: null },
    you: {
      name: recipient.name ?? recipient.role,
      email: "",
      role: recipient.role,
      status: "viewed",
      mode: isSigner ? "sign" : "view",
      signed_at: null,
      paper_requested_at: null,
    },
    recipient: { kind: recipient.kind, step: 1, delivery: "email" },
    state: "ready",
    signers: { signed: 0, total: signers, before_you: 0 },
    identity: { state: "not_required", valid_until: null, attempts_left: null, level: 0, steps: [] },
    consent: disclosure === null ? null : { accepted_at: accepted.consent, disclosure },
    agreement: agreement === null ? null : { accepted_at: accepted.agreement, text: agreement },
    intent,
    // No version of the document exists yet, so it has no hash.
    document: { prepared_sha256: "", state_sha256: "", page_count: pages.length, pages, prints_by_language: true },
    documents,
    marks: [],
    ...marks,
    revision,
    copy: { ready: false },
    ...shown,
    token_expires_at: new Date(now + A_DAY_MS).toISOString(),
    token_renewable: false,
    server_time: new Date(now).toISOString(),
  };
}

async function save({ values: given = [], adopt = {} }: SaveSigningFieldsRequest): Promise<SavedSigningFields> {
  // A mark that was made on this page is shown as it was made.
  for (const type of ["signature", "initials"] as const) marks[type] = (adopt[type] as Mark | undefined) ?? marks[type];
  for (const { field_id, value } of given) values.set(field_id, value);
  const { fields, progress } = await read();
  const errors = fields.flatMap(({ field_id, error }) => (error === null || error.code === "required" ? [] : [{ field_id, ...error }]));
  return { revision: ++revision, progress, errors };
}

interface Given {
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
}

async function answer(operation: string, { body }: Given = {}): Promise<unknown> {
  const page = /^GET \/pages\/(\d+)\/text$/.exec(operation)?.[1];
  if (page !== undefined) return source().text(Number(page));
  switch (operation) {
    case "GET":
      return opened();
    case "PUT /fields":
      return save(body as SaveSigningFieldsRequest);
    case "POST /consent":
      accepted.consent = new Date().toISOString();
      return { accepted: true, accepted_at: accepted.consent };
    case "POST /agreement":
      accepted.agreement = new Date().toISOString();
      return { accepted_at: accepted.agreement };
    default:
      throw new Error(`a preview cannot ${operation}`);
  }
}

export const call = (operation: string, given?: Given): Promise<never> => answer(operation, given) as Promise<never>;
export const callForPage = call;
export const callUntilAnswered = (_first: unknown, operation: string, given?: () => Given): Promise<never> => call(operation, given?.());

export async function callForFile(operation: string, { query = {} }: Given = {}): Promise<Blob> {
  const page = Number(/^GET \/pages\/(\d+)$/.exec(operation)?.[1]);
  return source().picture(page, query.w == null ? undefined : String(query.w));
}

export const token = signal<string | null>("");
export const slug = null;
export const isFramed = false;
export const canRenew = false;
export const setToken = (): void => undefined;
export const forgetToken = (): void => undefined;
export const forgetVisit = (): void => undefined;
export const replaceSecret = (): void => undefined;
export const storeLanguage = (): void => undefined;
export const hasChosenLanguage = (): boolean => false;
export const renewByLink = async (): Promise<void> => undefined;
export const idempotencyKey = (): Readonly<Record<string, string>> => ({});
export const postToLink = async (): Promise<Response> => Response.error();
