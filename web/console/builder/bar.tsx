import { ActionButton } from "../parts/button.tsx";
import type { Sending } from "../sending.ts";
import { counted } from "./announcements.ts";
import { type Editor, stepBack, stepForward } from "./editor.ts";
import { Palette } from "./palette.tsx";
import { isUnsaved } from "./work.ts";

interface BarProps {
  readonly editor: Editor;
  readonly sending: Sending;
  readonly onSave: () => Promise<unknown>;
  readonly isByText: boolean;
  readonly onByText: () => void;
}

/** The toolbar, which stays visible while the page scrolls: field types, undo and save. */
export function Bar({ editor, sending, onSave, isByText, onByText }: BarProps) {
  const { work, armed } = editor;
  const { past, future } = work.value.history;
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
        <ActionButton sending={sending} kind="primary" onAction={onSave} busyLabel="Saving…">
          Save
        </ActionButton>
      </div>
      <p class="builder-state quiet small" role="status">
        {armed.value === null ? stateOf(editor) : "Click the page where the field goes. Press Esc to cancel."}
      </p>
    </div>
  );
}

function stateOf({ work, doc }: Editor): string {
  const wrong = new Set(work.value.fieldErrors.map(({ field }) => field)).size;
  if (wrong > 0) return `Not saved: ${wrong === 1 ? "1 field has an error" : `${wrong} fields have errors`}`;
  return isUnsaved(work.value) ? "Unsaved changes" : `${counted(doc.value.fields.length, "field")}, saved`;
}
