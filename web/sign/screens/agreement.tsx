import { useSignal } from "@preact/signals";
import { words } from "../../i18n/i18n.ts";
import { agreeAsMaker } from "../actions.ts";
import { opened } from "../ceremony.ts";
import { Heading } from "./heading.tsx";
import { Published } from "./published.tsx";
import { TickFoot } from "./tick-foot.tsx";

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
      <TickFoot
        box={words.value.agreementBox}
        isTicked={isTicked}
        isBusy={isBusy.value}
        error={wasPressed.value && !isTicked.value ? words.value.consentTick : ""}
      />
    </form>
  );
}
