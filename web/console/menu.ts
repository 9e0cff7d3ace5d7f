import type { Role } from "@countersign/client/types";
import { mail } from "./boot.ts";
import type { GlyphName } from "./parts/glyph.tsx";

interface Entry {
  readonly to: string;
  readonly name: string;
  readonly glyph: GlyphName;
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
      { to: "/", name: "Home", glyph: "home" },
      { to: "/envelopes", name: "Envelopes", glyph: "mail" },
      { to: "/templates", name: "Templates", glyph: "template" },
      { to: "/forms", name: "Public forms", glyph: "globe" },
      { to: "/bulk", name: "Bulk send", glyph: "send" },
      { to: "/customers", name: "Customers", glyph: "people" },
    ],
  },
  {
    name: "Vault",
    entries: [
      { to: "/vault", name: "Vaulted documents", glyph: "vault" },
      { to: "/vault/duplicates", name: "Possible duplicates", glyph: "copy" },
      { to: "/custody", name: "Custody", glyph: "custody" },
      { to: "/parties", name: "Parties", glyph: "building" },
      { to: "/acts", name: "Acts", glyph: "pen" },
      { to: "/batches", name: "Control batches", glyph: "page" },
      { to: "/remote-vaults", name: "Remote vaults", glyph: "link", role: "member" },
    ],
  },
  {
    name: "Developers",
    entries: [
      { to: "/keys", name: "API keys", glyph: "key" },
      { to: "/webhooks", name: "Webhooks", glyph: "hook" },
      { to: "/try", name: "Try it", glyph: "code" },
    ],
  },
  {
    name: "Organization",
    entries: [
      { to: "/members", name: "Members", glyph: "person" },
      { to: "/settings", name: "Settings", glyph: "settings" },
      ...(mail === "outbox" ? [{ to: "/outbox", name: "Mail outbox", glyph: "inbox" } as const] : []),
      { to: "/activity", name: "Activity", glyph: "activity" },
      { to: "/evidence-log", name: "Evidence log", glyph: "shield" },
    ],
  },
];
