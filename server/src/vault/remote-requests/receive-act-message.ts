import {
  type ActMessage,
  type ClosingMessage,
  canonicalize,
  type DecisionMessage,
  type RequestMessage,
  readActMessage,
  trustStatementOf,
  type VaultProof,
} from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { type ActId, newId, type OrgId, type PartyId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Need } from "../acts/act.ts";
import { recordDecision } from "../acts/decide-act.ts";
import type { ActDocument } from "../acts/document.ts";
import { lockActWithControl } from "../acts/end-act.ts";
import { askedMail } from "../acts/messages.ts";
import { findAct } from "../acts/store.ts";
import { summaryOf } from "../acts/summary.ts";
import { vaultJobCaller } from "../copy.ts";
import { admitSender, type Sender } from "../links/admit-sender.ts";
import type { LinkDeps, SignedMessage } from "../links/link.ts";
import { lookUpAskedVault } from "./asked-store.ts";
import { keepActMessage, lookUpActMessage } from "./message-store.ts";
import { kindOfActMessage, type Question, type RemoteRequest, stateOfRequest } from "./request.ts";
import { closeRequest, findRequest, insertRequest, lockRequest, lookUpRequestOf } from "./store.ts";

/** A message about an act whose sender has shown who it is. */
export interface AdmittedAct extends Sender {
  readonly message: ActMessage;
  readonly signed: SignedMessage;
}

/** The state here after the message, and the message of this side that the other may be waiting for. */
export interface ReceivedAct {
  readonly act_id: string;
  readonly state: string;
  readonly reply: SignedMessage | null;
}

/** Whether these bytes are a message about an act, and not about a transfer. */
const isAct = ({ bytes }: SignedMessage): boolean => readActMessage(bytes) !== null;

/** Outside a transaction: reads the message, and finds out who signed it. `of`: as for `admitSender`. */
async function admitAct(deps: LinkDeps, signed: SignedMessage, of?: OrgId): Promise<AdmittedAct> {
  const message = readActMessage(signed.bytes);
  if (message === null) throw new Problem("message_malformed");
  const { asker, decider, key_id, at } = message;
  const [own, other] = message.type === "countersign/link/1/decision" ? [asker, decider] : [decider, asker];
  return { ...(await admitSender(deps, signed, { own, other, key_id, at }, of)), message, signed };
}

/** One transaction. A repeated message changes nothing and gets the same answer. */
function applyAct(deps: Pick<LinkDeps, "db" | "publicUrl">, admitted: AdmittedAct): Promise<ReceivedAct> {
  const { org, message } = admitted;
  return deps.db.tx(org, (tx) =>
    message.type === "countersign/link/1/decision" ? takeDecision(tx, admitted, message) : takeRequest(deps, tx, admitted, message),
  );
}

const questionOf = ({ vault }: Sender, { act_id, party_id }: ActMessage): Omit<Question, "org_id"> => ({
  vault_id: vault.vault_id,
  act_id: act_id as ActId,
  party_id: party_id as PartyId,
});

