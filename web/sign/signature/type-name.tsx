import type { TypedMarkInput } from "@countersign/client/pages";
import { words } from "../../i18n/i18n.ts";
import type { MarkType } from "../ceremony.ts";
import { MarkView } from "./mark-view.tsx";
import { blankText, canWrite, fontFor, fonts, MAX_TEXT } from "./typed-text.ts";

interface TypeNameProps {
  readonly what: MarkType;
  readonly typed: TypedMarkInput;
  readonly error: string | null;
  readonly onType: (typed: TypedMarkInput) => void;
}

export function TypeName({ what, typed, error, onType }: TypeNameProps) {
  const chosen = fontFor(typed.text, typed.font);
  return (
    <>
      <div>
        <label class="label" for="mark-text">
          {words.value.typeName[what]}
        </label>
        <input
          id="mark-text"
          class="input"
          type="text"
          name="mark-text"
          autocomplete="off"
          autocapitalize="words"
          spellcheck={false}
          maxLength={MAX_TEXT}
          value={typed.text}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : "adopt-error"}
          onInput={(event) => onType({ ...typed, text: event.currentTarget.value })}
        />
      </div>
      <fieldset class="adopt-styles" style={{ "--letters": typed.text.length }}>
        <legend class="label">{words.value.style}</legend>
        {fonts.map((font) => (
          <label class="adopt-style" key={font}>
            <input
              type="radio"
              name="mark-style"
              checked={font === chosen}
              disabled={!canWrite(font, typed.text)}
              onChange={() => onType({ ...typed, font })}
            />
            <span class="adopt-paper" aria-hidden="true">
              {!blankText(typed.text) && canWrite(font, typed.text) && <MarkView mark={{ ...typed, font }} label="" />}
            </span>
            <span>{words.value.styles[font]}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
