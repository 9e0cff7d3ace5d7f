import type { RemoteRequest } from "@countersign/client/types";
import { stateWords } from "../../act-words.ts";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en } from "../words/acts/en.ts";

const w = en.remoteWords;

const tones: Record<RemoteRequest["state"], Tone> = { open: "waiting", decided: "waiting", closed: "plain" };

/** How the act ended there, as the other installation states it. */
const outcomeWords: Record<NonNullable<RemoteRequest["outcome"]>, string> = {
  effective: stateWords.effective,
  refused: stateWords.refused,
  cancelled: stateWords.cancelled,
  expired: stateWords.expired,
  superseded: stateWords.superseded,
  unpinned: w.installationUnpinned,
};

function chipWords({ state, decision, outcome }: RemoteRequest): string {
  if (outcome !== null) return outcomeWords[outcome];
  if (state === "decided") return decision === "confirm" ? w.youConfirmed : w.youRefused;
  return w.open;
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
  if (state === "open") return w.openItWaits;
  if (state === "decided") {
    const said = decision === "confirm" ? w.yourOrganizationConfirmed : w.yourOrganizationRefused;
    const refusal = refusalOf(request);
    if (refusal !== null) return w.theOtherInstallation(said, refusal);
    return delivered ? w.hasTheDecision(said, org_name) : w.theDecisionHas(said, org_name);
  }
  if (outcome === "effective") return w.statesThatThe(org_name);
  if (outcome === "unpinned") return w.yourOrganizationUnpinned;
  if (outcome === "expired") return w.theRequestHas;
  return w.statesThatTheAct(org_name, outcome);
}
