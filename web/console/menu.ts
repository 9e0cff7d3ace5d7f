import type { Permission } from "@countersign/client/types";
import { mail } from "./boot.ts";
import { canOpen } from "./can-open.ts";
import type { GlyphName } from "./parts/glyph.tsx";
import { isTest, may } from "./session.ts";
import { en as words } from "./words/menu/en.ts";

interface Entry {
  readonly to: string;
  readonly name: string;
  readonly glyph: GlyphName;
  readonly needs: Permission | undefined;
}

interface Group {
  readonly name: string | null;
  readonly entries: readonly Entry[];
}

/** Whether the role of the user has something to do or to see there. Follows the role while the page is open. */
export const isOffered = ({ to, needs }: Entry): boolean => canOpen(to) && (!needs || may(needs)) && (to !== "/outbox" || hasOutbox());

/** Whether messages wait there: without a mail server, and in a sandbox. */
export const hasOutbox = (): boolean => mail === "outbox" || isTest();

const entry = (to: keyof typeof words.entries, glyph: GlyphName, needs?: Permission): Entry => ({
  to,
  name: words.entries[to],
  glyph,
  needs,
});

export const menu: readonly Group[] = [
  {
    name: null,
    entries: [
      entry("/", "home"),
      entry("/envelopes", "mail"),
      entry("/templates", "template"),
      entry("/forms", "globe"),
      entry("/bulk", "send"),
      entry("/customers", "people"),
    ],
  },
  {
    name: words.groups.vault,
    entries: [
      entry("/vault", "vault"),
      entry("/vault/duplicates", "copy"),
      entry("/custody", "custody", "custody:write"),
      entry("/parties", "building"),
      entry("/acts", "pencil"),
      entry("/batches", "page"),
      entry("/remote-vaults", "link", "vault:write"),
    ],
  },
  {
    name: words.groups.developers,
    entries: [entry("/keys", "key", "keys:manage"), entry("/webhooks", "hook"), entry("/try", "code", "envelopes:write")],
  },
  {
    name: words.groups.organization,
    entries: [
      entry("/members", "person"),
      entry("/settings", "settings"),
      entry("/outbox", "inbox", "mail:manage"),
      entry("/activity", "activity", "audit:read"),
      entry("/problems", "warning", "settings:manage"),
      entry("/evidence-log", "shield"),
    ],
  },
];
