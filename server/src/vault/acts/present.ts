import { iso, isoOrNull } from "../../http/shapes.ts";
import { type ActWithDecisions, type Approval, isDecided, type NeedNow } from "./act.ts";
import { readDocument } from "./document.ts";
import type { Participation, Pledge } from "./register-store.ts";
import { summaryOf } from "./summary.ts";

/** `org_name`: only for readers outside the organization whose act it is. */
export const presentAct = (act: ActWithDecisions & { readonly org_name?: string }) => ({
  act_id: act.act_id,
  kind: act.kind,
  state: act.state,
  summary: summaryOf(readDocument(act)),
  org_name: act.org_name ?? null,
  envelope_id: act.envelope_id,
  document: { ...readDocument(act) },
  sha256: act.sha256,
  // Which addresses of a party fail is for the organization that wrote to them.
  needs: act.needs.map((need, index) =>
    presentNeed(act.org_name === undefined ? need : { ...need, unreachable: [] }, isDecided(act, index)),
  ),
  approvals: act.approvals.map(presentApproval),
  proposed_by: act.proposed_by,
  proposed_at: iso(act.proposed_at),
  expires_at: iso(act.expires_at),
  waits_until: isoOrNull(act.waits_until),
  closed_at: isoOrNull(act.closed_at),
  updated_at: iso(act.updated_at),
});

export const presentProposed = ({ act_id }: ActWithDecisions) => ({ act_id, status: "proposed" as const });

const presentNeed = (need: NeedNow, decided: boolean) => ({
  role: need.role,
  party_id: need.party_id,
  user_id: need.user_id,
  name: need.name,
  asked: need.asked,
  decided,
  unreachable: [...need.unreachable],
});

const presentApproval = ({ role, party_id, actor, principal_email, decision, method, is_member, approvers_replaced, at }: Approval) => ({
  role,
  party_id,
  by: actor,
  email: principal_email,
  decision,
  method,
  is_member,
  approvers_replaced,
  at: iso(at),
});

export const presentPledge = ({ party_id, name, act_id, since }: Pledge) => ({ party_id, name, act_id, since: iso(since) });

export const presentParticipation = ({ party_id, name, act_id, share_bp, since }: Participation) => ({
  party_id,
  name,
  act_id,
  share_bp,
  since: iso(since),
});
