import { en as words } from "../words/field-panel/en.ts";
import { percent } from "./announcements.ts";
import { type Editor, editPlaces } from "./editor.ts";
import { setArea } from "./edits.ts";
import type { Box } from "./field.ts";
import type { Area } from "./geometry.ts";
import { NumberInput } from "./number-input.tsx";

const sides = [
  ["x", words.measures.x],
  ["y", words.measures.y],
  ["w", words.measures.w],
  ["h", words.measures.h],
] as const;

/** The position and size of a box as numbers. */
export function PlaceInputs({ editor, box }: { editor: Editor; box: Box }) {
  const { pages } = editor;
  const put = (changes: Partial<Area>) => editPlaces(editor, [box.id], (doc) => setArea(doc, box.id, { ...box, ...changes }));
  return (
    <fieldset class="place-inputs">
      <legend>{words.place}</legend>
      <NumberInput
        label={words.page(pages.length)}
        value={box.page}
        min={1}
        max={pages.length}
        step={1}
        onNumber={(page) => put({ page: Math.round(page) })}
      />
      {sides.map(([side, label]) => (
        <NumberInput key={side} label={label} value={percent(box[side])} onNumber={(value) => put({ [side]: value / 100 })} />
      ))}
    </fieldset>
  );
}
