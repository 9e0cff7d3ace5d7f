import type { Role } from "@countersign/client/types";
import { mail } from "./boot.ts";

interface Entry {
  readonly to: string;
  readonly name: string;
  /** the lowest role that sees this entry */
  readonly role?: Role;
}

interface Group {
  readonly name: string | null;
  readonly entries: readonly Entry[];
}

export const menu: readonly Group[] = [
  {
    name: null,
    entries: [
      { to: "/", name: "Home" },
      { to: "/envelopes", name: "Envelopes" },
      { to: "/templates", name: "Templates" },
      { to: "/forms", name: "Public forms" },
      { to: "/bulk", name: "Bulk send" },
      { to: "/customers", name: "Customers" },
    ],
  },
  {
    name: "Vault",
    entries: [
      { to: "/vault", name: "Vaulted documents" },
      { to: "/vault/duplicates", name: "Possible duplicates" },
      { to: "/custody", name: "Custody" },
      { to: "/parties", name: "Parties" },
      { to: "/acts", name: "Acts" },
      { to: "/batches", name: "Control batches" },
      { to: "/remote-vaults", name: "Remote vaults", role: "member" },
    ],
  },
  {
    name: "Developers",
    entries: [
      { to: "/keys", name: "API keys" },
      { to: "/webhooks", name: "Webhooks" },
      { to: "/try", name: "Try it" },
    ],
  },
  {
    name: "Organization",
    entries: [
      { to: "/members", name: "Members" },
      { to: "/settings", name: "Settings" },
      ...(mail === "outbox" ? [{ to: "/outbox", name: "Mail outbox" }] : []),
      { to: "/activity", name: "Activity" },
      { to: "/evidence-log", name: "Evidence log" },
    ],
  },
];
