import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { en as words } from "../words/builder/en.ts";
import { en } from "../words/palette/en.ts";
import { type Editor, placeInMiddle } from "./editor.ts";
import { typeNames } from "./field.ts";
import { dragType } from "./gestures.ts";
import { Letter } from "./letter.tsx";
import { markOf } from "./roles.ts";
import { pageInView } from "./sheets.ts";

type Group = keyof typeof en.groups;

/** The group of a type, and its picture. */
type Look = readonly [Group, string];

const TEXT: Look = ["filledIn", "M5 7.5V5h14v2.5M12 5v14M9.5 19h5"];
const looks: Partial<Record<PlaceableFieldType, Look>> = {
  signature: ["signing", "M3.5 16c2-7 4.5-10 6-9.2 1.8 1-2.4 8.3-.7 9.2 1.5.8 2.7-4 4.2-3.7 1.4.3.4 3 1.8 3.3 1.3 0 2-1 5.7-1M4 20h16"],
  initials: ["signing", "M3 17l4-10 4 10M4.5 13.5h5M14 12h4a2.5 2.5 0 0 1 0 5h-4V7h3.5a2.5 2.5 0 0 1 0 5"],
  date: ["filledIn", "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8"],
  number: ["filledIn", "M9.5 4l-2 16M16.5 4l-2 16M4.5 9h15.5M4 15h15.5"],
  checkbox: ["filledIn", "M4.5 4.5h15v15h-15zM8.5 12l2.5 2.5 4.5-5"],
  select: ["filledIn", "M3.5 7.5h17v9h-17zM13 11l2 2 2-2"],
  radio: ["filledIn", "M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17M12 9.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5"],
  label: ["fixed", "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6"],
};

/** A type without a line of its own looks like a text. */
const lookOf = (type: PlaceableFieldType): Look => looks[type] ?? TEXT;

const ofGroup = (group: string): readonly PlaceableFieldType[] => placeableFieldTypes.filter((type) => lookOf(type)[0] === group);

/** The field types. They can be dragged onto a page, selected and then placed by a click, or placed in the middle of the visible page with Enter. */
export function Palette({ editor, isTall }: { editor: Editor; isTall: boolean }) {
  const { armed, role, doc } = editor;
  const roles = doc.value.roles.length === 0 ? [role.value] : doc.value.roles;
  const { letter, colour } = markOf(role.value, roles);
  const press = (type: PlaceableFieldType, event: MouseEvent) => {
    // A click without a pointer: Enter, Space or assistive technology.
    if (event.detail === 0) placeInMiddle(editor, type, pageInView(editor));
    else armed.value = armed.peek() === type ? null : type;
  };
  return (
    <fieldset class={`palette role-${colour}${isTall ? " tall" : ""}`} aria-label={words.add}>
      <div class="palette-role">
        <span class="palette-title" aria-hidden="true">
          {words.newFor}
        </span>
        <Letter letter={letter} />
        <select class="input" aria-label={words.newFor} value={role.value} onChange={(event) => (role.value = event.currentTarget.value)}>
          {roles.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      {Object.entries(en.groups).map(([group, name]) => (
        <div key={group} class="palette-group">
          <p class="palette-title">{name}</p>
          {ofGroup(group).map((type) => (
            <button
              key={type}
              type="button"
              class="palette-type"
              aria-pressed={armed.value === type}
              onPointerDown={(event) => dragType(editor, type, event)}
              onClick={(event) => press(type, event)}
            >
              <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d={lookOf(type)[1]} />
              </svg>
              {typeNames[type]}
            </button>
          ))}
        </div>
      ))}
    </fieldset>
  );
}
