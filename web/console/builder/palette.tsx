import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { type Editor, placeInMiddle } from "./editor.ts";
import { typeNames } from "./field.ts";
import { dragType } from "./gestures.ts";
import { Letter } from "./letter.tsx";
import { markOf } from "./roles.ts";
import { pageInView } from "./sheets.ts";

/** The field types. They can be dragged onto a page, selected and then placed by a click, or placed in the middle of the visible page with Enter. */
export function Palette({ editor }: { editor: Editor }) {
  const { armed, role, doc } = editor;
  const roles = doc.value.roles.length === 0 ? [role.value] : doc.value.roles;
  const { letter, colour } = markOf(role.value, roles);
  const press = (type: PlaceableFieldType, event: MouseEvent) => {
    // A click without a pointer: Enter, Space or assistive technology.
    if (event.detail === 0) placeInMiddle(editor, type, pageInView(editor));
    else armed.value = armed.peek() === type ? null : type;
  };
  return (
    <fieldset class={`palette role-${colour}`} aria-label="Add a field">
      {placeableFieldTypes.map((type) => (
        <button
          key={type}
          type="button"
          class="palette-type"
          aria-pressed={armed.value === type}
          onPointerDown={(event) => dragType(editor, type, event)}
          onClick={(event) => press(type, event)}
        >
          {typeNames[type]}
        </button>
      ))}
      <div class="palette-role">
        <Letter letter={letter} />
        <select
          class="input"
          aria-label="New fields are for"
          value={role.value}
          onChange={(event) => (role.value = event.currentTarget.value)}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
    </fieldset>
  );
}
