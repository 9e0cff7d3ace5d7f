import type { OrganizationAuditEntry, UpdateSettingsRequest } from "@countersign/client/types";
import { auditWords } from "./audit-words.ts";

export type Names = ReadonlyMap<string, string>;

export const wordsOf = ({ type }: OrganizationAuditEntry): string => auditWords[type] ?? type;

const settingWords: Record<keyof UpdateSettingsRequest, string> = {
  name: "name",
  default_locale: "language",
  time_zone: "time zone",
  contact_email: "contact address",
  completed_mail: "e-mail when everyone has signed",
  embed_origins: "origins for embedding",
  min_retention_days: "minimum retention",
  default_custodian_user_id: "default custodian",
  require_external_time: "external time-stamp",
  require_mailed_link: "link in the e-mail",
  control_policy: "confirmation by parties",
  status_shows_parties: "names on status pages",
  branding: "branding",
};

/** The subject of an entry in a few words; empty if there is nothing to add or the data was erased. */
export function aboutOf({ type, data }: OrganizationAuditEntry, names: Names): string {
  if (data === null) return "";
  const text = (name: string): string => (typeof data[name] === "string" ? (data[name] as string) : "");
  const count = (name: string): string => Number(data[name] ?? 0).toLocaleString("en");
  const person = names.get(text("user_id")) ?? text("email");
  switch (type) {
    case "member.joined":
      return `${person}, as ${text("role")}`;
    case "invitation.created":
      return `${text("email")}, as ${text("role")}`;
    case "member.role_changed":
      return `${person === "" ? "A former member" : person}: ${text("from")} → ${text("to")}`;
    case "member.removed":
    case "password.reset_link_printed":
    case "email.verified":
    case "account.reclaimed":
      return person;
    case "settings.changed":
      return Object.keys((data.changes as object | undefined) ?? {})
        .map((name) => (Object.hasOwn(settingWords, name) ? settingWords[name as keyof typeof settingWords] : name))
        .join(", ");
    case "mail_text.set":
    case "mail_text.removed":
      return `${text("kind")}, ${text("locale")}`;
    case "customer.created":
    case "customer.updated":
      return Array.isArray(data.fields) ? data.fields.join(", ") : "";
    case "customers.uploaded":
      return `${count("rows")} rows: ${count("created")} created, ${count("updated")} updated, ${count("failed")} failed`;
    default:
      return text("from_address") || text("partner_name") || text("host") || text("name");
  }
}

export function actorOf({ actor: { kind, id }, data }: OrganizationAuditEntry, names: Names): string {
  if (kind === "user") return names.get(id) ?? "A former member";
  if (kind === "key") return "An API key";
  if (typeof data?.operator === "string") return `The operator (${data.operator})`;
  if (kind === "person") return "A person of a party";
  return kind === "system" ? "The service" : kind === "vault" ? "Another vault" : `A ${kind}`;
}
