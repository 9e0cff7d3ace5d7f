// What the audit trail says about each signer, in the form of facts. Used for envelopes that are not vaulted, which have no facts.

import type { Json } from "../canonical.ts";
import type { ConsentFacts, KbaFacts, SessionFacts, SignatureFacts } from "../facts.ts";
import type { CodeFacts, IdentityResultFacts, RecipientFacts, SignerFacts2 } from "../facts-2.ts";
import { TEST_OPERATION } from "../test-record.ts";
import type { Link } from "../verify-chain.ts";

/** A signer as the envelope was sent to them, or as they were corrected. */
export type NamedSigner = {
  readonly slug: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  /** from 1 */
  readonly order: number;
};

/**
 * The signers with everything that they did according to these entries. Entries whose data was erased say nothing.
 * @example chainSigners(links, [{ slug, email: "ann@example.com", name: "Ann", role: "Tenant", order: 1 }])[0].signed_at
 */
export function chainSigners(links: readonly Link[], signers: readonly NamedSigner[]): SignerFacts2[] {
  return signers.map((signer) => {
    const own = links.filter(({ entry }) => entry.actor.kind === "signer" && entry.actor.id === signer.slug);
    const signatures = ofType(own, "signature.applied").map(signatureIn);
    const signed_at = signatures.at(-1)?.signed_at ?? null;
    return {
      ...signer,
      required: true,
      status: statusIn(own, signed_at),
      signed_at,
      required_fields: [],
      signatures,
      sessions: ofType(own, "signer.opened").map((link) => sessionIn(link, signer)),
      consents: consentsIn(own),
      kba: [...ofType(own, "kba.failed"), ...ofType(own, "kba.passed")].map(kbaIn).sort((a, b) => (a.at < b.at ? -1 : 1)),
      link_opens: null,
      ...identityIn(links, { slug: signer.slug, role: signer.role }),
    };
  });
}

/** The codes that were required of a person, and what they entered. Members are missing if the chain says nothing. */
export function identityIn(links: readonly Link[], { slug, role, recipient_id }: Coded): CodeFacts {
  const set = ofType(links, "identity.set").findLast((link) => {
    const said = saidIn(link);
    return recipient_id === undefined ? said.role === role : said.recipient_id === recipient_id;
  });
  const { methods, link_methods } = set === undefined ? {} : saidIn(set);
  const results = links.filter(({ entry: { type, actor } }) => isResult(type) && actor.id === slug);
  return {
    ...(Array.isArray(methods) && { required_methods: namesIn(methods) }),
    ...(Array.isArray(link_methods) && { required_of_links: namesIn(link_methods) }),
    ...(results.length > 0 && { identity: results.map(resultIn) }),
  };
}

const namesIn = (methods: readonly Json[]): string[] => methods.filter((method) => typeof method === "string");

/** A signer by their role, which stays the same; another person by their id. */
interface Coded {
  readonly slug: string;
  readonly role: string | null;
  readonly recipient_id?: string;
}

const isResult = (type: string): boolean => type === "identity.passed" || type === "identity.failed";

/** A recipient who does not sign, as the envelope was sent to them or as they were changed. */
export type NamedRecipient = Pick<RecipientFacts, "recipient_id" | "slug" | "kind" | "step" | "email" | "name" | "role">;

/** Approvers, viewers and people who get a copy, with what they did according to these entries. */
export function chainRecipients(links: readonly Link[], recipients: readonly NamedRecipient[]): RecipientFacts[] {
  return recipients.map((one) => {
    const own = links.filter(({ entry }) => entry.actor.kind === "recipient" && entry.actor.id === one.slug);
    const act = own.find(({ entry }) => entry.type === "recipient.approved" || entry.type === "recipient.confirmed");
    const state_sha256 = act === undefined ? null : textIn(saidIn(act).state_sha256);
    const notified = ofType(links, "recipient.notified").find((link) => saidIn(link).recipient_id === one.recipient_id);
    return {
      ...one,
      status: recipientStatus(own, one.kind, notified),
      acted_at: act === undefined ? null : (textIn(saidIn(act).acted_at) ?? act.entry.at),
      state_sha256,
      found_state_sha256: state_sha256,
      required_fields: [],
      sessions: ofType(own, "recipient.opened").map((link) => sessionIn(link, one)),
      ...identityIn(links, one),
    };
  });
}

