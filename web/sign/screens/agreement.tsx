import { useSignal } from "@preact/signals";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { refresh, runAction } from "../actions.ts";
import { call } from "../api.ts";
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
        <Heading>{lazyWords.value.agreementTitle}</Heading>
        <p>{lazyWords.value.agreementLead}</p>
      </div>
      <Published text={agreement.text} label={lazyWords.value.agreementTitle} />
      <TickFoot
        box={lazyWords.value.agreementBox}
        isTicked={isTicked}
        isBusy={isBusy.value}
        error={wasPressed.value && !isTicked.value ? words.value.consentTick : ""}
      />
    </form>
  );
}

/** A maker of a transferable record agrees that the document is one. */
async function agreeAsMaker(): Promise<boolean> {
  const text = opened.value?.agreement?.text;
  if (text === undefined) return false;
  return runAction(async () => {
    await call("POST /agreement", { body: { agreement_version: text.version, agreement_sha256: text.sha256 } });
    await refresh();
  });
}
