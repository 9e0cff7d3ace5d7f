// How an organization at one installation asks an organization at another one to decide on an act, and how the answer comes back: canonical
// JSON, signed by the records key of the installation that sends it. Every message names the act by its hash, and both sides.

import type { TrustKeys } from "./bundle/trust-keys.ts";
import { canonicalize, type Json } from "./canonical.ts";
import { canonicalValue, type Signed } from "./checkpoint.ts";
import { isHash, isId, isTime } from "./entry.ts";
import { isLinkMessageSigned, kindOfLinkMessage, type LinkParty, linkParty } from "./link-message.ts";
import { hashOfJson } from "./rules/1/chain-facts.ts";
import { type Fits, hasExactly, isCount, isLine, isText, listOf, type Members, oneOf, orNull, shaped } from "./shape.ts";

export type ActMessageBase = {
  /** whose act it is; `root` as it was when the act was proposed */
  readonly asker: LinkParty;
  /** who is asked; `root` is the one that the asker pinned */
  readonly decider: LinkParty;
  readonly act_id: string;
  /** of the canonical bytes of the act's document */
  readonly act_sha256: string;
  /** the asker's id of the party for which the decider stands */
  readonly party_id: string;
  readonly at: string;
  /** of the records key that signs */
  readonly key_id: string;
};

/** What the decider shows to its members. */
type Shown = {
  /** the document of the act */
  readonly act: { readonly [member: string]: Json };
  /** of the asker, as it calls itself */
  readonly org_name: string;
};

export type RequestMessage = ActMessageBase & Shown & { readonly type: "countersign/link/1/request" };

export const actOutcomes = ["effective", "refused", "cancelled", "expired", "superseded"] as const;
export type ActOutcome = (typeof actOutcomes)[number];

/** The act has ended. It repeats the document, for a decider that has not heard of the request. */
export type ClosingMessage = ActMessageBase & Shown & { readonly type: "countersign/link/1/closing"; readonly outcome: ActOutcome };

/** The member who decided, as their installation states it. */
export type DecidedBy = {
  readonly user_id: string;
  readonly name: string;
  /** in lower case */
  readonly email: string;
  /** the name of the API key that was used; null for a log-in */
  readonly key_name: string | null;
};

export type DecisionMessage = ActMessageBase & {
  readonly type: "countersign/link/1/decision";
  readonly decision: "confirm" | "refuse";
  readonly reason: string | null;
  readonly decided_at: string;
  readonly decided_by: DecidedBy;
};

export type ActMessage = RequestMessage | ClosingMessage | DecisionMessage;

const isAddress: Fits = (value) => isLine(value) && /^[^\s@]+@[^\s@]+$/.test(String(value)) && String(value).toLowerCase() === value;

const party: Fits = shaped({ party_id: orNull(isId), name: isText, identifier: orNull(isText) });
const needMembers: Members = { role: isId, party_id: orNull(isId), user_id: orNull(isId), name: isText, asked: isBoolean };
const vaultOfNeed: Fits = shaped({ root_sha256: isHash, org_id: isId });
const need: Fits = (value) => hasExactly(value, needMembers) || hasExactly(value, { ...needMembers, vault: vaultOfNeed });

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

const subjects = ["party", "share_bp", "user", "hold_id", "vault", "recipient"] as const;
/** A member of an act's document that says what the act is about. */
export type ActSubject = (typeof subjects)[number];

/** The kinds of act on a record, and what each is about. A change of a party's people is not asked of another installation. */
export const subjectsOfKinds: Readonly<Record<string, readonly ActSubject[]>> = {
  designate: ["party"],
  correct_party: ["party"],
  assign: ["party"],
  release: ["party"],
  participate: ["party", "share_bp"],
  pledge: ["party"],
  release_pledge: ["party"],
  designate_custodian: ["user"],
  move_custody: ["user"],
  acknowledge_control: ["user"],
  release_hold: ["hold_id"],
  transfer_out: ["vault"],
  export_out: ["recipient"],
  paper_out: ["recipient"],
  destroy: [],
  recover: [],
};

