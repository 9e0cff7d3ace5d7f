import { useSignal, useSignalEffect } from "@preact/signals";
import { words } from "../i18n/i18n.ts";
import { saving } from "./autosave.ts";
import { current, faultOf, progress, stage } from "./ceremony.ts";
import { errorSentence } from "./control.tsx";

/** Announces progress, saving and errors to screen readers. */
export function Announcements() {
  const text = useSignal("");
  useSignalEffect(() => {
    if (stage.value !== "fields") {
      text.value = "";
      return;
    }
    const at = current.value;
    const code = at === null || at.error.value === null ? null : faultOf(at);
    const state =
      WIDGET === "preview" ? "" : saving.value === "saved" ? words.value.saved : saving.value === "waiting" ? words.value.notSaved : "";
    const { done, total } = progress.value;
    text.value = [
      at !== null && code !== null ? `${at.field.name}: ${errorSentence(at, code)}` : "",
      state,
      words.value.fieldsProgress(done, total),
    ]
      .join(" ")
      .trim();
  });
  return (
    <p class="hidden-visually" role="status">
      {text.value}
    </p>
  );
}
