import { words } from "../../i18n/i18n.ts";
import { isWide } from "../../ui/screen-size.ts";
import { saving } from "../autosave.ts";
import { controlOf, drawnValue, type Entry, hasSignature, isMark, isReviewing, marks, opened, steps } from "../ceremony.ts";
import { sending, sign } from "../send-signature.ts";
import { MarkView } from "../signature/mark-view.tsx";
import { goTo } from "../steps.ts";
import { Who } from "../who.tsx";
import { Heading } from "./heading.tsx";
import { NotSignedNotice } from "./not-signed-notice.tsx";

/** All entries, with the statement of intent directly above the Sign button. */
export function ReviewTask() {
  const intent = opened.value?.intent;
  if (intent == null) return null;
  const isBusy = sending.value !== null;
  return (
    <>
      {!isWide.value && <Who class="card" />}
      <div class="stack tight">
        <Heading>{words.value.reviewTitle}</Heading>
        <p class="quiet">{words.value.reviewLead}</p>
      </div>
      <NotSignedNotice />
      <dl class="review-list">
        {steps.value.map((entry) => (
          <div key={entry.field.field_id}>
            <dt>{entry.field.name}</dt>
            <dd>
              <Entered entry={entry} />
              <button
                type="button"
                class="button quiet"
                aria-label={words.value.reviewChange(entry.field.name)}
                disabled={isBusy}
                onClick={() => goTo(entry)}
              >
                {words.value.change}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <div class="stack tight foot">
        <p lang={intent.locale}>{intent.text.trim()}</p>
        <p class={sending.value === "again" ? "notice" : "hidden-visually"} role="status">
          {sending.value === null ? "" : words.value.sending[sending.value]}
        </p>
        <div class="buttons spread">
          <button type="button" class="button" disabled={isBusy} onClick={() => (isReviewing.value = false)}>
            {words.value.back}
          </button>
          <button
            type="button"
            class="button primary"
            disabled={WIDGET === "preview" || isBusy || !hasSignature.value || saving.value !== "saved"}
            onClick={() => void sign()}
          >
            {isBusy ? words.value.sending.first : words.value.sign}
          </button>
        </div>
      </div>
    </>
  );
}

function Entered({ entry }: { entry: Entry }) {
  const { field, value } = entry;
  const mark = isMark(field) ? marks[field.type].value : null;
  if (isMark(field) && value.value === true && mark !== null) {
    return (
      <span class="review-mark">
        <MarkView mark={mark} label={words.value.markAlt(opened.value?.you.name ?? "")} />
      </span>
    );
  }
  const control = controlOf(field.type);
  if (control === "checkbox") return <span>{value.value === true ? words.value.values.true : words.value.values.false}</span>;
  if (typeof value.value !== "string" || value.value === "") return <span class="quiet">{words.value.reviewEmpty}</span>;
  return <bdi>{drawnValue(entry)}</bdi>;
}
