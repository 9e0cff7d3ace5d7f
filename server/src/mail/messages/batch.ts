import { PLAIN_LOOK } from "../look.ts";
import type { Words } from "../message.ts";
import { writeLetter } from "../write-letter.ts";
import { named } from "./envelope.ts";

/** Messages to the person who started a bulk send. The link leads to the console and requires a log-in. */

export interface BatchFacts {
  readonly org_name: string;
  readonly batch_name: string;
  readonly url: string;
}

const lookOf = ({ org_name }: BatchFacts) => ({ ...PLAIN_LOOK, org_name: named(org_name) });
const linkTo = ({ url }: BatchFacts) => ({ lead: "View the bulk send", button: "Open bulk send", url });

const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const were = (count: number): string => (count === 1 ? "was" : "were");

export interface BatchResult {
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
}

export function batchEnded(facts: BatchFacts & BatchResult & { readonly is_cancelled: boolean }): Words {
  const { sent, failed, skipped, is_cancelled } = facts;
  const name = named(facts.batch_name);
  return writeLetter({
    kind: "batch_ended",
    subject: `${is_cancelled ? "Bulk send cancelled" : "Bulk send finished"}: ${name}`,
    opening: [
      `${is_cancelled ? "The bulk send was cancelled" : "The bulk send has finished"}: ${name}`,
      `${counted(sent, "envelope")} ${were(sent)} sent.`,
      ...(failed > 0 ? [`${counted(failed, "row")} could not be sent.`] : []),
      ...(skipped > 0 ? [`${counted(skipped, "row")} ${were(skipped)} skipped.`] : []),
    ],
    link: linkTo(facts),
    closing: failed > 0 ? ["The bulk send shows why each row failed. You can try those rows again there."] : [],
    look: lookOf(facts),
  });
}

/** `reason`: a code. */
export function batchPaused(facts: BatchFacts & { readonly reason: string }): Words {
  const name = named(facts.batch_name);
  return writeLetter({
    kind: "batch_paused",
    subject: `Bulk send paused: ${name}`,
    opening: [`The bulk send is paused: ${name}`, whyPaused(facts.reason)],
    link: linkTo(facts),
    closing: ["The rows that are left are not sent until you continue the bulk send there, or cancel it."],
    look: lookOf(facts),
  });
}

function whyPaused(reason: string): string {
  if (reason === "template_changed") return "The template was changed or archived after the rows were checked.";
  if (reason === "certification_terms_outdated") return "The certification terms have changed and must be accepted again.";
  return "Sending failed several times in a row, because of a fault in the service.";
}
