import { useEffect, useState } from "preact/hooks";
import { blockLeaving, navigate } from "../navigation.ts";
import type { Editor } from "./editor.ts";
import { isUnsaved } from "./work.ts";

/** Warns before the user leaves with unsaved changes. */
export function Unsaved({ editor, onSave }: { editor: Editor; onSave: () => Promise<boolean> }) {
  const [to, setTo] = useState<string | null>(null);
  const { work } = editor;
  useEffect(
    () =>
      blockLeaving((wanted) => {
        if (!isUnsaved(work.peek())) return true;
        setTo(wanted);
        return false;
      }),
    [editor],
  );
  if (to === null || !isUnsaved(work.value)) return null;
  const leave = () => {
    work.value = { ...work.peek(), saved: work.peek().history.present };
    navigate(to);
  };
  const saveAndLeave = async () => {
    if (await onSave()) navigate(to);
    else setTo(null);
  };
  return (
    <div class="notice unsaved" role="alert">
      <p>You have unsaved changes.</p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => void saveAndLeave()}>
          Save and leave
        </button>
        <button type="button" class="button" onClick={leave}>
          Discard changes
        </button>
        <button type="button" class="button quiet" onClick={() => setTo(null)}>
          Stay here
        </button>
      </div>
    </div>
  );
}
