import { useSignal } from "@preact/signals";
import { isHidden } from "../../host-options.ts";
import { locale, words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { refresh, runAction } from "../actions.ts";
import { call } from "../api.ts";
import { flush, saving } from "../autosave.ts";
import { firstPageSeen, isReviewing, note, opened, revision, stage, steps } from "../ceremony.ts";
import { confirming } from "../confirming.ts";
import { downloadDocument } from "../papers.ts";
import { Heading } from "./heading.tsx";

/** What approvers and viewers decide, and what they see afterwards. */
export function RecipientTask() {
  switch (stage.value) {
    case "approved":
      return <Done title={lazyWords.value.approvedTitle} />;
    case "confirmed":
      return <Done title={lazyWords.value.confirmedTitle} />;
    default:
      return opened.value?.recipient?.kind === "viewer" ? <Confirming /> : <Approving />;
  }
}

/** The sender's message, and that the document has changed since it was read. */
export function Notes() {
  const { message = null, sender = "" } = opened.value?.envelope ?? {};
  return (
    <>
      {note.value === "stale" && (
        <p class="notice" role="status">
          {lazyWords.value.changedSince}
        </p>
      )}
      {message !== null && (
        <div>
          <p class="small quiet">{lazyWords.value.senderWrote(sender)}</p>
          <blockquote class="message">{message}</blockquote>
        </div>
      )}
    </>
  );
}

/** Approves or confirms the document as it is shown. If it has changed since, the page reads it again and says so. */
const act = (path: "POST /approve" | "POST /confirm", more: object = {}): Promise<boolean> =>
  runAction(async () => {
    const state_sha256 = opened.peek()?.document?.state_sha256 ?? "";
    await call(path, { body: { state_sha256, ...more } });
    note.value = null;
    await refresh();
  });

const approve = async (): Promise<boolean> => {
  if (!(await runAction(flush))) return false;
  return act("POST /approve", {
    revision: revision.peek(),
    locale: locale.peek(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
};

function Approving() {
  const isBusy = useSignal(false);
  const sender = opened.value?.envelope.sender ?? "";
  const decide = async () => {
    isBusy.value = true;
    await approve();
    isBusy.value = false;
  };
  return (
    <>
      <div class="stack tight">
        <Heading>{lazyWords.value.approveTitle}</Heading>
        <p>{lazyWords.value.approveLead(sender)}</p>
      </div>
      <Notes />
      <div class="buttons spread">
        {steps.value.length > 0 && (
          <button type="button" class="button" disabled={isBusy.value} onClick={() => (isReviewing.value = false)}>
            {words.value.back}
          </button>
        )}
        {!isHidden("decline") && (
          <button
            type="button"
            class="button danger"
            disabled={isBusy.value || WIDGET === "preview"}
            onClick={() => (confirming.value = "decline")}
          >
            {lazyWords.value.rejectDo}
          </button>
        )}
        <button
          type="button"
          class="button primary"
          disabled={WIDGET === "preview" || isBusy.value || saving.value !== "saved"}
          onClick={() => void decide()}
        >
          {lazyWords.value.approveDo}
        </button>
      </div>
    </>
  );
}

function Confirming() {
  const isBusy = useSignal(false);
  const sender = opened.value?.envelope.sender ?? "";
  const decide = async () => {
    isBusy.value = true;
    await act("POST /confirm");
    isBusy.value = false;
  };
  return (
    <>
      <div class="stack tight">
        <Heading>{lazyWords.value.confirmTitle}</Heading>
        <p>{lazyWords.value.confirmLead(sender)}</p>
      </div>
      <Notes />
      <button type="button" class="button primary wide" disabled={isBusy.value || !firstPageSeen.value} onClick={() => void decide()}>
        {lazyWords.value.confirmDo}
      </button>
    </>
  );
}

function Done({ title }: { readonly title: string }) {
  const now = opened.value;
  if (now === null) return null;
  const isAll = now.envelope.status === "completed" || now.envelope.status === "vaulted";
  return (
    <>
      <div class="stack tight">
        <Heading>{title}</Heading>
        <p>{isAll ? lazyWords.value.doneAll : lazyWords.value.othersOpen}</p>
        <p class="quiet small">
          {lazyWords.value.doneReference}: <code>{now.envelope.envelope_id}</code>
        </p>
      </div>
      <Copy isAll={isAll} />
    </>
  );
}

/** The document as it is now; for a finished one, once it is sealed. */
export function Copy({ isAll }: { readonly isAll: boolean }) {
  const isBusy = useSignal(false);
  if (isHidden("download")) return null;
  if (isAll && opened.value?.copy.ready !== true) {
    return (
      <p class="notice" role="status">
        {lazyWords.value.copyLater}
      </p>
    );
  }
  const download = async () => {
    isBusy.value = true;
    await downloadDocument();
    isBusy.value = false;
  };
  return (
    <button type="button" class={isAll ? "button primary wide" : "button wide"} disabled={isBusy.value} onClick={() => void download()}>
      {isAll ? lazyWords.value.download : lazyWords.value.downloadSoFar}
    </button>
  );
}
