import type { RemoteRequest } from "@countersign/client/types";
import { stateWords } from "../../act-words.ts";
import { Chip, type Tone } from "../parts/chip.tsx";

const tones: Record<RemoteRequest["state"], Tone> = { open: "waiting", decided: "waiting", closed: "plain" };

/** How the act ended there, as the other installation states it. */
const outcomeWords: Record<NonNullable<RemoteRequest["outcome"]>, string> = {
  effective: stateWords.effective,
  refused: stateWords.refused,
  cancelled: stateWords.cancelled,
  expired: stateWords.expired,
  superseded: stateWords.superseded,
  unpinned: "Installation unpinned",
};

function chipWords({ state, decision, outcome }: RemoteRequest): string {
  if (outcome !== null) return outcomeWords[outcome];
  if (state === "decided") return decision === "confirm" ? "You confirmed" : "You refused";
  return "Open";
}

export const RequestChip = (request: RemoteRequest) => (
  <Chip tone={request.outcome === "effective" ? "good" : tones[request.state]}>{chipWords(request)}</Chip>
);

/** Why a message did not reach another installation; internal_error: this one failed. Every other error is an answer of it. */
const failures: readonly string[] = [
  "timeout",
  "dns_error",
  "connection_error",
  "tls_error",
  "blocked_address",
  "interrupted",
  "internal_error",
];

/** The code with which the other installation refused the decision; null if it did not, or answered without a code. */
export const refusalOf = ({ last_error }: RemoteRequest): string | null =>
  last_error === null || failures.includes(last_error) || last_error.startsWith("status ") ? null : last_error;

/** What the state means for the members of this organization. */
export function requestSentence(request: RemoteRequest): string {
  const { state, decision, delivered, outcome, org_name } = request;
  if (state === "open") return "Open. It waits for the decision of an admin of your organization.";
  if (state === "decided") {
    const said = decision === "confirm" ? "Your organization confirmed." : "Your organization refused.";
    const refusal = refusalOf(request);
    if (refusal !== null) return `${said} The other installation refused the decision (${refusal}). It is asked again until the act ends.`;
    return delivered
      ? `${said} ${org_name} has the decision. What became of the act is not known here yet.`
      : `${said} The decision has not reached ${org_name} yet and is sent again.`;
  }
  if (outcome === "effective") return `${org_name} states that the change is in effect.`;
  if (outcome === "unpinned") return "Your organization unpinned that installation, so nothing more is sent or heard.";
  if (outcome === "expired") return "The request has expired.";
  return `${org_name} states that the act has ended without effect (${outcome}).`;
}
