import { useEffect, useRef } from "preact/hooks";
import { en as words } from "../words/builder/en.ts";
import { nameOf, positionText } from "./announcements.ts";
import { type Editor, fieldOf } from "./editor.ts";
import { type Box, isLabel, typeNames } from "./field.ts";
import { type Area, corners } from "./geometry.ts";
import { pressBox, pressCorner } from "./gestures.ts";
import { Letter } from "./letter.tsx";
import { markOf } from "./roles.ts";

/** In percent of the page, so that it scales with the page. */
export const placed = ({ x, y, w, h }: Omit<Area, "page">): Record<string, string> => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${w * 100}%`,
  height: `${h * 100}%`,
});

/** A field on its page. It is a button, so that it can be reached by keyboard. */
export function BoxView({ editor, box }: { editor: Editor; box: Box }) {
  const button = useRef<HTMLButtonElement>(null);
  const { doc, selected, work, focusOn, isReadOnly } = editor;
  const needsFocus = focusOn.value === box.id;
  useEffect(() => {
    if (!needsFocus) return;
    button.current?.focus();
    focusOn.value = null;
  }, [needsFocus]);
  const isSelected = selected.value.includes(box.id);
  const isAlone = isSelected && selected.value.length === 1;
  useEffect(() => {
    // On a phone, the panel that opens would cover it.
    if (isAlone) button.current?.scrollIntoView({ block: "nearest" });
  }, [isAlone]);
  const field = fieldOf(doc.value, box);
  if (field === null) return null;
  const isWrong = work.value.fieldErrors.some((one) => one.field === field.key);
  const { letter, colour } = markOf(field.role, doc.value.roles);
  const role = isLabel(field) ? words.noSigner : (field.role ?? words.firstSigner);
  const looks = ["box", `role-${colour}`, isSelected && "chosen", isWrong && "wrong", field.anchor !== null && "anchored"];
  return (
    <div class={looks.filter(Boolean).join(" ")} style={placed(box)}>
      <button
        ref={button}
        type="button"
        class="box-button"
        data-box={box.id}
        aria-pressed={isSelected}
        aria-label={words.box(nameOf(field), typeNames[field.type], role, positionText(box), isWrong)}
        aria-describedby={isReadOnly ? undefined : "builder-keys"}
        onPointerDown={(event) => pressBox(editor, box, event)}
      >
        <Letter letter={isWrong ? "!" : letter} />
        <span class={field.required ? "box-name required" : "box-name"}>{nameOf(field)}</span>
      </button>
      {isAlone &&
        !isReadOnly &&
        corners.map((corner) => (
          <span
            key={corner}
            class={`handle ${corner}`}
            aria-hidden="true"
            onPointerDown={(event) => pressCorner(editor, box, corner, event)}
          />
        ))}
    </div>
  );
}
