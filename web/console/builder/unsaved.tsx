import { useEffect, useState } from "preact/hooks";
import { go, holdBack } from "../place.ts";
import type { Editor } from "./editor.ts";
import { isUnsaved } from "./work.ts";

/** Whoever leaves with unsaved work is told so first. */
export function Unsaved({ editor, onSave }: { editor: Editor; onSave: () => Promise<boolean> }) {
  const [to, setTo] = useState<string | null>(null);
  const { work } = editor;
  useEffect(
    () =>
      holdBack((wanted) => {
        if (!isUnsaved(work.peek())) return true;
        setTo(wanted);
        return false;
      }),
    [editor],
  );
  if (to === null || !isUnsaved(work.value)) return null;
  const leave = () => {
    work.value = { ...work.peek(), saved: work.peek().history.present };
    go(to);
  };
  const saveAndLeave = async () => {
    if (await onSave()) go(to);
    else setTo(null);
  };
  return (
    <div class="notice unsaved" role="alert">
      <p>You have not saved.</p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => void saveAndLeave()}>
          Save and go on
        </button>
        <button type="button" class="button" onClick={leave}>
          Leave without saving
        </button>
        <button type="button" class="button quiet" onClick={() => setTo(null)}>
          Stay here
        </button>
      </div>
    </div>
  );
}
