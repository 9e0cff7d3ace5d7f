import type { EnvelopeRequest } from "../envelopes/create-envelope.ts";
import type { Locale } from "../shared/locales.ts";
import { isTick } from "../signing/field.ts";
import type { TemplateRole } from "../templates/role.ts";
import type { Template } from "../templates/template.ts";
import type { Options } from "./batch.ts";
import type { Column } from "./read-header.ts";

/** A row as the request for its envelope. */
export interface RowRequest {
  readonly request: EnvelopeRequest;
  /** by the key of the field */
  readonly values: Readonly<Record<string, string>>;
}

/** What the rows of a batch share. */
export interface RowContext {
  readonly template: Pick<Template, "template_id" | "name">;
  /** of the people, as the template has them */
  readonly places: readonly TemplateRole[];
  readonly columns: readonly Column[];
  readonly options: Options;
}

/** An empty cell says nothing: the option of the batch or the default of the field applies. */
export function readRow({ template, places, columns, options }: RowContext, cells: readonly string[]): RowRequest {
  const given = columns.map((column, index) => ({ column, text: textOf(cells[index]) }));
  const textOfKind = (kind: Column["kind"]) => given.find(({ column }) => column.kind === kind)?.text ?? "";
  const part = (role: string | null, wanted: string) =>
    given.find(({ column }) => column.kind === "person" && column.role === role && column.part === wanted)?.text ?? "";
  const recipients = places.map(({ role, name, email, locale, ...place }) => {
    const own = { name: part(role, "name"), email: part(role, "email") };
    // A row names a whole person, or leaves the template's: never the name of one with the address of another.
    const person = own.name === "" && own.email === "" ? { name: name ?? "", email: email ?? "" } : own;
    return { ...place, role, ...person, locale: (part(role, "locale").toLowerCase() || locale) as Locale | null };
  });
  const customer = recipients.find(({ kind }) => kind === "signer");
  const values = given.flatMap(({ column, text }): [string, string][] =>
    column.kind === "field" && text !== "" ? [[column.key, isTick(column.field) ? text.toLowerCase() : text]] : [],
  );
  const [external_id, message] = [textOfKind("external_id"), textOfKind("message") || options.message];
  const tags = [...(options.tags ?? []), ...tagsIn(textOfKind("tags"))];
  return {
    values: Object.fromEntries(values),
    request: {
      template_id: template.template_id,
      envelope_name: textOfKind("envelope_name") || template.name,
      customer_email: customer?.email ?? "",
      customer_name: customer?.name ?? "",
      recipients,
      ...(external_id !== "" && { external_id }),
      ...(message != null && message !== "" && { message }),
      ...(tags.length > 0 && { tags }),
      ...(options.expires_in_days !== undefined && { expires_in_days: options.expires_in_days }),
      ...(options.reminders !== undefined && { reminders: options.reminders }),
      ...(options.auto_vault_enabled !== undefined && { auto_vault_enabled: options.auto_vault_enabled }),
    },
  };
}

/**
 * Without white space around it, and without the apostrophe that a file of ours puts before what a spreadsheet would run as a formula: so
 * a row that was downloaded and uploaded again has the same text.
 */
function textOf(cell = ""): string {
  const text = cell.trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

/** As the export of envelopes writes them: with semicolons in between. */
const tagsIn = (text: string): string[] =>
  text
    .split(";")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
