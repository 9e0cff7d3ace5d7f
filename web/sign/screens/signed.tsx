import { useSignal } from "@preact/signals";
import { passes } from "../../http.ts";
import { dateAndTime, utcTime, words } from "../../i18n/i18n.ts";
import { opened } from "../ceremony.ts";
import { settle } from "../conduct.ts";
import { tellTrouble } from "../refused.ts";
import { callFor } from "../session.ts";
import { copyIsLate } from "../watch.ts";
import { Heading } from "./heading.tsx";

export function SignedTask() {
  const now = opened.value;
  const isBusy = useSignal(false);
  if (now === null) return null;
  const { signed, total } = now.signers;
  const isAll = signed === total;
  const download = async () => {
    isBusy.value = true;
    try {
      save(await callFor("/document"), `${now.envelope.name.replace(/[\\/:*?"<>|\p{Cc}]/gu, " ").trim() || "document"}.pdf`);
    } catch (error) {
      if (passes(error)) tellTrouble(error);
      else await settle(error);
    }
    isBusy.value = false;
  };
  return (
    <>
      <div class="stack tight">
        <Heading>{words.value.doneTitle}</Heading>
        {now.you.signed_at !== null && (
          <p>
            {words.value.doneAt(dateAndTime(now.you.signed_at))} <span class="quiet small">({utcTime(now.you.signed_at)})</span>
          </p>
        )}
        <p>{isAll ? words.value.doneAll : `${words.value.doneCount(signed, total)} ${words.value.doneWaiting}`}</p>
        <p class="quiet small">
          {words.value.doneReference}: <code>{now.envelope.envelope_id}</code>
        </p>
      </div>
      {isAll && !now.copy.ready ? (
        <p class="notice" role="status">
          {copyIsLate.value ? words.value.copyMuchLater : words.value.copyLater}
        </p>
      ) : (
        <button type="button" class={isAll ? "button primary wide" : "button wide"} disabled={isBusy.value} onClick={() => void download()}>
          {isAll ? words.value.download : words.value.downloadSoFar}
        </button>
      )}
      <p class="quiet small">{words.value.closePage}</p>
    </>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has begun to read it by the next turn of a minute's clock.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
