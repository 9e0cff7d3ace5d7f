import type { Locale } from "../../shared/locales.ts";
import { type Detail, Problem } from "../../shared/problems.ts";

/** Words that an organization puts in place of the standard ones, for one kind of message in one language. */

export const mailTextKinds = ["invitation", "reminder", "completed", "declined", "voided", "expired", "copy"] as const;
export type MailTextKind = (typeof mailTextKinds)[number];

export const mailTextParts = ["subject", "intro", "footer"] as const;
type Part = (typeof mailTextParts)[number];

/** Plain text with placeholders. Null: the standard words. */
export type MailTextParts = { readonly [K in Part]: string | null };

export interface MailText extends MailTextParts {
  readonly kind: MailTextKind;
  readonly locale: Locale;
}

export const placeholders = ["recipient_name", "sender_name", "organization", "envelope_name", "message", "expires_at"] as const;
type Placeholder = (typeof placeholders)[number];

/** What the placeholders stand for in one message. Empty: there is none. */
export type Values = Readonly<Record<Placeholder, string>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Replaces placeholders once: a value that looks like a placeholder stays as it is. The result is plain text, which is made one line or
 * escaped where it is shown.
 */
export function filled(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (_all, name: string) => values[name.trim() as Placeholder] ?? "");
}

export const asksFor = (text: string, placeholder: Placeholder): boolean =>
  [...text.matchAll(PLACEHOLDER)].some(([, name = ""]) => name.trim() === placeholder);

/** Throws a 422 that names every placeholder that does not exist, braces that do not make one, and a subject of several lines. */
export function refuseBadTexts(texts: Readonly<Partial<Record<string, string | null | undefined>>>): void {
  const details = Object.entries(texts).flatMap(([field, text]) => (text == null ? [] : faultsOf(field, text)));
  if (details.length > 0) throw new Problem("invalid_request", "placeholders", { details });
}

function faultsOf(field: string, text: string): Detail[] {
  const unknown = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim()).filter((name) => !isPlaceholder(name));
  const allowed = `use ${placeholders.map((name) => `{{${name}}}`).join(", ")}`;
  const detail = (message: string): Detail => ({ location: "body", field, code: "invalid_value", message });
  const faults = [...new Set(unknown)].map((name) => detail(`{{${name}}} is not a placeholder; ${allowed}`));
  if (field.endsWith("subject") && /[\r\n\u0085\u2028\u2029]/.test(text)) faults.push(detail("must be a single line"));
  if (faults.length > 0) return faults;
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, "")) ? [detail(`has {{ or }} without a placeholder; ${allowed}`)] : [];
}

const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name);
