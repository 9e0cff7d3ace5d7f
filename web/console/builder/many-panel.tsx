import { lazy } from "../parts/lazy.tsx";
import { en as builderWords } from "../words/builder/en.ts";
import { en as words } from "../words/field-panel/en.ts";
import { type Alignment, alignBoxes, canDistribute, distributeBoxes } from "./arrange.ts";
import { type Editor, editPlaces } from "./editor.ts";
import { duplicate, remove } from "./keys.ts";

const CopyToPages = lazy(async () => (await import("./copy-to-pages.tsx")).CopyToPages);

const alignments: readonly Alignment[] = ["left", "right", "top", "bottom", "size"];

/** Actions for several selected fields. They are aligned to the one that was selected first. */
export function ManyPanel({ editor }: { editor: Editor }) {
  const { selected, isReadOnly } = editor;
  const ids = selected.value;
  return (
    <section class="panel stack" aria-label={words.many}>
      <h2>{builderWords.fields(ids.length)}</h2>
      {!isReadOnly && (
        <>
          <fieldset class="buttons" aria-label={words.align}>
            {alignments.map((how) => (
              <button
                key={how}
                type="button"
                class="button"
                onClick={() => editPlaces(editor, selected.peek(), (doc) => alignBoxes(doc, selected.peek(), how))}
              >
                {words.alignments[how]}
              </button>
            ))}
          </fieldset>
          {canDistribute(editor.doc.value, ids) && (
            <fieldset class="buttons" aria-label={words.gaps}>
              {(["across", "down"] as const).map((how) => (
                <button
                  key={how}
                  type="button"
                  class="button"
                  onClick={() => editPlaces(editor, selected.peek(), (doc) => distributeBoxes(doc, selected.peek(), how))}
                >
                  {words.gapsOf[how]}
                </button>
              ))}
            </fieldset>
          )}
          <CopyToPages editor={editor} />
          <div class="buttons">
            <button type="button" class="button" onClick={() => duplicate(editor)}>
              {words.duplicate}
            </button>
            <button type="button" class="button danger" onClick={() => remove(editor)}>
              {words.remove}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
