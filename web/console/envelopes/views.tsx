import type { SavedView } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/list/en.ts";

/** Views are lists with a name: those of the console, and those that people saved. */

const words = en.views;

const builtIn: readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] = [
  [words.all, {}],
  [words.waitingForMe, { waiting_for: "me" }],
  [words.inProgress, { stage: "open" }],
  [words.drafts, { stage: "draft" }],
  [words.completed, { status: "completed" }],
  [words.mine, { owner: "me" }],
  [words.discarded, { discarded: "only" }],
];

const addressOf = (parameters: Readonly<Record<string, unknown>>): string => {
  const search = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  search.sort();
  return search.toString() === "" ? "/envelopes" : `/envelopes?${search}`;
};

/** What the address asks for, without the page. */
const present = (): Readonly<Record<string, string>> => Object.fromEntries([...query.value].filter(([name]) => name !== "page"));

/** `all`: how many envelopes there are, or null if that is not known (yet) */
export function Views({ all }: { all: number | null }) {
  const loaded = useLoad("views", () => call("list_views"));
  const [isSaving, setSaving] = useState(false);
  const at = addressOf(present());
  const saved = loaded.data ?? [];
  const here = saved.find((view) => addressOf(view.query) === at);
  const isKnown = here !== undefined || builtIn.some(([, parameters]) => addressOf(parameters) === at);
  return (
    <nav class="envelope-views" aria-label="Views">
      {builtIn.map(([name, parameters]) => (
        <ViewLink key={name} name={name} to={addressOf(parameters)} at={at} count={name === words.all ? all : null} />
      ))}
      {saved.map((view) => (
        <ViewLink key={view.view_id} name={view.name} to={addressOf(view.query)} at={at} />
      ))}
      {!isKnown && (
        <button type="button" class="button quiet" onClick={() => setSaving(true)}>
          Save view
        </button>
      )}
      {here !== undefined && (hasRole("member") || !here.shared) && <RemoveView view={here} onRemoved={() => void loaded.reload()} />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {isSaving && <SaveDialog onSaved={() => void loaded.reload()} onClose={() => setSaving(false)} />}
    </nav>
  );
}

interface ViewLinkProps {
  readonly name: string;
  readonly to: string;
  readonly at: string;
  readonly count?: number | null;
}

function ViewLink({ name, to, at, count = null }: ViewLinkProps) {
  return (
    <Link to={to} class="envelope-view" aria-current={to === at ? "page" : undefined}>
      {name}
      {count !== null && <span class="envelope-view-count"> {count.toLocaleString()}</span>}
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
      <button type="button" class="button quiet" disabled={sending.isBusy} onClick={() => void sending.run(remove)}>
        Delete view {view.name}
      </button>
      <ErrorNotice error={sending.error} />
    </>
  );
}

function SaveDialog({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) {
  const sending = useSending();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const save = async () => {
    await call("create_view", { body: { name, query: present(), shared } });
    onClose();
    onSaved();
  };
  return (
    <Dialog title="Save view" onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <p>A view keeps the search and the filters, and shows what matches them when you open it.</p>
        <TextField label="Name" name="name" maxLength={100} value={name} onText={setName} sending={sending} />
        {hasRole("member") && <Checkbox label="Show it to every member" checked={shared} onCheck={setShared} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Save view</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
