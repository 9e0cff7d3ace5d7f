import type { EnvelopeActionResult, EnvelopeSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { saveFrom } from "../parts/save.ts";
import { showToast } from "../parts/toast.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en } from "../words/list/en.ts";
import type { Action } from "./selected-dialogs.tsx";

const TagDialog = lazy(async () => (await import("./selected-dialogs.tsx")).TagDialog);
const VoidManyDialog = lazy(async () => (await import("./selected-dialogs.tsx")).VoidManyDialog);

const words = en.selection;

interface SelectedProps {
  readonly chosen: readonly EnvelopeSummary[];
  /** called after an action; those that failed stay chosen */
  readonly onDone: (failed: ReadonlySet<string>) => void;
  readonly onClear: () => void;
}

/** What can be done with several envelopes at once. Each succeeds or fails on its own. */
export function Selected({ chosen, onDone, onClear }: SelectedProps) {
  const sending = useSending();
  const [asking, setAsking] = useState<"tag" | "void" | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const act = async (action: Action) => {
    const done = await call("act_on_envelopes", { body: { ...action, envelope_ids: chosen.map(({ envelope_id }) => envelope_id) } });
    setAsking(null);
    if (done.failed.length > 0) setResult(resultText(done, chosen));
    else showToast(words.acted[action.action](done.done.length));
    onDone(new Set(done.failed.map(({ envelope_id }) => envelope_id)));
  };
  const download = async () => {
    const envelope_ids = chosen.map(({ envelope_id }) => envelope_id);
    await saveFrom("download_documents", "documents.zip", { body: { envelope_ids } });
    setResult(words.downloaded(envelope_ids.length));
  };
  const exportCsv = async () => {
    const envelope_ids = chosen.map(({ envelope_id }) => envelope_id).join();
    await saveFrom("export_envelopes", "envelopes.csv", { query: { envelope_ids } });
    showToast(words.exported(chosen.length));
  };
  const isMember = may("envelopes:write");
  const run = (act: () => Promise<void>) => {
    setResult(null);
    void sending.run(act);
  };
  return (
    <>
      <p class={result === null ? "hidden-visually" : "notice"} role="status">
        {result ?? (chosen.length > 0 ? words.count(chosen.length) : "")}
      </p>
      <ErrorNotice error={sending.error} />
      {chosen.length > 0 && (
        <div class="envelope-selected" role="toolbar" aria-label={words.label} aria-busy={sending.isBusy}>
          <strong>{words.count(chosen.length)}</strong>
          {isMember && (
            <button type="button" class="button" disabled={sending.isBusy} onClick={() => run(() => act({ action: "remind" }))}>
              <Glyph name="bell" />
              {words.remind}
            </button>
          )}
          {isMember && (
            <button type="button" class="button tag-selected" onClick={() => setAsking("tag")}>
              <Glyph name="tag" />
              {words.tag}
            </button>
          )}
          <button type="button" class="button" aria-label={words.downloadLabel} disabled={sending.isBusy} onClick={() => run(download)}>
            <Glyph name="download" />
            {words.download}
          </button>
          <button type="button" class="button" aria-label={words.csvLabel} disabled={sending.isBusy} onClick={() => run(exportCsv)}>
            <Glyph name="page" />
            {words.csv}
          </button>
          {isMember && (
            <button type="button" class="button" onClick={() => setAsking("void")}>
              <Glyph name="cross" />
              {words.void}
            </button>
          )}
          <button type="button" class="button" aria-label={words.clear} onClick={onClear}>
            <Glyph name="cross" />
          </button>
        </div>
      )}
      {asking === "tag" && <TagDialog count={chosen.length} onAct={act} onClose={() => setAsking(null)} />}
      {asking === "void" && <VoidManyDialog count={chosen.length} onAct={act} onClose={() => setAsking(null)} />}
    </>
  );
}

/** Says for how many it was done, and for each of the others why not. */
function resultText({ done, failed }: EnvelopeActionResult, chosen: readonly EnvelopeSummary[]): string {
  const nameOf = (id: string) => chosen.find(({ envelope_id }) => envelope_id === id)?.envelope_name ?? id;
  const faults = failed.map(({ envelope_id, error }) => words.failed(nameOf(envelope_id), error));
  return [words.done(done.length, done.length + failed.length), ...faults].join(" ");
}
