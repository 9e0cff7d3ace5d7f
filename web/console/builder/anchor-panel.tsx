import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/anchor/en.ts";
import { anchoredArea, anchorRequestOf, besideMatch, type Draft, draftFor, type Side, sidesWithRoom } from "./anchor-draft.ts";
import { percent } from "./announcements.ts";
import { findAnchor } from "./api.ts";
import { addAndFocus, type Editor, sizeFor } from "./editor.ts";
import { placeField } from "./edits.ts";
import { nextName, typeNames } from "./field.ts";
import type { Area } from "./geometry.ts";
import { NumberInput } from "./number-input.tsx";
import { partAt } from "./parts.ts";
import { pageInView } from "./sheets.ts";

const measures = [
  ["offset_x", words.measures.offset_x, -100],
  ["offset_y", words.measures.offset_y, -100],
  ["w", words.measures.w, 0.8],
  ["h", words.measures.h, 0.8],
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
  const change = (changes: Partial<Draft>, among = matches) =>
    setDraft((now) => {
      const next = { ...now, ...changes };
      return besideMatch(next, among[next.occurrence - 1]);
    });
  const changeText = (anchor_text: string) => {
    setMatches([]);
    change({ anchor_text, occurrence: 1 }, []);
  };
  const find = async () => {
    setMatches([]);
    const name = nextName(editor.doc.peek().fields, draft.type);
    const field = { name, type: draft.type, role: editor.role.peek(), placement: anchorRequestOf({ ...draft, occurrence: 1 }) };
    const found = await findAnchor(editor.of, field, editor.parts, partAt(editor.parts, pageInView(editor)));
    setMatches(found);
    change({ occurrence: 1, side: draft.side ?? "right" }, found);
    editor.announcement.value = words.foundCount(found.length);
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
      aria-label={words.title}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Form sending={sending} onSend={find}>
        <div class="panel-head">
          <h2>{words.title}</h2>
          <button type="button" class="text-button" onClick={onClose}>
            {words.close}
          </button>
        </div>
        <TextField
          label={words.text}
          name="fields[0].placement.anchor_text"
          value={draft.anchor_text}
          onText={changeText}
          hint={editor.pages.some(({ has_text }) => has_text) ? words.textHint : words.onlyImages}
          sending={sending}
          maxLength={500}
          autoComplete="off"
        />
        <SubmitButton sending={sending} kind={matches.length === 0 ? "primary" : "plain"}>
          {words.find}
        </SubmitButton>
        {matches.length > 0 && (
          <>
            <p role="status">{words.found(matches.length)}</p>
            <SelectField
              label={words.match}
              name="occurrence"
              value={String(draft.occurrence)}
              choices={matches.map(({ page }, index) => [String(index + 1), words.matchOn(index + 1, page)] as const)}
              onChoice={(occurrence) => change({ occurrence: Number(occurrence) })}
            />
            <SelectField
              label={words.type}
              name="type"
              value={draft.type}
              choices={placeableFieldTypes.map((type) => [type, typeNames[type]] as const)}
              onChoice={(type: PlaceableFieldType) => change({ type, ...sizeFor(editor, match?.page ?? 1, type) })}
            />
            {match !== undefined && (
              <SelectField
                label={words.side}
                name="side"
                value={draft.side ?? ""}
                choices={[
                  ...sidesWithRoom(match, draft).map((side) => [side, words.sides[side]] as const),
                  ...(draft.side === null ? [["", words.ownOffset] as const] : []),
                ]}
                onChoice={(side: Side | "") => change({ side: side === "" ? null : side })}
              />
            )}
            <fieldset class="place-inputs">
              <legend>{words.offset}</legend>
              {measures.map(([name, label, min]) => (
                <NumberInput
                  key={name}
                  label={label}
                  min={min}
                  value={percent(draft[name])}
                  onNumber={(value) => change({ [name]: value / 100, ...(name.startsWith("offset") && { side: null }) })}
                />
              ))}
            </fieldset>
            {area === null ? (
              <p class="error" role="alert">
                {words.outside}
              </p>
            ) : (
              <button type="button" class="button primary" onClick={put}>
                {words.place}
              </button>
            )}
          </>
        )}
      </Form>
    </section>
  );
}
