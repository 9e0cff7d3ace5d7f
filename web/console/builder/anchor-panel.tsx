import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { anchoredArea, anchorRequestOf, type Draft, draftFor } from "./anchor-draft.ts";
import { counted, percent } from "./announcements.ts";
import { findAnchor } from "./api.ts";
import { addAndFocus, type Editor, sizeFor } from "./editor.ts";
import { placeField } from "./edits.ts";
import { nextName, typeNames } from "./field.ts";
import type { Area } from "./geometry.ts";
import { NumberInput } from "./number-input.tsx";
import { partAt } from "./parts.ts";
import { pageInView } from "./sheets.ts";

const measures = [
  ["offset_x", "To the right, %", -100],
  ["offset_y", "Down, %", -100],
  ["w", "Width, %", 0.8],
  ["h", "Height, %", 0.8],
] as const;

/** Places a field next to anchor text. It is beside the pages, so that the matches on them stay visible. */
export function AnchorPanel({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const sending = useSending();
  const panel = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState<Draft>(() => draftFor("signature", sizeFor(editor, 1, "signature")));
  const [matches, setMatches] = useState<readonly Area[]>([]);
  const match = matches[draft.occurrence - 1];
  const area = match === undefined ? null : anchoredArea(match, draft);
  useEffect(() => panel.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    editor.found.value = { matches, chosen: draft.occurrence - 1, area };
  }, [matches, draft]);
  useEffect(
    () => () => {
      editor.found.value = null;
    },
    [],
  );
  useEffect(() => {
    editor.canvas.current?.querySelector(`[data-match="${draft.occurrence - 1}"]`)?.scrollIntoView({ block: "center" });
  }, [matches, draft.occurrence]);
  const change = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }));
  const changeText = (anchor_text: string) => {
    change({ anchor_text, occurrence: 1 });
    setMatches([]);
  };
  const find = async () => {
    setMatches([]);
    const name = nextName(editor.doc.peek().fields, draft.type);
    const field = { name, type: draft.type, role: editor.role.peek(), placement: anchorRequestOf({ ...draft, occurrence: 1 }) };
    const found = await findAnchor(editor.of, field, editor.parts, partAt(editor.parts, pageInView(editor)));
    setMatches(found);
    editor.announcement.value = `${counted(found.length, "match").replace("matchs", "matches")} found`;
  };
  const put = () => {
    if (match === undefined || area === null) return;
    const { mode: _, ...requested } = anchorRequestOf(draft);
    addAndFocus(editor, placeField(editor.doc.peek(), { type: draft.type, role: editor.role.peek(), area, anchor: { match, requested } }));
    onClose();
  };
  return (
    <section
      ref={panel}
      class="panel"
      aria-label="Place next to text"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Form sending={sending} onSend={find}>
        <div class="panel-head">
          <h2>Place next to text</h2>
          <button type="button" class="text-button" onClick={onClose}>
            Close
          </button>
        </div>
        <TextField
          label="Text to find"
          name="fields[0].placement.anchor_text"
          value={draft.anchor_text}
          onText={changeText}
          hint={
            editor.pages.some(({ has_text }) => has_text)
              ? "The field is placed next to this text."
              : "This document contains only images, so there is no text to find."
          }
          sending={sending}
          maxLength={500}
          autoComplete="off"
        />
        <SubmitButton sending={sending} kind={matches.length === 0 ? "primary" : "plain"}>
          Find
        </SubmitButton>
        {matches.length > 0 && (
          <>
            <p role="status">{matches.length === 1 ? "Found once." : `Found ${matches.length} times.`}</p>
            <SelectField
              label="Match"
              name="occurrence"
              value={String(draft.occurrence)}
              choices={matches.map(({ page }, index) => [String(index + 1), `${index + 1}, on page ${page}`] as const)}
              onChoice={(occurrence) => change({ occurrence: Number(occurrence) })}
            />
            <SelectField
              label="Type"
              name="type"
              value={draft.type}
              choices={placeableFieldTypes.map((type) => [type, typeNames[type]] as const)}
              onChoice={(type: PlaceableFieldType) => change({ type, ...sizeFor(editor, match?.page ?? 1, type) })}
            />
            <fieldset class="place-inputs">
              <legend>Offset from the text</legend>
              {measures.map(([name, label, min]) => (
                <NumberInput
                  key={name}
                  label={label}
                  min={min}
                  value={percent(draft[name])}
                  onNumber={(value) => change({ [name]: value / 100 })}
                />
              ))}
            </fieldset>
            {area === null ? (
              <p class="error" role="alert">
                With this offset, the field is outside the page.
              </p>
            ) : (
              <button type="button" class="button primary" onClick={put}>
                Place field
              </button>
            )}
          </>
        )}
      </Form>
    </section>
  );
}
