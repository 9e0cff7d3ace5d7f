import type { SavedView } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { wholeOf } from "../parts/cut.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/list/en.ts";

const SaveViewDialog = lazy(async () => (await import("./save-view-dialog.tsx")).SaveViewDialog);

/** Views are lists with a name: those of the console, and those that people saved. */

const words = en.views;

const builtIn = {
  all: {},
  waitingForMe: { waiting_for: "me" },
  inProgress: { stage: "open" },
  drafts: { stage: "draft" },
  completed: { status: "completed" },
  mine: { owner: "me" },
  discarded: { discarded: "only" },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
type ViewName = keyof typeof builtIn;
const viewNames = Object.keys(builtIn) as readonly ViewName[];

/** How many envelopes each view of the console has. A view without a count is not counted (yet). */
export type ViewCounts = { readonly [N in ViewName]?: string };

const addressOf = (parameters: Readonly<Record<string, unknown>>): string => {
  const search = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  search.sort();
  return search.toString() === "" ? "/envelopes" : `/envelopes?${search}`;
};

/** What the address asks for, without the page. */
const present = (): Readonly<Record<string, string>> => Object.fromEntries([...query.value].filter(([name]) => name !== "page"));

export function Views({ counts }: { counts: ViewCounts }) {
  const loaded = useLoad("views", () => call("list_views"));
  const [isSaving, setSaving] = useState(false);
  const at = addressOf(present());
  const box = useRef<HTMLElement>(null);
  // On a phone, the current view can be out of sight.
  useEffect(() => box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [at, loaded.data]);
  const saved = loaded.data ?? [];
  const here = saved.find((view) => addressOf(view.query) === at);
  const isKnown = here !== undefined || viewNames.some((name) => addressOf(builtIn[name]) === at);
  return (
    <nav ref={box} class="envelope-views" aria-label={words.label}>
      {viewNames.map((name) => (
        <ViewLink key={name} name={words[name]} to={addressOf(builtIn[name])} at={at} count={counts[name] ?? null} />
      ))}
      {saved.map((view) => (
        <ViewLink key={view.view_id} name={view.name} to={addressOf(view.query)} at={at} />
      ))}
      {!isKnown && (
        <button type="button" class="button quiet" onClick={() => setSaving(true)}>
          {words.save}
        </button>
      )}
      {here !== undefined && (may("envelopes:write") || !here.shared) && <RemoveView view={here} onRemoved={() => void loaded.reload()} />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {isSaving && <SaveViewDialog query={present()} onSaved={() => void loaded.reload()} onClose={() => setSaving(false)} />}
    </nav>
  );
}

interface ViewLinkProps {
  readonly name: string;
  readonly to: string;
  readonly at: string;
  readonly count?: string | null;
}

function ViewLink({ name, to, at, count = null }: ViewLinkProps) {
  return (
    <Link to={to} class="envelope-view" aria-current={to === at ? "page" : undefined}>
      <span class="envelope-view-name" title={wholeOf(name)}>
        {name}
      </span>
      {count !== null && <span class="envelope-view-count"> {count}</span>}
    </Link>
  );
}

function RemoveView({ view, onRemoved }: { view: SavedView; onRemoved: () => void }) {
  const sending = useSending();
  const remove = async () => {
    await call("delete_view", { params: { view_id: view.view_id } });
    onRemoved();
  };
  return (
    <>
      <button
        type="button"
        class="button quiet envelope-view-remove"
        aria-label={words.remove(view.name)}
        title={words.remove(view.name)}
        disabled={sending.isBusy}
        onClick={() => void sending.run(remove)}
      >
        <Glyph name="cross" />
      </button>
      <ErrorNotice error={sending.error} />
    </>
  );
}
