import { lazy } from "../parts/lazy.tsx";
import { en as words } from "../words/builder/en.ts";
import { type Editor, fieldOf, selectedBoxes } from "./editor.ts";
import { RolesPanel } from "./roles-panel.tsx";

// Needed when a field is selected; loaded shortly after the pages.
const loadFieldPanel = async () => (await import("./field-panel.tsx")).FieldPanel;
const loadManyPanel = async () => (await import("./many-panel.tsx")).ManyPanel;
const [FieldPanel, ManyPanel] = [lazy(loadFieldPanel), lazy(loadManyPanel)];
export const panels = [loadFieldPanel, loadManyPanel];

/** The panel beside the pages: the selected field and the roles. */
export function Side({ editor }: { editor: Editor }) {
  return (
    <>
      <Selected editor={editor} />
      <RolesPanel editor={editor} />
    </>
  );
}

function Selected({ editor }: { editor: Editor }) {
  const boxes = selectedBoxes(editor);
  const [box] = boxes;
  if (box === undefined) return <NothingSelected editor={editor} />;
  if (boxes.length > 1) return <ManyPanel editor={editor} />;
  const field = fieldOf(editor.doc.value, box);
  return field === null ? null : <FieldPanel key={box.id} editor={editor} field={field} box={box} />;
}

function NothingSelected({ editor }: { editor: Editor }) {
  if (editor.isReadOnly) return <p class="panel quiet small">{words.nothingSelected}</p>;
  return (
    <section class="panel stack tight" aria-label={words.help}>
      <h2>{words.place}</h2>
      <p class="quiet small">{words.byPointer}</p>
      <p class="quiet small">{words.byKeys}</p>
    </section>
  );
}