function recipientStatus(own: readonly Link[], kind: RecipientFacts["kind"], notified: Link | undefined): string {
  if (ofType(own, "recipient.approved").length > 0) return "approved";
  if (ofType(own, "recipient.confirmed").length > 0) return "confirmed";
  if (ofType(own, "envelope.declined").length > 0) return "rejected";
  if (kind === "cc") return notified === undefined ? "not notified" : `notified_of_${textIn(saidIn(notified).what)}`;
  return ofType(own, "recipient.opened").length > 0 ? "opened" : "not opened";
}

type Said = Readonly<Record<string, Json | undefined>>;
export const saidIn = ({ data }: Link): Said => Object(data?.data ?? {}) as Said;
export const textIn = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);
export const ofType = (links: readonly Link[], type: string): Link[] => links.filter(({ entry }) => entry.type === type);

function statusIn(own: readonly Link[], signed_at: string | null): string {
  if (signed_at !== null) return "signed";
  if (ofType(own, "envelope.declined").length > 0) return "declined";
  return ofType(own, "signer.opened").length > 0 ? "opened, not signed" : "not opened";
}

function signatureIn(link: Link): SignatureFacts {
  const { at } = link.entry;
  const said = saidIn(link);
  const [position, state_sha256] = [typeof said.position === "number" ? said.position : 0, textIn(said.state_sha256) ?? ""];
  return {
    field_id: `f${position}`,
    position,
    kind: said.kind === "initials" ? "initials" : "signature",
    method: textIn(said.method),
    mark_sha256: textIn(said.mark_sha256) ?? "",
    session: textIn(said.signing_session) ?? "",
    intent_sha256: textIn(said.intent_sha256),
    prepared_sha256: textIn(said.prepared_sha256) ?? "",
    state_sha256,
    found_state_sha256: state_sha256,
    applied_at: at,
    signed_at: textIn(said.signed_at) ?? at,
  };
}

const kinds = ["mailed", "handed_over", "shared"] as const;

/** From before links had secrets, entries record no kind of link: API keys could read those links. */
function sessionIn(link: Link, { email }: { readonly email: string }): SessionFacts {
  const said = saidIn(link);
  const credential = textIn(said.credential) ?? "not recorded";
  const kind = kinds.find((one) => one === said.link_kind) ?? (credential === "email_link" ? "shared" : undefined);
  const message_id = textIn(said.message_id);
  return {
    session: textIn(said.signing_session) ?? "",
    credential,
    email: textIn(said.user_email) ?? email,
    ip: textIn(said.ip) ?? "not recorded",
    user_agent: textIn(said.user_agent) ?? "not recorded",
    opened_at: link.entry.at,
    ...(kind !== undefined && { link_kind: kind }),
    ...(message_id !== null && { message_id }),
    mail_sent_at: textIn(said.mail_sent_at),
    issued_by: textIn(said.issued_by),
    ...(said.by === TEST_OPERATION && { by: TEST_OPERATION }),
  };
}

/** A withdrawal ends every consent before it. */
function consentsIn(own: readonly Link[]): ConsentFacts[] {
  return ofType(own, "consent.accepted").map((link) => {
    const said = saidIn(link);
    const withdrawn = ofType(own, "consent.withdrawn").find(({ entry }) => entry.seq > link.entry.seq);
    return {
      session: textIn(said.signing_session) ?? "",
      disclosure_version: textIn(said.disclosure_version) ?? "not recorded",
      disclosure_sha256: textIn(said.disclosure_sha256) ?? "",
      rendered_at: textIn(said.rendered_at),
      accepted_at: link.entry.at,
      withdrawn_at: withdrawn?.entry.at ?? null,
    };
  });
}

function kbaIn(link: Link): KbaFacts {
  const said = saidIn(link);
  return {
    session: textIn(said.signing_session) ?? "",
    provider: textIn(said.provider) ?? "not recorded",
    passed: link.entry.type === "kba.passed",
    at: link.entry.at,
  };
}

function resultIn(link: Link): IdentityResultFacts {
  const said = saidIn(link);
  const [message_id, hint] = [textIn(said.message_id), textIn(said.hint)];
  return {
    session: textIn(said.signing_session) ?? "",
    method: textIn(said.method) ?? "not recorded",
    provider: textIn(said.provider) ?? "not recorded",
    passed: link.entry.type === "identity.passed",
    at: link.entry.at,
    ...(message_id !== null && { message_id }),
    ...(hint !== null && { hint }),
  };
}
