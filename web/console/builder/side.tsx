import { type Editor, fieldOf, selectedBoxes } from "./editor.ts";
import { FieldPanel } from "./field-panel.tsx";
import { ManyPanel } from "./many-panel.tsx";
import { RolesPanel } from "./roles-panel.tsx";

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
  if (editor.isReadOnly) return <p class="panel quiet small">Select a field to see its settings.</p>;
  return (
    <section class="panel stack tight" aria-label="How it works">
      <h2>Place fields</h2>
      <p class="quiet small">
        Drag a field onto the page, or select it and click where it goes. With the keyboard, press Enter on a field to place it in the
        middle of the page.
      </p>
      <p class="quiet small">Arrow keys move a field, Shift moves it further, Alt resizes it. Hold Ctrl to ignore guides while you drag.</p>
    </section>
  );
}