/** At the decider: a request, or that its act has ended. */
async function takeRequest(
  deps: Pick<LinkDeps, "publicUrl">,
  tx: Tx,
  admitted: AdmittedAct,
  message: RequestMessage | ClosingMessage,
): Promise<ReceivedAct> {
  const { org, vault, signed } = admitted;
  const question = questionOf(admitted, message);
  const document = message.act as unknown as ActDocument;
  const isNew = await insertRequest(tx, org, {
    ...question,
    request_id: newId("remoteRequest", tx.now.getTime()),
    asker_root: message.asker.root,
    asker_org_id: message.asker.org_id,
    decider_root: message.decider.root,
    org_name: message.org_name,
    document: canonicalize(message.act),
    act_sha256: message.act_sha256,
    expires_at: new Date(document.expires_at),
  });
  const found = (await lookUpRequestOf(tx, org, question)) as RemoteRequest;
  const one = await lockRequest(tx, org, found.request_id);
  const isSame =
    one.act_sha256 === message.act_sha256 && one.asker_root === message.asker.root && one.decider_root === message.decider.root;
  if (!isSame) throw new Problem("message_contradicts", "another act or another root");
  await keepActMessage(tx, org, question, kindOfActMessage(message), signed);
  const { request_id, act_id } = one;
  const by = vaultJobCaller(org);
  if (isNew) {
    const data = { request_id, vault_id: vault.vault_id, vault_name: vault.name, act_id, sha256: one.act_sha256 };
    await appendAudit(tx, org, { type: "remote_request.received", by, data });
  }
  if (message.type === "countersign/link/1/closing") {
    if (one.outcome === null) {
      await closeRequest(tx, org, one, message.outcome);
      const data = { request_id, act_id, sha256: one.act_sha256, outcome: message.outcome };
      await appendAudit(tx, org, { type: "remote_request.closed", by, data });
    }
  } else if (isNew) await tellAdmins(deps, tx, org, one, document);
  const state = stateOfRequest(await findRequest(tx, org, request_id));
  return { act_id, state, reply: await lookUpActMessage(tx, org, question, "decision") };
}

async function tellAdmins(
  deps: Pick<LinkDeps, "publicUrl">,
  tx: Tx,
  org: OrgId,
  { request_id, org_name, party_id, vault_name, expires_at }: RemoteRequest,
  document: ActDocument,
): Promise<void> {
  const party_name = document.needs.find((need) => need.party_id === party_id)?.name ?? "";
  const url = `${deps.publicUrl}/console/remote-requests/${request_id}`;
  const about = { org_name, party_name, vault_name, summary: summaryOf(document), reason: document.reason, expires_at, url };
  const { kind, subject, text } = askedMail({ ...about, to: "vault" });
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind, subject, text });
}

/** At the asker: what a member of the other organization decided. */
async function takeDecision(tx: Tx, admitted: AdmittedAct, message: DecisionMessage): Promise<ReceivedAct> {
  const { org, vault, signed } = admitted;
  const asked = await lookUpAskedVault(tx, org, message.act_id, message.party_id);
  if (asked === null) throw new Problem("act_not_found");
  if (asked.vault_id !== vault.vault_id) throw new Problem("message_contradicts", "this vault was not asked");
  const { act } = await lockActWithControl(tx, org, asked.act_id);
  const isSame =
    message.act_sha256 === act.sha256 && message.asker.root === asked.asker_root && message.decider.root === asked.decider_root;
  if (!isSame) throw new Problem("message_contradicts", "another act or another root");
  const known = await lookUpActMessage(tx, org, asked, "decision");
  if (known === null) {
    await recordDecision(tx, org, asked.act_id, deciderOf(admitted, message, asked.party_id), {
      decision: message.decision,
      sha256: message.act_sha256,
      reason: message.reason,
    });
    await keepActMessage(tx, org, asked, "decision", signed);
  } else if (!known.bytes.equals(signed.bytes)) throw new Problem("message_contradicts", "another decision came before");
  return { act_id: asked.act_id, state: (await findAct(tx, org, asked.act_id)).state, reply: null };
}

/** The installation decides; the person behind it is whom it states. */
function deciderOf({ org, vault, text, signed }: AdmittedAct, { decided_by, decider }: DecisionMessage, party_id: PartyId) {
  const trust = trustStatementOf(text, decider.root);
  if (trust === null) throw new Problem("message_not_signed");
  const proof: VaultProof = { bytes: signed.bytes.toString("base64"), signature: signed.signature.toString("base64"), trust };
  const { ip, user_agent, request_id } = vaultJobCaller(org);
  return {
    ip,
    user_agent,
    request_id,
    actor: { kind: "vault", id: vault.vault_id } as const,
    principal: { id: `${vault.vault_id}/${decided_by.user_id}`, email: decided_by.email },
    method: "vault_key" as const,
    proof: { ...proof },
    isAsked: (need: Need): boolean => need.party_id === party_id,
  };
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const receiveActMessage = { isAct, admit: admitAct, apply: applyAct };
