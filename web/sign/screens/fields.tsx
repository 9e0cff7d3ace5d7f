import type { SigningField } from "@countersign/client/pages";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { inPlace, isWide } from "../../ui/screen-size.ts";
import { saving, setValue } from "../autosave.ts";
import {
  controlOf,
  current,
  type Entry,
  isFilled,
  isMark,
  isNeeded,
  isWrong,
  marks,
  missing,
  opened,
  progress,
  steps,
} from "../ceremony.ts";
import { Choice, Control, choiceId, FieldError, isSpread, localDate } from "../control.tsx";
import { holdsLines } from "../layer/place.ts";
import { adopting, applyToOthers, otherPlaces, press, removeMark } from "../press.ts";
import { controlId, goBack, goNext, goTo, openReview } from "../steps.ts";
import { Heading } from "./heading.tsx";
import { NotSignedNotice } from "./not-signed-notice.tsx";

/** The current field, the progress and the list of steps. */
export function FieldsTask() {
  const { done, total } = progress.value;
  const at = current.value;
  const isComplete = missing.value.length === 0;
  const isLast = at !== null && steps.value.at(-1) === at;
  // A reader who comes back starts at the value that cannot be signed.
  useEffect(() => {
    const wrong = steps.value.find(isWrong);
    if (current.value === null && wrong !== undefined) goTo(wrong);
  }, []);
  return (
    <>
      <div class="stack tight">
        <div class="task-head">
          {/* Approvers have fields, and sign nothing. */}
          <Heading>{opened.value?.consent ? words.value.fieldsTitle : words.value.yourFields}</Heading>
          <span class="quiet small number">{words.value.fieldsOf(done, total)}</span>
        </div>
        <progress value={done} max={Math.max(total, 1)} aria-label={words.value.fieldsProgress(done, total)} />
      </div>
      <NotSignedNotice />
      <ApplyOffer />
      <div class={at === null ? "stack tight" : "current-card stack tight"}>
        {at !== null && <CurrentField key={at.field.field_id} entry={at} />}
        <div class="buttons spread">
          {at !== null && steps.value[0] !== at && (
            <button type="button" class="button" onClick={goBack}>
              {words.value.back}
            </button>
          )}
          {isComplete && (at === null || isLast || isWide.value) ? (
            <button type="button" class="button primary" onClick={() => void openReview()}>
              {words.value.review}
            </button>
          ) : (
            <button type="button" class="button primary" onClick={() => void goNext()}>
              {words.value.next}
            </button>
          )}
        </div>
      </div>
      {isWide.value && <StepList />}
      {WIDGET !== "preview" && (
        <p class="quiet small saving">
          {saving.value === "saved" ? words.value.saved : saving.value === "saving" ? words.value.saving : words.value.notSaved}
        </p>
      )}
    </>
  );
}

/** Right after the first signature or initials: the other places that need the same. */
function ApplyOffer() {
  return (
    <>
      {(["signature", "initials"] as const).map((type) => {
        const count = otherPlaces(type).length;
        return (
          count > 0 && (
            <button key={type} type="button" class="button wide apply" onClick={() => applyToOthers(type)}>
              <span class="quiet">{words.value.adoptTitle[type]}:</span> {words.value.applyToOthers(count)}
            </button>
          )
        );
      })}
    </>
  );
}

function CurrentField({ entry }: { entry: Entry }) {
  const { field } = entry;
  const page = field.areas[0]?.page ?? 1;
  return (
    <div class="current-field">
      <p class="quiet small">
        {words.value.step(steps.value.indexOf(entry) + 1, steps.value.length)} · {placeOf(page)}
      </p>
      {isMark(field) ? <MarkTask entry={entry} /> : <ValueTask entry={entry} />}
      <FieldError entry={entry} />
    </div>
  );
}

/** "Page 3 of 60", as the page itself is called. */
const placeOf = (page: number): string => words.value.page(page, opened.value?.document?.page_count ?? 1);

