import { type Editor, fieldOf, selectedBoxes } from "./editor.ts";
import { FieldPanel } from "./field-panel.tsx";
import { ManyPanel } from "./many-panel.tsx";
import { RolesPanel } from "./roles-panel.tsx";

/** Beside the pages: what is chosen, and whose the fields are. */
export function Side({ editor }: { editor: Editor }) {
  return (
    <>
      <Chosen editor={editor} />
      <RolesPanel editor={editor} />
    </>
  );
}

function Chosen({ editor }: { editor: Editor }) {
  const boxes = selectedBoxes(editor);
  const [box] = boxes;
  if (box === undefined) return <Nothing editor={editor} />;
  if (boxes.length > 1) return <ManyPanel editor={editor} />;
  const field = fieldOf(editor.doc.value, box);
  return field === null ? null : <FieldPanel key={box.id} editor={editor} field={field} box={box} />;
}

function Nothing({ editor }: { editor: Editor }) {
  if (editor.isReadOnly) return <p class="panel quiet small">Press a field to see what it is.</p>;
  return (
    <section class="panel stack tight" aria-label="How it works">
      <h2>Place fields</h2>
      <p class="quiet small">
        Pull a type onto a page, or press it and then the page. With the keyboard: Enter on a type puts it in the middle of the page.
      </p>
      <p class="quiet small">
        Arrows move a field, Shift moves it further, Alt changes its size. Ctrl lets go of the lines while you drag.
      </p>
    </section>
  );
}
