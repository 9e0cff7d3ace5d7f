import { iso, isoOrNull } from "../../http/shapes.ts";
import { readDocument } from "../acts/document.ts";
import { summaryOf } from "../acts/summary.ts";
import { presentSigned } from "../links/present.ts";
import type { KeptActMessage } from "./message-store.ts";
import type { ReceivedAct } from "./receive-act-message.ts";
import { outcomeOf, type RemoteRequest, stateOfRequest } from "./request.ts";

export const presentRequest = (one: RemoteRequest) => {
  const document = readDocument(one);
  return {
    request_id: one.request_id,
    state: stateOfRequest(one),
    summary: summaryOf(document),
    kind: document.kind,
    org_name: one.org_name,
    vault_id: one.vault_id,
    vault_name: one.vault_name,
    party_name: document.needs.find(({ party_id }) => party_id === one.party_id)?.name ?? "",
    act_id: one.act_id,
    document: { ...document },
    sha256: one.act_sha256,
    decision: one.decision,
    reason: one.reason,
    decided_by:
      one.decided_by === null ? null : { name: one.decided_by.name, email: one.decided_by.email, key_name: one.decided_by.key_name },
    decided_at: isoOrNull(one.decided_at),
    delivered: one.decision !== null && one.settled_at !== null,
    last_error: one.last_error,
    outcome: outcomeOf(one),
    received_at: iso(one.received_at),
    expires_at: iso(one.expires_at),
    closed_at: isoOrNull(one.closed_at),
    updated_at: iso(one.updated_at),
  };
};

export const presentActMessage = (one: KeptActMessage) => ({ kind: one.kind, at: iso(one.at), ...presentSigned(one) });

export const presentReceivedAct = ({ act_id, state, reply }: ReceivedAct) => ({
  act_id,
  state,
  reply: reply === null ? null : presentSigned(reply),
});