const Name = ({ entry: { field } }: { entry: Entry }) => (
  <>
    {field.name} {!field.settings.group && <span class="note">({field.required ? words.value.required : words.value.optional})</span>}
  </>
);

/** The input of the current field. On a large screen inputs are on the page, except radio groups with a single area. */
function ValueTask({ entry }: { entry: Entry }) {
  const { field } = entry;
  const control = controlOf(field.type);
  const today = control === "date" && (
    <button type="button" class="button" onClick={() => setValue(entry, localDate(), { now: true })}>
      {words.value.today}
    </button>
  );
  if (inPlace.value && (control !== "radio" || isSpread(field))) {
    return (
      <>
        <p class="label">
          <Name entry={entry} />
        </p>
        {today}
      </>
    );
  }
  if (control === "radio") {
    return (
      <fieldset class="choices">
        <legend class="label">
          <Name entry={entry} />
        </legend>
        {field.options?.map((option) => (
          <label key={option} class="tick" for={choiceId(entry, option)}>
            <Choice entry={entry} option={option} class="" />
            {option}
          </label>
        ))}
      </fieldset>
    );
  }
  if (control === "checkbox") {
    return (
      <label class="tick" for={controlId(entry)}>
        <Control entry={entry} tall={false} class="" />
        <span>
          <Name entry={entry} />
        </span>
      </label>
    );
  }
  return (
    <>
      <label class="label" for={controlId(entry)}>
        <Name entry={entry} />
      </label>
      <Control entry={entry} tall={hasLines(field)} class="input" />
      {today}
    </>
  );
}

/** As on the page: a field with room for several lines accepts several lines. */
function hasLines({ areas: [area] }: SigningField): boolean {
  const page = opened.value?.document?.pages.find(({ n }) => n === area?.page);
  return area !== undefined && page !== undefined && holdsLines(area, page);
}

function MarkTask({ entry }: { entry: Entry }) {
  const { field, value } = entry;
  if (!isMark(field)) return null;
  const isSignature = field.type === "signature";
  return (
    <>
      <p class="label">
        <Name entry={entry} />
      </p>
      <div class="buttons">
        {value.value === true ? (
          <button type="button" class="button" onClick={() => removeMark(entry)}>
            {words.value.remove}
          </button>
        ) : (
          <button type="button" class="button primary" onClick={() => press(entry)}>
            {isSignature ? words.value.signHere : words.value.initialHere}
          </button>
        )}
        {marks[field.type].value !== null && (
          <button
            type="button"
            class="button"
            onClick={() => (adopting.value = { type: field.type, at: value.value === true ? entry : null })}
          >
            {isSignature ? words.value.changeSignature : words.value.changeInitials}
          </button>
        )}
      </div>
    </>
  );
}

function StepList() {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [current.value]);
  return (
    <ol class="step-list" ref={list}>
      {steps.value.map((entry) => (
        <li key={entry.field.field_id}>
          <StepOf entry={entry} />
        </li>
      ))}
    </ol>
  );
}

/** It reads as "Initials, Page 3 of 60, required". */
function StepOf({ entry }: { entry: Entry }) {
  const state = isWrong(entry) ? "wrong" : isFilled(entry) ? "done" : isNeeded(entry) ? "required" : "optional";
  const said = {
    wrong: words.value.mustChange,
    done: words.value.filledIn,
    required: words.value.required,
    optional: words.value.optional,
  };
  return (
    <button type="button" class={`step ${state}`} aria-current={current.value === entry ? "step" : undefined} onClick={() => goTo(entry)}>
      <span class="step-mark" aria-hidden="true" />
      <span class="step-name">
        <span class="strong">{entry.field.name}</span>
        <span class="quiet small">{placeOf(entry.field.areas[0]?.page ?? 1)}</span>
      </span>
      <span class="small step-state">{said[state]}</span>
    </button>
  );
}
