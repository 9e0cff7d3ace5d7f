import { useSignal } from "@preact/signals";
import { expectOk } from "../../http.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { postToLink, slug } from "../../session.ts";
import { runAction } from "../actions.ts";
import { ending, opened, stage } from "../ceremony.ts";
import { Heading } from "./heading.tsx";

/** Screens that explain why the document cannot be signed now, and whom to ask. */
export function StateTask() {
  const message = sentences();
  if (message === null) return null;
  const { reference, said } = ending.value ?? {};
  return (
    <div class="stack tight">
      <Heading>{message.title}</Heading>
      <p>{message.lead}</p>
      {said != null && said !== "" && (
        <div>
          <p class="quiet small">{lazyWords.value.senderSaid(opened.value?.envelope.sender ?? "")}</p>
          <blockquote class="message">{said}</blockquote>
        </div>
      )}
      {message.offersLink === true && <NewLink />}
      {reference !== undefined && reference !== "" && <p class="quiet small">{lazyWords.value.reference(reference)}</p>}
    </div>
  );
}

/** Sends a new link to the stored address, so that a person who only has the old link learns nothing. */
function NewLink() {
  const state = useSignal<"idle" | "busy" | "asked">("idle");
  if (state.value === "asked") {
    return (
      <p class="notice" role="status">
        {lazyWords.value.newLinkAsked}
      </p>
    );
  }
  const ask = async () => {
    state.value = "busy";
    state.value = (await runAction(sendNewLink)) ? "asked" : "idle";
  };
  return (
    <button type="button" class="button primary wide" disabled={state.value === "busy"} onClick={() => void ask()}>
      {lazyWords.value.newLink}
    </button>
  );
}

/** The service does not reveal whether a link was sent. */
const sendNewLink = async (): Promise<void> => void (await expectOk(postToLink(`/api/v2/embed/links/${slug}/send`, {})));

interface Sentences {
  readonly title: string;
  readonly lead: string;
  readonly offersLink?: boolean;
}

function sentences(): Sentences | null {
  const t = lazyWords.value;
  const sender = opened.value?.envelope.sender ?? "";
  switch (stage.value) {
    case "waiting":
      if (opened.value?.recipient?.kind === "cc") return { title: t.copyWaitingTitle, lead: t.copyWaitingLead };
      return {
        title: t.waitingTitle,
        lead: t.waitingLead(opened.value?.signers.before_you ?? 1, opened.value?.recipient?.delivery === "email"),
      };
    case "mailed_link_required":
      return { title: t.mailedLinkTitle, lead: t.mailedLinkLead(sender), offersLink: slug !== null };
    case "locked":
      return { title: t.lockedTitle, lead: t.lockedLead(sender) };
    case "identity_unavailable":
      return { title: t.identityUnavailableTitle, lead: t.identityUnavailableLead(sender) };
    case "ended":
      return endings(sender);
    default:
      return null;
  }
}

function endings(sender: string): Sentences | null {
  const t = lazyWords.value;
  switch (ending.value?.why) {
    case "not_found":
      return slug === null
        ? { title: t.notFoundTitle, lead: t.notFoundLead }
        : { title: t.mailedLinkTitle, lead: t.wholeLinkLead, offersLink: true };
    case "voided":
      return { title: t.voidedTitle, lead: t.voidedLead };
    case "expired":
      return { title: t.expiredTitle, lead: t.expiredLead };
    case "declined":
      return { title: t.declinedByOtherTitle, lead: t.declinedByOtherLead };
    case "declined_by_you":
      if (opened.value?.recipient?.kind === "approver") return { title: t.rejectedTitle, lead: t.rejectedLead(sender) };
      return { title: t.declinedTitle, lead: t.declinedLead(sender) };
    case "not_you":
      return { title: t.notYouTitle, lead: t.notYouLead };
    case "not_your_task":
      return { title: t.removedTitle, lead: t.removedLead };
    case "record_mismatch":
      return { title: t.recordMismatchTitle, lead: t.recordMismatchLead };
    case "problem":
      return { title: t.problemTitle, lead: t.problemLead };
    case undefined:
      return null;
  }
}
