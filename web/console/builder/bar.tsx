import type { ComponentChildren } from "preact";
import { isTemporary } from "../../http.ts";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/builder/en.ts";
import { type Editor, stepBack, stepForward } from "./editor.ts";
import { rolesWithFields } from "./field.ts";
import { isUnsaved } from "./work.ts";
import { Zoom } from "./zoom.tsx";

interface BarProps {
  readonly editor: Editor;
  readonly sending: Sending;
  readonly onSave: () => Promise<boolean>;
  readonly isByText: boolean;
  readonly onByText: () => void;
  readonly onPreview: () => Promise<void>;
  /** the field types, where there is no room for them beside the pages */
  readonly children?: ComponentChildren;
}

/** The toolbar, which stays visible while the page scrolls: field types, undo and save. */
export function Bar({ editor, sending, onSave, isByText, onByText, onPreview, children }: BarProps) {
  const { work, doc, armed } = editor;
  const { past, future } = work.value.history;
  const isEmpty = rolesWithFields(doc.value).length === 0;
  return (
    <div class="builder-bar">
      {children}
      <div class="buttons builder-acts">
        <button type="button" class="button" aria-expanded={isByText} onClick={onByText}>
          {words.byText}
        </button>
        <button type="button" class="button" aria-disabled={past.length === 0} onClick={() => stepBack(editor)}>
          {words.undo}
        </button>
        <button type="button" class="button" aria-disabled={future.length === 0} onClick={() => stepForward(editor)}>
          {words.redo}
        </button>
        <Zoom
          zoom={editor.zoom.value}
          onZoom={(zoom) => {
            editor.zoom.value = zoom;
          }}
        />
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
          {words.save}
        </button>
      </div>
      <p class="builder-state quiet small" role="status">
        {armed.value === null ? stateOf(editor, sending) : words.armed}
      </p>
    </div>
  );
}

function stateOf({ work, doc }: Editor, { isBusy, error }: Sending): string {
  const wrong = new Set(work.value.fieldErrors.map(({ field }) => field)).size;
  if (wrong > 0) return words.errors(wrong);
  if (isBusy) return words.saving;
  if (!isUnsaved(work.value)) return words.saved(doc.value.fields.length);
  if (error === null) return words.unsaved;
  return isTemporary(error) ? words.failed : words.refused;
}
