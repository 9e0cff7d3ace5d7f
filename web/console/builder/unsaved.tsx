import { useEffect, useState } from "preact/hooks";
import { blockLeaving, navigate } from "../navigation.ts";
import { en as words } from "../words/builder/en.ts";
import { en as parts } from "../words/parts/en.ts";
import type { Editor } from "./editor.ts";
import { isUnsaved } from "./work.ts";

/** Saves before the user leaves, and warns if that fails. */
export function Unsaved({ editor, onSave }: { editor: Editor; onSave: () => Promise<boolean> }) {
  const [to, setTo] = useState<string | null>(null);
  const { work } = editor;
  const saveAndLeave = async (wanted: string) => {
    setTo(null);
    if (await onSave()) navigate(wanted);
    else setTo(wanted);
  };
  useEffect(
    () =>
      blockLeaving((wanted) => {
        if (!isUnsaved(work.peek())) return true;
        // The browser asks before a page is closed; within the console, the changes are saved first.
        if (wanted !== null) void saveAndLeave(wanted);
        return false;
      }),
    [editor],
  );
  if (to === null || !isUnsaved(work.value)) return null;
  const leave = () => {
    work.value = { ...work.peek(), saved: work.peek().history.present };
    navigate(to);
  };
  return (
    <div class="notice unsaved" role="alert">
      <p>{words.leaving}</p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => void saveAndLeave(to)}>
          {words.leave}
        </button>
        <button type="button" class="button" onClick={leave}>
          {words.discard}
        </button>
        <button type="button" class="button quiet" onClick={() => setTo(null)}>
          {parts.stay}
        </button>
      </div>
    </div>
  );
}
