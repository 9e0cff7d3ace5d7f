import { Confirm } from "../parts/confirm.tsx";
import type { Editor } from "./editor.ts";

/** Asks before a field is moved away from its anchor text. */
export function ConfirmDetach({ editor }: { editor: Editor }) {
  const { pendingEdit } = editor;
  const act = pendingEdit.value;
  if (act === null) return null;
  return (
    <Confirm
      title="Move field away from its text"
      button="Move field"
      onConfirm={async () => act()}
      onClose={() => {
        pendingEdit.value = null;
      }}
    >
      <p>This field is placed next to text in the document. If you move it, it gets a fixed position and no longer follows that text.</p>
    </Confirm>
  );
}
