import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isHidden } from "../../host-options.ts";
import { dateAndTime, words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { utcTime } from "../../i18n/utc-time.ts";
import { isFramed, slug } from "../../session.ts";
import { isTokenExpired } from "../../token-expiry.ts";
import { refresh, renewSession } from "../actions.ts";
import { opened } from "../ceremony.ts";
import { downloadCertificate, downloadDisclosure, downloadDocument } from "../papers.ts";
import { Heading } from "./heading.tsx";

const COPY_POLL_MS = 3_000;
const COPY_POLLS = 20;

export function SignedTask() {
  const now = opened.value;
  const isBusy = useSignal(false);
  const asked = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isBeingSealed() || isTokenExpired.value || asked.value >= COPY_POLLS) return;
      asked.value += 1;
      void refresh();
    }, COPY_POLL_MS);
    return () => clearInterval(timer);
  }, []);
  if (now === null) return null;
  const { signed, total } = now.signers;
  const isAll = isComplete();
  const isSigned = signed === total;
  const download = (keep: () => Promise<boolean>) => async () => {
    isBusy.value = true;
    if (isTokenExpired.value) await renewSession();
    await keep();
    isBusy.value = false;
  };
  return (
    <>
      <div class="stack tight">
        <Heading>{lazyWords.value.doneTitle}</Heading>
        {now.you.signed_at !== null && (
          <p>
            {lazyWords.value.doneAt(dateAndTime(now.you.signed_at))} <span class="quiet small">({utcTime(now.you.signed_at)})</span>
          </p>
        )}
        <p>
          {isAll
            ? lazyWords.value.doneAll
            : isSigned
              ? `${lazyWords.value.doneAll} ${lazyWords.value.othersOpen}`
              : `${lazyWords.value.doneCount(signed, total)} ${lazyWords.value.doneWaiting}`}
        </p>
        {now.envelope.success_text !== null && <p class="message">{now.envelope.success_text}</p>}
        <p class="quiet small">
          {lazyWords.value.doneReference}: <code>{now.envelope.envelope_id}</code>
        </p>
      </div>
      {isTokenExpired.value && slug === null ? (
        <p class="notice">{lazyWords.value.endedOpenAgain}</p>
      ) : isAll && !now.copy.ready ? (
        <p class="notice" role="status">
          {asked.value >= COPY_POLLS ? lazyWords.value.copyMuchLater : lazyWords.value.copyLater}
        </p>
      ) : isHidden("download") ? null : (
        <>
          <button
            type="button"
            class={isAll ? "button primary wide" : "button wide"}
            disabled={isBusy.value}
            onClick={download(downloadDocument)}
          >
            {isAll ? lazyWords.value.download : lazyWords.value.downloadSoFar}
          </button>
          {isAll && (
            <button type="button" class="button wide" disabled={isBusy.value} onClick={download(downloadCertificate)}>
              {lazyWords.value.downloadCertificate}
            </button>
          )}
          <button type="button" class="button quiet wide" disabled={isBusy.value} onClick={download(downloadDisclosure)}>
            {words.value.downloadConsent}
          </button>
        </>
      )}
      {!isFramed && <p class="quiet small">{lazyWords.value.closePage}</p>}
    </>
  );
}

/** Others may still have to approve or read it after the last signature. */
function isComplete(): boolean {
  const status = opened.value?.envelope.status;
  return status === "completed" || status === "vaulted";
}

const isBeingSealed = (): boolean => opened.value?.copy.ready === false && isComplete();
