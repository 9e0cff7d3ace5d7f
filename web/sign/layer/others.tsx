import type { SigningArea, SigningField, SigningFieldOfOthers } from "@countersign/client/pages";
import { printed } from "@countersign/fields/print";
import { words } from "../../i18n/i18n.ts";
import type { Placed } from "../../pages/page-text.tsx";
import { asText } from "../../pages/reading.ts";
import type { PageSize } from "../../pages/viewer.tsx";
import { type AnyMark, controlOf, drawnValue, isMark, marks, opened, printLanguage, stage, steps, type Value } from "../ceremony.ts";
import { localDate } from "../control.tsx";
import { MarkView } from "../signature/mark-view.tsx";
import { placed } from "./place.ts";
import { Drawn } from "./written.tsx";

/** Values that are already in the document: from other signers or from the sender. */
export function Others({ page, isHere }: { page: PageSize; isHere: (area: Placed) => boolean }) {
  const now = opened.value;
  const locked = (now?.fields ?? []).filter(({ readonly }) => readonly).map(withDay);
  // In the review and the decision, until the image of the page has the values. The text view and previews have no such images.
  const entered = stage.value === "review" || stage.value === "recipient" ? steps.value : [];
  return (
    <>
      {(now?.others ?? []).map((other, index) => (
        <PlacedValue key={index} field={other} page={page} isHere={isHere} />
      ))}
      {locked.map((field) => (
        <PlacedValue
          key={field.field_id}
          field={{ ...field, label: field.name, mark_sha256: null, name: null }}
          page={page}
          isHere={isHere}
        />
      ))}
      {entered.map((entry) => {
        const { field, value } = entry;
        return (
          <PlacedValue
            key={field.field_id}
            field={{ ...field, label: field.name, value: drawnValue(entry), mark_sha256: null, name: now?.you.name ?? null }}
            mark={isMark(field) && value.value === true ? marks[field.type].value : null}
            page={page}
            isHere={isHere}
          />
        );
      })}
    </>
  );
}

/** The day of signing, as it would be written now. The service fills it in when the signature arrives. */
const withDay = (field: SigningField): SigningField =>
  field.settings.fill === undefined ? field : { ...field, value: printed("date", localDate(), printLanguage.value) };

interface PlacedValueProps {
  readonly field: SigningFieldOfOthers;
  /** without it, the mark is looked up by its hash */
  readonly mark?: AnyMark | null;
  readonly page: PageSize;
  readonly isHere: (area: Placed) => boolean;
}

function PlacedValue({ field, page, isHere, mark: given = null }: PlacedValueProps) {
  const { areas, mark_sha256, name } = field;
  const mark = given ?? opened.value?.marks?.find(({ sha256 }) => sha256 === mark_sha256)?.mark ?? null;
  return (
    <>
      {areas.map(
        (area, index) =>
          area.page === page.n &&
          isHere(area) && (
            <div key={index} class="standing" style={placed(area, page)}>
              <span class={asText.value ? "label" : "hidden-visually"}>{field.label}: </span>
              {mark === null ? (
                <ValueOf field={field} index={index} page={page} />
              ) : (
                <MarkView mark={mark} label={words.value.markAlt(name ?? "")} />
              )}
            </div>
          ),
      )}
    </>
  );
}

/** The drawing is for the eye; the text is for screen readers and the text view. */
function ValueOf({ field, index, page }: { field: SigningFieldOfOthers; index: number; page: PageSize }) {
  return (
    <>
      <span class={asText.value ? undefined : "hidden-visually"}>{shown(field, index)}</span>
      {!asText.value && <Drawn field={field} index={index} page={page} />}
    </>
  );
}

/** The text of a value, for the text view and for labels. */
export function shown(
  { type, options, areas, value }: Pick<SigningField, "type" | "options"> & { areas: readonly SigningArea[]; value: Value },
  index: number,
): string {
  const control = controlOf(type);
  if (value === null || control === "mark") return "";
  if (control === "checkbox") return value === true ? "✓" : "";
  if (control === "radio" && options?.length === areas.length) return options[index] === value ? "●" : "";
  return String(value);
}
