import { Confirm } from "../parts/confirm.tsx";
import { en as words } from "../words/field-panel/en.ts";
import type { Editor } from "./editor.ts";

/** Asks before a field is moved away from its anchor text. */
export function ConfirmDetach({ editor }: { editor: Editor }) {
  const { pendingEdit } = editor;
  const act = pendingEdit.value;
  if (act === null) return null;
  return (
    <Confirm
      title={words.detach.title}
      button={words.detach.move}
      onConfirm={async () => act()}
      onClose={() => {
        pendingEdit.value = null;
      }}
    >
      <p>{words.detach.text}</p>
    </Confirm>
  );
}
