import { oneLine } from "./plain-text.ts";
import type { MailEventType } from "./store.ts";

/** What a delivery status notification (RFC 3464) says about one of our messages. */
export interface Report {
  /** the Message-ID of the original message; null if the report does not name it */
  readonly header_id: string | null;
  /** null for a delay, or if the message was only passed on */
  readonly event: Exclude<MailEventType, "complained"> | null;
  readonly at: string | null;
  /** status and diagnostic code */
  readonly detail: string | null;
}

export const MAX_DETAIL_CHARACTERS = 1_000;

/** Null if the bytes are not a mail with a delivery status notification. */
export function readReport(bytes: Uint8Array): Report | null {
  const mail = partOf(linesOf(bytes));
  if (!/^multipart\/report$/.test(typeOf(mail))) return null;
  const parts = partsOf(mail);
  const status = parts.find((part) => /^message\/(global-)?delivery-status$/.test(typeOf(part)));
  if (status === undefined) return null;
  const [, ...recipients] = groupsOf(status.body);
  if (recipients.length === 0) return null;
  const original = parts.find((part) => ORIGINAL.test(typeOf(part)));
  const decisive = recipients.find((one) => actionOf(one) === "failed") ?? recipients.find((one) => actionOf(one) === "delivered");
  return {
    header_id: original === undefined ? null : (partOf(original.body).headers.get("message-id") ?? null),
    event: decisive === undefined ? null : actionOf(decisive) === "failed" ? "bounced" : "delivered",
    at: timeOf(decisive?.get("last-attempt-date")) ?? timeOf(mail.headers.get("date")),
    detail: detailOf(decisive),
  };
}

/** The message that the report is about: whole, or its headers alone. */
const ORIGINAL = /^(message\/rfc822|message\/global|text\/rfc822-headers|message\/rfc822-headers|message\/global-headers)$/;

type Fields = ReadonlyMap<string, string>;

interface Part {
  readonly headers: Fields;
  readonly body: readonly string[];
}

/** Programs that pass mail on write lines with or without CR, and some write an mbox line first. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const lines = Buffer.from(bytes)
    .toString("latin1")
    .split(/\r\n|\n/);
  return lines[0]?.startsWith("From ") === true ? lines.slice(1) : lines;
}

function partOf(lines: readonly string[]): Part {
  const end = lines.indexOf("");
  return end === -1 ? { headers: fieldsOf(lines), body: [] } : { headers: fieldsOf(lines.slice(0, end)), body: lines.slice(end + 1) };
}

/** Names in lower case; a line that begins with a space continues the one before. The first field of a name counts. */
function fieldsOf(lines: readonly string[]): Fields {
  const unfolded: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && unfolded.length > 0) unfolded.push(`${unfolded.pop()} ${line.trim()}`);
    else unfolded.push(line);
  }
  const fields = new Map<string, string>();
  for (const line of unfolded) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

const typeOf = ({ headers }: Part): string => (headers.get("content-type") ?? "text/plain").split(";", 1)[0]?.trim().toLowerCase() ?? "";

function partsOf({ headers, body }: Part): Part[] {
  const given = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(headers.get("content-type") ?? "");
  const boundary = given?.[1] ?? given?.[2];
  if (boundary === undefined) return [];
  const parts: string[][] = [];
  for (const line of body) {
    const text = line.trimEnd();
    if (text === `--${boundary}--`) break;
    if (text === `--${boundary}`) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(partOf);
}

/** Groups of fields with empty lines between them: the first is about the message, each of the others about one recipient. */
function groupsOf(lines: readonly string[]): Fields[] {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === "") groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups.filter((group) => group.length > 0).map(fieldsOf);
}

const actionOf = (recipient: Fields): string => recipient.get("action")?.toLowerCase() ?? "";

function timeOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function detailOf(recipient: Fields | undefined): string | null {
  const said = [recipient?.get("status"), recipient?.get("diagnostic-code")].filter((part) => part !== undefined);
  return said.length === 0 ? null : oneLine(said.join(" "), MAX_DETAIL_CHARACTERS);
}
