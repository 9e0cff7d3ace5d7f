import { lazy } from "../parts/lazy.tsx";
import { counted } from "./announcements.ts";
import { type Editor, editPlaces } from "./editor.ts";
import { type Alignment, alignBoxes, canDistribute, distributeBoxes } from "./edits.ts";
import { duplicate, remove } from "./keys.ts";

const CopyToPages = lazy(async () => (await import("./copy-to-pages.tsx")).CopyToPages);

const alignments: readonly (readonly [Alignment, string])[] = [
  ["left", "Align left"],
  ["right", "Align right"],
  ["top", "Align top"],
  ["bottom", "Align bottom"],
  ["size", "Same size"],
];

/** Actions for several selected fields. They are aligned to the one that was selected first. */
export function ManyPanel({ editor }: { editor: Editor }) {
  const { selected, isReadOnly } = editor;
  const ids = selected.value;
  return (
    <section class="panel stack" aria-label="Selected fields">
      <h2>{counted(ids.length, "field")}</h2>
      {!isReadOnly && (
        <>
          <fieldset class="buttons" aria-label="Align to the first field">
            {alignments.map(([how, words]) => (
              <button
                key={how}
                type="button"
                class="button"
                onClick={() => editPlaces(editor, selected.peek(), (doc) => alignBoxes(doc, selected.peek(), how))}
              >
                {words}
              </button>
            ))}
          </fieldset>
          {canDistribute(editor.doc.value, ids) && (
            <fieldset class="buttons" aria-label="Equal gaps">
              {(["across", "down"] as const).map((how) => (
                <button
                  key={how}
                  type="button"
                  class="button"
                  onClick={() => editPlaces(editor, selected.peek(), (doc) => distributeBoxes(doc, selected.peek(), how))}
                >
                  {how === "across" ? "Equal gaps across" : "Equal gaps down"}
                </button>
              ))}
            </fieldset>
          )}
          <CopyToPages editor={editor} />
          <div class="buttons">
            <button type="button" class="button" onClick={() => duplicate(editor)}>
              Duplicate
            </button>
            <button type="button" class="button danger" onClick={() => remove(editor)}>
              Remove
            </button>
          </div>
        </>
      )}
    </section>
  );
}