/** Whether the document says all that its kind is about, and nothing else. */
function fitsKind(act: { readonly [member: string]: Json }): boolean {
  const about = subjectsOfKinds[String(act.kind)] ?? [];
  return subjects.every((member) => (act[member] !== null) === about.includes(member));
}

/** The document of an act on one record. An act on many records is not asked of another installation. */
const actOnRecord: Fits = shaped({
  type: (value) => value === "countersign/act/1",
  act_id: isId,
  kind: oneOf(Object.keys(subjectsOfKinds)),
  org_id: isId,
  envelope_id: isId,
  batch: (value) => value === null,
  record_name: isText,
  copy_sha256: isHash,
  present_version: isCount,
  present_party: orNull(party),
  reason: isText,
  party: orNull(party),
  share_bp: orNull(isCount),
  user: orNull(shaped({ user_id: isId, name: isText })),
  hold_id: orNull(isId),
  vault: orNull(shaped({ vault_id: isId, name: isText, root_sha256: isHash, org_id: isId })),
  recipient: orNull(shaped({ name: isText, email: isText })),
  people: (value) => value === null,
  needs: listOf(need),
  proposed_at: isTime,
  expires_at: isTime,
});

const base: Members = {
  type: (value) => typeof value === "string",
  asker: linkParty,
  decider: linkParty,
  act_id: isId,
  act_sha256: isHash,
  party_id: isId,
  at: isTime,
  key_id: isHash,
};

const isName: Fits = (value) => isLine(value) && String(value).trim() !== "";

const shown: Members = { act: actOnRecord, org_name: isName };

const more: Readonly<Record<string, Members>> = {
  request: shown,
  closing: { ...shown, outcome: oneOf(actOutcomes) },
  decision: {
    decision: oneOf(["confirm", "refuse"]),
    reason: orNull(isLine),
    decided_at: isTime,
    decided_by: shaped({ user_id: isId, name: isLine, email: isAddress, key_name: orNull(isLine) }),
  },
};

/** Parses a message; null unless the bytes are canonical, have exactly the members of its kind, and ask about the act that they contain. */
export function readActMessage(bytes: Uint8Array): ActMessage | null {
  const value = canonicalValue(bytes);
  const { type } = Object(value) as { type?: unknown };
  const kind = typeof type === "string" ? kindOfLinkMessage({ type }) : "";
  const own = Object.hasOwn(more, kind) ? more[kind] : undefined;
  if (own === undefined || !hasExactly(value, { ...base, ...own })) return null;
  const message = value as unknown as ActMessage;
  return message.type === "countersign/link/1/decision" || isAsked(message) ? message : null;
}

/** Whether the act fits its kind, is the asker's, has the hash that the message names, and asks the decider for this party. */
function isAsked({ act, act_id, act_sha256, asker, decider, party_id }: RequestMessage | ClosingMessage): boolean {
  const isAct = act.act_id === act_id && act.org_id === asker.org_id && hashOfJson(act) === act_sha256;
  return isAct && fitsKind(act) && asksVault(act, party_id, decider);
}

/** Whether an act asks this installation and organization for this party. */
export function asksVault(act: { readonly [member: string]: Json }, party_id: string | null, decider: LinkParty): boolean {
  const needs = Array.isArray(act.needs) ? act.needs : [];
  return needs.some((each) => {
    const { party_id: named, asked, vault } = Object(each) as Record<string, unknown>;
    const { root_sha256, org_id } = Object(vault) as Record<string, unknown>;
    return party_id !== null && named === party_id && asked === true && root_sha256 === decider.root && org_id === decider.org_id;
  });
}

export const writeActMessage = (message: ActMessage): Uint8Array => Buffer.from(canonicalize(message as unknown as Json));

/** Whether a records key that was in use at the time of the message signed these bytes. */
export const isActMessageSigned = (signed: Signed, message: Pick<ActMessage, "key_id" | "at">, keys: TrustKeys): boolean =>
  isLinkMessageSigned(signed, message, keys);
