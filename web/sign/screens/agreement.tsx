import { useSignal } from "@preact/signals";
import { words } from "../../i18n/i18n.ts";
import { agreeAsMaker } from "../actions.ts";
import { opened } from "../ceremony.ts";
import { Heading } from "./heading.tsx";
import { Published } from "./published.tsx";

/** For makers of a transferable record: the full text, an unticked checkbox and the Continue button. */
export function AgreementTask() {
  const isTicked = useSignal(false);
  const isBusy = useSignal(false);
  const wasPressed = useSignal(false);
  const agreement = opened.value?.agreement;
  if (agreement == null) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    wasPressed.value = true;
    if (!isTicked.value) return;
    isBusy.value = true;
    void agreeAsMaker().finally(() => (isBusy.value = false));
  };
  return (
    <form class="stack" onSubmit={submit}>
      <div class="stack tight">
        <Heading>{words.value.agreementTitle}</Heading>
        <p>{words.value.agreementLead}</p>
      </div>
      <Published text={agreement.text} label={words.value.agreementTitle} />
      <div class="stack tight foot">
        <label class="tick">
          <input
            type="checkbox"
            checked={isTicked.value}
            disabled={isBusy.value}
            onChange={(event) => (isTicked.value = event.currentTarget.checked)}
          />
          <span>{words.value.agreementBox}</span>
        </label>
        <p class="error" role="alert">
          {wasPressed.value && !isTicked.value ? words.value.consentTick : ""}
        </p>
        <button type="submit" class="button primary wide" disabled={isBusy.value}>
          {words.value.continue}
        </button>
      </div>
    </form>
  );
}
