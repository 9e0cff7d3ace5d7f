import type { EnvelopeAuditEntry, Member, Recipient } from "@countersign/client/types";
import { en } from "../words/activity/en.ts";

const words = en.actors;

/** Members and recipients by name, others by what they are. */
export function actorName(
  { kind, id }: EnvelopeAuditEntry["actor"],
  recipients: readonly Recipient[],
  members: readonly Pick<Member, "user_id" | "name">[],
): string {
  const named = recipients.find(({ slug }) => slug !== null && slug === id)?.name;
  switch (kind) {
    case "user":
      return members.find(({ user_id }) => user_id === id)?.name ?? id;
    case "signer":
    case "recipient":
      return named ?? words[kind];
    case "system":
    case "viewer":
    case "person":
    case "vault":
    case "key":
      return words[kind];
    default:
      return `${kind} ${id}`;
  }
}
