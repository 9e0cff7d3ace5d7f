import { useSignal, useSignalEffect } from "@preact/signals";
import { dateAndTime, words } from "../../i18n/i18n.ts";
import { isWide } from "../../ui/screen-size.ts";
import { agree } from "../actions.ts";
import { firstPageSeen, note, opened } from "../ceremony.ts";
import { Who } from "../who.tsx";
import { Heading } from "./heading.tsx";
import { Published } from "./published.tsx";
import { TickFoot } from "./tick-foot.tsx";

/** The full disclosure, an unticked checkbox and the Continue button. The document is visible next to it. */
export function ConsentTask() {
  const isTicked = useSignal(false);
  const isBusy = useSignal(false);
  const wasPressed = useSignal(false);
  // On a slow connection the signer may agree before page 1 is displayed. The consent is then sent once it is.
  useSignalEffect(() => {
    if (isBusy.value && firstPageSeen.value) void agree().finally(() => (isBusy.value = false));
  });
  const now = opened.value;
  if (now?.consent == null) return null;
  const { envelope, consent } = now;
  const isUnticked = wasPressed.value && !isTicked.value;
  const submit = (event: Event) => {
    event.preventDefault();
    wasPressed.value = true;
    isBusy.value = isTicked.value;
  };
  return (
    <form class="stack" onSubmit={submit}>
      {!isWide.value && <Who class="card" />}
      <div class="stack tight">
        <Heading>{words.value.consentTitle}</Heading>
        <p>{words.value.consentLead(envelope.sender)}</p>
        {envelope.expires_at !== null && <p class="quiet small">{words.value.expiresOn(dateAndTime(envelope.expires_at))}</p>}
      </div>
      {note.value === "withdrawn" && (
        <p class="notice" role="status">
          {words.value.withdrawn}
        </p>
      )}
      {envelope.message !== null && <blockquote class="message">{envelope.message}</blockquote>}
      <Published text={consent.disclosure} label={words.value.consentDisclosure} />
      <TickFoot
        box={words.value.consentBox}
        isTicked={isTicked}
        isBusy={isBusy.value}
        error={isUnticked ? words.value.consentTick : isBusy.value && !firstPageSeen.value ? words.value.consentWait : ""}
      />
    </form>
  );
}
