import type { KeyCaller, Scope } from "@countersign/client/types";
import { UsageError } from "./settings.ts";

/** The most that a key of an agent can hold. With any other scope, the agent could send, or show links that sign. */
const ALLOWED: readonly Scope[] = ["customers:read", "compliance:read", "drafts:write"];

/** Throws UsageError for a key with which more could be done than to prepare drafts. */
export function refuseKey({ partner_name, scopes }: Pick<KeyCaller, "partner_name" | "scopes">): void {
  const others = scopes.filter((scope) => !ALLOWED.includes(scope));
  if (others.length === 0) return;
  throw new UsageError(
    `The key "${partner_name}" can do more than prepare drafts: it has ${others.join(", ")}. ` +
      `Create a key for the agent that has ${ALLOWED.join(", ")} and nothing else, so that only people can send.`,
  );
}
