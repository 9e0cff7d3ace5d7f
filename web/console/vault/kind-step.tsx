import { useId } from "preact/hooks";
import { en } from "../words/deposit/en.ts";
import type { AttestedSource } from "./api.ts";
import type { StepProps } from "./deposit-form.ts";
import { InstrumentFields } from "./instrument-fields.tsx";

const w = en.kindStep;

const kinds: Record<AttestedSource, readonly [words: string, hint: string]> = {
  paper_upload: [w.onPaperIn, w.theFileIs],
  electronic_signed: [w.electronicallyWithAnother, w.theFileIsThe],
};

/** The kind decides which questions are asked and what the checks require. */
export function KindStep({ form, put, sending, onNext }: StepProps & { onNext: () => void }) {
  const group = useId();
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <fieldset class="stack tight">
        <legend class="hidden-visually">{w.howWasIt}</legend>
        {(Object.entries(kinds) as [AttestedSource, (typeof kinds)[AttestedSource]][]).map(([code, [words, hint]]) => (
          <label key={code} class="kind">
            <input type="radio" name={group} checked={form.source === code} onChange={() => put({ source: code })} />
            <span>
              <strong>{words}</strong>
              <span class="hint">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <InstrumentFields value={form.declared} onChange={(declared) => put({ declared })} sending={sending} />
      <div class="buttons">
        <button type="submit" class="button primary">
          {w.continue}
        </button>
      </div>
    </form>
  );
}
