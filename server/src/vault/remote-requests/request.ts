import type { ActMessage, ActOutcome, DecidedBy } from "@countersign/evidence";
import type { ActId, OrgId, PartyId, RemoteRequestId, RemoteVaultId } from "../../shared/ids.ts";

export const sides = ["asker", "decider"] as const;
/** of this organization: `asker` if the act is its own */
export type Side = (typeof sides)[number];

export const actMessageKinds = ["request", "decision", "closing"] as const;
export type ActMessageKind = (typeof actMessageKinds)[number];

/** One party of an act that is asked at another installation. `act_id` and `party_id` are the asker's, on both sides. */
export interface Question {
  readonly org_id: OrgId;
  /** the other installation */
  readonly vault_id: RemoteVaultId;
  readonly act_id: ActId;
  readonly party_id: PartyId;
}

/** As the asker has it. */
export interface AskedVault extends Question {
  readonly asker_root: string;
  readonly decider_root: string;
  readonly decider_org_id: string;
  readonly settled_at: Date | null;
  readonly attempts: number;
  readonly last_error: string | null;
}

export const requestOutcomes = ["effective", "refused", "cancelled", "expired", "superseded", "unpinned"] as const;
/** How the act ended at the asker. `unpinned`: this organization stopped listening to that vault before. */
export type RequestOutcome = ActOutcome | "unpinned";

/** As the decider has it. */
export interface RemoteRequest extends Question {
  readonly request_id: RemoteRequestId;
  /** as this organization calls the vault that asks */
  readonly vault_name: string;
  readonly asker_root: string;
  readonly asker_org_id: string;
  readonly decider_root: string;
  /** as the asking organization calls itself */
  readonly org_name: string;
  /** canonical JSON; the decision is over its hash */
  readonly document: string;
  readonly act_sha256: string;
  readonly received_at: Date;
  readonly expires_at: Date;
  readonly is_overdue: boolean;
  readonly updated_at: Date;
  readonly decision: "confirm" | "refuse" | null;
  readonly reason: string | null;
  readonly decided_by: DecidedBy | null;
  readonly decided_at: Date | null;
  readonly outcome: RequestOutcome | null;
  readonly closed_at: Date | null;
  readonly settled_at: Date | null;
  readonly attempts: number;
  readonly last_error: string | null;
}

export const requestStates = ["open", "decided", "closed"] as const;
export type RequestState = (typeof requestStates)[number];

/** An overdue request is closed also if the asker has not said so yet. A decision stands until the asker says how the act ended. */
export function stateOfRequest({ decision, outcome, is_overdue }: RemoteRequest): RequestState {
  if (outcome !== null) return "closed";
  if (decision !== null) return "decided";
  return is_overdue ? "closed" : "open";
}

/** How the act ended, as far as this side knows. */
export const outcomeOf = (one: RemoteRequest): RequestOutcome | null =>
  one.outcome ?? (stateOfRequest(one) === "closed" ? "expired" : null);

/** What every message of a question says. */
export const sidesOf = (own: OrgId, { asker_root, decider_root, decider_org_id, act_id, party_id }: AskedVault) => ({
  asker: { root: asker_root, org_id: own as string },
  decider: { root: decider_root, org_id: decider_org_id },
  act_id: act_id as string,
  party_id: party_id as string,
});

export const kindOfActMessage = ({ type }: ActMessage): ActMessageKind => type.slice("countersign/link/1/".length) as ActMessageKind;
