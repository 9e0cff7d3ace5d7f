import type { ActOnEnvelopesRequest, EnvelopeActionResult, EnvelopeSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { saveFrom } from "../parts/save.ts";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { en } from "../words/list/en.ts";

const words = en.selection;

type Action = Omit<ActOnEnvelopesRequest, "envelope_ids">;

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
    setResult(resultText(done, chosen));
    onDone(new Set(done.failed.map(({ envelope_id }) => envelope_id)));
  };
  const download = async () => {
    const envelope_ids = chosen.map(({ envelope_id }) => envelope_id);
    await saveFrom("download_documents", "documents.zip", { body: { envelope_ids } });
    setResult(words.downloaded(envelope_ids.length));
  };
  const isMember = hasRole("member");
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
            <button type="button" class="button" onClick={() => setAsking("tag")}>
              <Glyph name="tag" />
              {words.tag}
            </button>
          )}
          <button type="button" class="button" aria-label={words.downloadLabel} disabled={sending.isBusy} onClick={() => run(download)}>
            <Glyph name="download" />
            {words.download}
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

/** Says what was done, and for each of the others why not. */
function resultText({ done, failed }: EnvelopeActionResult, chosen: readonly EnvelopeSummary[]): string {
  const nameOf = (id: string) => chosen.find(({ envelope_id }) => envelope_id === id)?.envelope_name ?? id;
  const faults = failed.map(({ envelope_id, error }) => `${nameOf(envelope_id)}: ${error}.`);
  return [`Done for ${done.length} of ${done.length + failed.length}.`, ...faults].join(" ");
}

interface ManyDialogProps {
  readonly count: number;
  readonly onAct: (action: Action) => Promise<void>;
  readonly onClose: () => void;
}

const MOST_TAGS = 20;

function TagDialog({ count, onAct, onClose }: ManyDialogProps) {
  const sending = useSending();
  const [text, setText] = useState("");
  const tags = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return (
    <Dialog title={`Tag ${count} envelopes`} onClose={onClose}>
      <Form sending={sending} onSend={() => onAct({ action: "tag", tags })} shown={["tags"]}>
        <TextField
          label="Tags"
          name="tags"
          hint={`Separated by commas. An envelope has at most ${MOST_TAGS}.`}
          value={text}
          onText={setText}
          sending={sending}
        />
        <DialogButtons sending={sending} onClose={onClose} act="Add tags" />
      </Form>
    </Dialog>
  );
}

function VoidManyDialog({ count, onAct, onClose }: ManyDialogProps) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  return (
    <Dialog title={`Void ${count} envelopes`} onClose={onClose}>
      <Form sending={sending} onSend={() => onAct({ action: "void", reason })}>
        <p>They can no longer be signed, and everyone who was asked to sign is notified. You cannot undo this.</p>
        <AreaField
          label="Reason"
          name="reason"
          hint="Shown to signers and in the timeline."
          maxLength={500}
          value={reason}
          onText={setReason}
          sending={sending}
        />
        <DialogButtons sending={sending} onClose={onClose} act="Void envelopes" kind="danger" />
      </Form>
    </Dialog>
  );
}

interface DialogButtonsProps {
  readonly sending: ReturnType<typeof useSending>;
  readonly onClose: () => void;
  readonly act: string;
  readonly kind?: "primary" | "danger";
}

function DialogButtons({ sending, onClose, act, kind = "primary" }: DialogButtonsProps) {
  return (
    <div class="buttons end">
      <button type="button" class="button" onClick={onClose}>
        Cancel
      </button>
      <SubmitButton sending={sending} kind={kind}>
        {act}
      </SubmitButton>
    </div>
  );
}
