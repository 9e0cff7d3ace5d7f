import type { Sending } from "../sending.ts";
import { en as words } from "../words/builder/en.ts";
import { counted } from "./announcements.ts";
import { type Editor, stepBack, stepForward } from "./editor.ts";
import { rolesWithFields } from "./field.ts";
import { Palette } from "./palette.tsx";
import { isUnsaved } from "./work.ts";

interface BarProps {
  readonly editor: Editor;
  readonly sending: Sending;
  readonly onSave: () => Promise<boolean>;
  readonly isByText: boolean;
  readonly onByText: () => void;
  readonly onPreview: () => Promise<void>;
}

/** The toolbar, which stays visible while the page scrolls: field types, undo and save. */
export function Bar({ editor, sending, onSave, isByText, onByText, onPreview }: BarProps) {
  const { work, doc, armed } = editor;
  const { past, future } = work.value.history;
  const isEmpty = rolesWithFields(doc.value).length === 0;
  return (
    <div class="builder-bar">
      <Palette editor={editor} />
      <div class="buttons builder-acts">
        <button type="button" class="button" aria-expanded={isByText} onClick={onByText}>
          Place next to text
        </button>
        <button type="button" class="button" aria-disabled={past.length === 0} onClick={() => stepBack(editor)}>
          Undo
        </button>
        <button type="button" class="button" aria-disabled={future.length === 0} onClick={() => stepForward(editor)}>
          Redo
        </button>
        <Zoom editor={editor} />
        <button
          type="button"
          class="button"
          aria-disabled={isEmpty}
          title={isEmpty ? words.noFields : undefined}
          onClick={() => {
            if (!isEmpty) void onPreview();
          }}
        >
          {words.preview}
        </button>
        <button type="button" class="button primary" aria-disabled={sending.isBusy} onClick={() => void onSave()}>
          Save
        </button>
      </div>
      <p class="builder-state quiet small" role="status">
        {armed.value === null ? stateOf(editor, sending) : "Click the page where the field goes. Press Esc to cancel."}
      </p>
    </div>
  );
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2];

function Zoom({ editor: { zoom } }: { editor: Editor }) {
  const now = zoom.value;
  const next = zooms.find((one) => one > now);
  const previous = zooms.findLast((one) => one < now);
  return (
    <span class="builder-zoom">
      <button
        type="button"
        class="button"
        aria-label="Zoom out"
        aria-disabled={previous === undefined}
        onClick={() => {
          zoom.value = previous ?? now;
        }}
      >
        −
      </button>
      <span class="small" role="status" aria-label="Zoom">
        {Math.round(now * 100)} %
      </span>
      <button
        type="button"
        class="button"
        aria-label="Zoom in"
        aria-disabled={next === undefined}
        onClick={() => {
          zoom.value = next ?? now;
        }}
      >
        +
      </button>
    </span>
  );
}

function stateOf({ work, doc }: Editor, { isBusy, error }: Sending): string {
  const wrong = new Set(work.value.fieldErrors.map(({ field }) => field)).size;
  if (wrong > 0) return `Not saved: ${wrong === 1 ? "1 field has an error" : `${wrong} fields have errors`}`;
  if (isBusy) return "Saving…";
  if (!isUnsaved(work.value)) return `${counted(doc.value.fields.length, "field")}, saved`;
  return error === null ? "Not saved yet" : "Not saved: try again";
}
