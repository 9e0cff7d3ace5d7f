import type { ApiKey, Member, OrganizationAuditEntry, UpdateSettingsRequest } from "@countersign/client/types";
import { listAll } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { may } from "../session.ts";
import { en } from "../words/org-activity/en.ts";
import { auditWords } from "./audit-words.ts";

/** Of members and keys, by id; null: not known (yet) */
export type Names = ReadonlyMap<string, string> | null;

/** For their names. Only admins may list keys; to others a key is "An API key". */
export const listKeys = (): Promise<readonly ApiKey[]> => (may("keys:manage") ? listAll("list_keys") : Promise.resolve([]));

export function namesOf(members: readonly Member[] | null, keys: readonly ApiKey[] | null): Names {
  if (members === null) return null;
  const named = keys?.map(({ key_id, partner_name }) => [key_id, en.filters.key(partner_name)] as const) ?? [];
  return new Map<string, string>([...members.map(({ user_id, name }) => [user_id, name] as const), ...named]);
}

const nameOf = (id: string, names: Names): string | undefined => (names === null ? en.actors.member : names.get(id));
const roleOf = (role: string): string => role.replaceAll("_", " ");

export const wordsOf = ({ type }: OrganizationAuditEntry): string => auditWords[type] ?? type;

const settingWords: Record<keyof UpdateSettingsRequest, string> = en.settings;

/** The subject of an entry in a few words; empty if there is nothing to add or the data was erased. */
export function aboutOf({ type, data }: OrganizationAuditEntry, names: Names): string {
  if (data === null) return "";
  const text = (name: string): string => (typeof data[name] === "string" ? (data[name] as string) : "");
  const count = (name: string): string => formatNumber(Number(data[name] ?? 0));
  const person = names?.get(text("user_id")) ?? text("email");
  switch (type) {
    case "member.joined":
      return en.about.asRole(person, roleOf(text("role")));
    case "invitation.created":
      return en.about.asRole(text("email"), roleOf(text("role")));
    case "member.role_changed":
      return en.about.roleChange(person || (nameOf(text("user_id"), names) ?? en.actors.former), roleOf(text("from")), roleOf(text("to")));
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
      return en.about.uploaded(count("rows"), count("created"), count("updated"), count("failed"));
    case "customer.merged":
      return en.about.merged(count("envelopes"));
    case "customer.deleted":
      return data.envelopes === 0 ? "" : en.about.detached(count("envelopes"));
    default:
      return text("from_address") || text("partner_name") || text("host") || text("name");
  }
}

export function actorOf({ actor: { kind, id }, data }: Pick<OrganizationAuditEntry, "actor" | "data">, names: Names): string {
  const { actors } = en;
  if (kind === "user") return nameOf(id, names) ?? actors.former;
  if (kind === "key") return names?.get(id) ?? actors.key;
  if (typeof data?.operator === "string") return actors.operator(data.operator);
  if (kind === "person") return actors.person;
  return kind === "system" ? actors.service : kind === "vault" ? actors.vault : actors.other(kind);
}
