import type { SessionFacts } from "../../facts.ts";

/** What the entry of a visit must say about its link or token. */
// An entry from before links had secrets says nothing about its link, which the facts call shared.
export function claimsOf({
  credential,
  link_kind,
  message_id,
  mail_sent_at,
  issued_by,
  ip,
  user_agent,
  by,
}: SessionFacts): Record<string, unknown> {
  if (credential === "email_link" && link_kind === "shared" && message_id === undefined) return { ip, user_agent };
  return { link_kind, message_id, mail_sent_at, issued_by, ip, user_agent, by };
}
