import type { SigningArea } from "@countersign/client/pages";
import { words } from "../../i18n/i18n.ts";
import type { Placed } from "../../pages/page-text.tsx";
import { asText } from "../../pages/reading.ts";
import type { PageSize } from "../../pages/viewer.tsx";
import { inPlace } from "../../ui/screen-size.ts";
import {
  type AnyMark,
  controlOf,
  current,
  drawnValue,
  type Entry,
  faultOf,
  isFilled,
  isMark,
  isNeeded,
  marks,
  steps,
} from "../ceremony.ts";
import { Choice, Control, isSpread } from "../control.tsx";
import { press } from "../press.ts";
import { MarkView } from "../signature/mark-view.tsx";
import { controlId, goTo, placeId } from "../steps.ts";
import { shown } from "./others.tsx";
import { holdsLines, placed } from "./place.ts";
import { Drawn } from "./written.tsx";

/** The fields of the signer, over the page. */
export function Fields({ page, isHere }: { page: PageSize; isHere: (area: Placed) => boolean }) {
  return (
    <>
      {steps.value.flatMap((entry) =>
        entry.field.areas.map(
          (area, index) =>
            area.page === page.n &&
            isHere(area) && <FieldAt key={`${entry.field.field_id} ${index}`} entry={entry} area={area} index={index} page={page} />,
        ),
      )}
    </>
  );
}

interface FieldAtProps {
  readonly entry: Entry;
  readonly area: SigningArea;
  readonly index: number;
  readonly page: PageSize;
}

function FieldAt({ entry, area, index, page }: FieldAtProps) {
  const { field } = entry;
  const isCurrent = current.value === entry;
  const look = [
    "field",
    isCurrent && "current",
    faultOf(entry) === null && isFilled(entry) && "done",
    entry.error.value !== null && "wrong",
    !isNeeded(entry) && "optional",
  ];
  return (
    <div
      class={look.filter(Boolean).join(" ")}
      id={index === 0 ? placeId(entry) : undefined}
      data-name={field.name}
      style={placed(area, page)}
      onFocusCapture={() => (current.value = entry)}
    >
      <Inside entry={entry} area={area} index={index} page={page} />
      {!isFilled(entry) && hasRoomForWord(field, area, page) && (
        <span class="need" aria-hidden="true">
          {isNeeded(entry) ? words.value.required : words.value.optional}
        </span>
      )}
    </div>
  );
}

// In points, as wide as the longest of the words.
const WORD_PT = 110;

/** Dates and lists have a symbol of their own at that place, and a place to sign has other words in its middle. */
function hasRoomForWord(field: Entry["field"], area: SigningArea, page: PageSize): boolean {
  const isTaken = inPlace.value && ["date", "select"].includes(controlOf(field.type));
  return !isTaken && area.w * page.w >= WORD_PT * (isMark(field) ? 3 : 1) && area.h * page.h >= 14;
}

/** One input per field, at its first area. The other areas repeat its value. */
function Inside({ entry, area, index, page }: FieldAtProps) {
  const { field } = entry;
  const { name, options } = field;
  if (isMark(field)) return <MarkButton entry={entry} index={index} page={page.n} />;
  const written = { ...field, value: drawnValue(entry) };
  const drawn = !asText.value && <Drawn field={written} index={index} page={page} />;
  if (inPlace.value && isSpread(field))
    return (
      <>
        {drawn}
        <Choice entry={entry} option={options?.[index] ?? ""} class="on-page" />
      </>
    );
  if (index > 0) return drawn || <span class="repeated">{shown(written, index)}</span>;
  const label = `${name}, ${field.required ? words.value.required : words.value.optional}, ${words.value.onPage(page.n)}`;
  if (inPlace.value && controlOf(field.type) !== "radio")
    return (
      <>
        {drawn}
        <Control entry={entry} tall={holdsLines(area, page)} class="on-page" label={label} />
      </>
    );
  const text = shown(written, index);
  const named = words.value.editField(name, page.n);
  return (
    <button type="button" class="on-page" aria-label={text === "" ? named : `${named}: ${text}`} onClick={() => goTo(entry)}>
      {drawn || text}
    </button>
  );
}

/** Includes the visible text, so that voice control can find the button. */
const signedLabel = (name: string, mark: AnyMark): string =>
  `${words.value.signedHere}: ${mark.kind === "typed" ? `${name}, ${mark.text}` : name}`;

function MarkButton({ entry, index, page }: { entry: Entry; index: number; page: number }) {
  const { field, value } = entry;
  const mark = field.type === "signature" ? marks.signature.value : marks.initials.value;
  const isSignature = field.type === "signature";
  const invitation = isSignature ? words.value.signField(field.name, page) : words.value.initialField(field.name, page);
  const isApplied = value.value === true && mark !== null;
  return (
    <button
      type="button"
      class="on-page press-here"
      id={index === 0 ? controlId(entry) : undefined}
      aria-label={isApplied ? signedLabel(field.name, mark) : invitation}
      aria-pressed={isApplied}
      onClick={() => press(entry)}
    >
      {isApplied ? (
        // The label of the button says more.
        <span aria-hidden="true">
          <MarkView mark={mark} label="" />
        </span>
      ) : (
        <span aria-hidden="true">{isSignature ? words.value.signHere : words.value.initialHere}</span>
      )}
    </button>
  );
}
