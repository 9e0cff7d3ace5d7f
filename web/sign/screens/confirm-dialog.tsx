import { useSignal } from "@preact/signals";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { opened } from "../ceremony.ts";
import { type ConfirmedAction, confirming } from "../confirming.ts";
import { decline, withdraw } from "../leave-ceremony.ts";
import { signOnPaper } from "../papers.ts";

// The limit of the service.
const MAX_REASON_CHARACTERS = 500;

/** Confirms declining, withdrawing consent and signing on paper. */
export function ConfirmDialog() {
  const reason = useSignal("");
  const isBusy = useSignal(false);
  const what = confirming.value;
  if (what === null) return null;
  const { title, lead, confirm } = wordsFor(what);
  const close = () => {
    confirming.value = null;
    reason.value = "";
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    const isDone = await doIt(what, reason.value);
    isBusy.value = false;
    // After an error that changed the page, the dialog closes. It stays open only if the action can be retried.
    if (isDone || opened.value?.state !== "ready") close();
  };
  return (
    <Dialog title={title} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <p>{lead}</p>
        {what === "decline" && (
          <div>
            <label class="label" for="reason">
              {lazyWords.value.declineReason} <span class="note">({isApprover() ? words.value.required : words.value.optional})</span>
            </label>
            <textarea
              id="reason"
              class="input"
              rows={3}
              required={isApprover()}
              maxLength={MAX_REASON_CHARACTERS}
              value={reason.value}
              onInput={(event) => (reason.value = event.currentTarget.value)}
            />
          </div>
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {lazyWords.value.cancel}
          </button>
          <button type="submit" class={what === "paper" ? "button primary" : "button danger"} disabled={isBusy.value}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** An approver rejects the document, and says why. */
const isApprover = (): boolean => opened.value?.recipient?.kind === "approver";

function wordsFor(what: ConfirmedAction): { readonly title: string; readonly lead: string; readonly confirm: string } {
  const t = lazyWords.value;
  const sender = opened.value?.envelope.sender ?? "";
  switch (what) {
    case "decline":
      if (isApprover()) return { title: t.rejectTitle, lead: t.rejectLead(sender), confirm: t.rejectDo };
      return { title: t.declineTitle, lead: t.declineLead(sender), confirm: t.declineDo };
    case "withdraw":
      return { title: t.withdrawTitle, lead: t.withdrawLead, confirm: t.withdrawDo };
    case "paper":
      return { title: t.paperTitle, lead: t.paperLead(sender), confirm: t.paperDo };
  }
}

function doIt(what: ConfirmedAction, reason: string): Promise<boolean> {
  switch (what) {
    case "decline":
      return decline(reason);
    case "withdraw":
      return withdraw();
    case "paper":
      return signOnPaper();
  }
}
