import { Confirm } from "../parts/confirm.tsx";
import type { Editor } from "./editor.ts";

/** Asked before a field leaves the words that it stands by. */
export function LeavesText({ editor }: { editor: Editor }) {
  const { asking } = editor;
  const act = asking.value;
  if (act === null) return null;
  return (
    <Confirm
      title="Move it away from its text?"
      button="Move it"
      onConfirm={async () => act()}
      onClose={() => {
        asking.value = null;
      }}
    >
      <p>
        It stands by words of the document. Once you move it, it becomes absolute: it stands where you put it, and no longer knows those
        words.
      </p>
    </Confirm>
  );
}
