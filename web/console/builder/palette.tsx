import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { type Editor, placeInMiddle } from "./editor.ts";
import { typeNames } from "./field.ts";
import { pullType } from "./gestures.ts";
import { Letter } from "./letter.tsx";
import { markOf } from "./roles.ts";
import { pageInView } from "./sheets.ts";

/** The types that can be placed: pulled onto a page, pressed and then the page pressed, or with Enter into the middle of the page in view. */
export function Palette({ editor }: { editor: Editor }) {
  const { armed, role, doc } = editor;
  const roles = doc.value.roles.length === 0 ? [role.value] : doc.value.roles;
  const { letter, colour } = markOf(role.value, roles);
  const press = (type: PlaceableFieldType, event: MouseEvent) => {
    // A press without a pointer: Enter, Space, or what speaks for them.
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
          onPointerDown={(event) => pullType(editor, type, event)}
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
