import { words } from "../../i18n/i18n.ts";
import { ending, opened, stage } from "../ceremony.ts";
import { Heading } from "./heading.tsx";

/** Screens that only say how things are, and whom to ask. */
export function StateTask() {
  const said = sentences();
  if (said === null) return null;
  const reference = ending.value?.reference;
  return (
    <div class="stack tight">
      <Heading>{said.title}</Heading>
      <p>{said.lead}</p>
      {reference !== undefined && reference !== "" && <p class="quiet small">{words.value.reference(reference)}</p>}
    </div>
  );
}

function sentences(): { readonly title: string; readonly lead: string } | null {
  const t = words.value;
  const sender = opened.value?.envelope.sender ?? "";
  switch (stage.value) {
    case "waiting":
      return { title: t.waitingTitle, lead: t.waitingLead(opened.value?.signers.before_you ?? 1) };
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

function endings(sender: string): { readonly title: string; readonly lead: string } | null {
  const t = words.value;
  switch (ending.value?.why) {
    case "not_found":
      return { title: t.notFoundTitle, lead: t.notFoundLead };
    case "voided":
      return { title: t.voidedTitle, lead: t.voidedLead };
    case "expired":
      return { title: t.expiredTitle, lead: t.expiredLead };
    case "declined":
      return { title: t.declinedByOtherTitle, lead: t.declinedByOtherLead };
    case "declined_by_you":
      return { title: t.declinedTitle, lead: t.declinedLead(sender) };
    case "problem":
      return { title: t.problemTitle, lead: t.problemLead };
    case undefined:
      return null;
  }
}
