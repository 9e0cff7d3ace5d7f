import { useId } from "preact/hooks";
import type { AttestedSource } from "./api.ts";
import type { StepProps } from "./deposit-form.ts";
import { InstrumentFields } from "./instrument-fields.tsx";

const kinds: Record<AttestedSource, readonly [words: string, hint: string]> = {
  paper_upload: ["On paper, in ink", "The file is a scan or a photo. You state what happened to the paper."],
  electronic_signed: [
    "Electronically, with another service",
    "The file is the signed document from that service. You can attach its signing record.",
  ],
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
        <legend class="hidden-visually">How was it signed?</legend>
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
          Continue
        </button>
      </div>
    </form>
  );
}
