import {
  hashOfState,
  identityIn,
  type Link,
  type RecipientFacts,
  type SessionFacts,
  type SignatureFacts,
  type SignerFacts2,
} from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { findSentFields, lookUpVersion } from "../../envelopes/document-store.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import { savedSigners } from "../../envelopes/recipient-input.ts";
import type { SignerInput } from "../../envelopes/signer-input.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { SentField } from "../../signing/field.ts";
import type { SealingDeps } from "../../signing/sealed-columns.ts";
import { finalValuesIn, hashedValues, listSignedContent, type SignedContent } from "../../signing/signed-content.ts";
import { stepsOf } from "../../signing/steps.ts";
import { listRecipients } from "../../signing/store.ts";
import { isSigner, type Recipient } from "../../signing/submission.ts";
import { readSignerRows, type SignatureRow } from "./facts-store.ts";

export interface People {
  readonly signers: SignerFacts2[];
  /** everyone else */
  readonly recipients: RecipientFacts[];
}

/** Every recipient with everything they did here. For an upload, the signers that were saved with it. */
export async function signerFacts(deps: SealingDeps, tx: Tx, org: OrgId, envelope: Envelope, links: readonly Link[]): Promise<People> {
  const { envelope_id } = envelope;
  const all = await listRecipients(tx, org, envelope_id);
  if (all.length === 0) return { signers: savedSigners(envelope.signers).map(savedSigner), recipients: [] };
  const signers = all.filter(isSigner);
  const fields = await findSentFields(tx, org, envelope_id);
  const content = await listSignedContent(deps, tx, org, envelope_id, links);
  const hasSteps = links.some(({ entry, data }) => entry.type === "envelope.sent" && Object.hasOwn(Object(data?.data), "recipients"));
  const prepared = (await lookUpVersion(tx, org, envelope_id, "prepared"))?.sha256 ?? "";
  const rows = await readSignerRows(tx, org, envelope_id);
  const ofSigners = signers.map((signer, index): SignerFacts2 => {
    const own = <T extends { readonly slug: string }>(rows: readonly T[]) =>
      rows.filter(({ slug }) => slug === signer.slug).map(withoutSlug);
    return {
      slug: signer.slug,
      email: signer.email,
      name: signer.name,
      role: signer.role,
      order: index + 1,
      ...(hasSteps && { step: signer.step }),
      required: true,
      status: signer.status,
      signed_at: signer.signed_at?.toISOString() ?? null,
      required_fields: requiredFields(fields, content, signer),
      signatures: rows.signatures
        .filter(({ slug }) => slug === signer.slug)
        .map((row) => signatureFacts(row, stateSeenBy(signer, all, fields, content, prepared))),
      sessions: own(rows.sessions).map((row) => sessionFacts(row, openedAs(links, signer.slug, row.session), signer)),
      consents: own(rows.consents),
      kba: own(rows.kba),
      link_opens: signer.status === "signed",
      ...identityIn(links, { slug: signer.slug, role: signer.role }),
    };
  });
  const recipients = all.flatMap((one): RecipientFacts[] => {
    const { slug, kind, recipient_id, step, email, name, role, status, acted_at } = one;
    if (kind === "signer") return [];
    const state_sha256 = stateIn(links, slug);
    return [
      {
        ...{ recipient_id, slug, kind, step, email, name, role, status },
        acted_at: acted_at?.toISOString() ?? null,
        state_sha256,
        found_state_sha256: state_sha256 === null ? null : stateSeenBy(one, all, fields, content, prepared),
        required_fields: requiredFields(fields, content, one),
        sessions: rows.sessions
          .filter((row) => row.slug === slug)
          .map(withoutSlug)
          .map((row) => sessionFacts(row, openedAs(links, slug, row.session), one)),
        ...identityIn(links, { slug, role, recipient_id }),
      },
    ];
  });
  return { signers: ofSigners, recipients };
}

/** The state that an approver or a viewer acted on, according to the chain; null if they did not act. */
function stateIn(links: readonly Link[], by: string): string | null {
  const act = links.find(
    ({ entry }) => (entry.type === "recipient.approved" || entry.type === "recipient.confirmed") && entry.actor.id === by,
  );
  const { state_sha256 } = Object(act?.data?.data) as { state_sha256?: unknown };
  return typeof state_sha256 === "string" ? state_sha256 : null;
}

const savedSigner = ({ email, name, role }: SignerInput, index: number): SignerFacts2 => ({
  slug: null,
  email,
  name,
  role,
  order: index + 1,
  required: true,
  status: "pending",
  signed_at: null,
  required_fields: [],
  signatures: [],
  sessions: [],
  consents: [],
  kba: [],
  link_opens: null,
});

function withoutSlug<T extends { readonly slug: string }>({ slug: _slug, ...rest }: T): Omit<T, "slug"> {
  return rest;
}

function requiredFields(
  fields: readonly SentField[],
  content: readonly SignedContent[],
  { role, slug }: Recipient,
): SignerFacts2["required_fields"] {
  const filled = new Set(content.filter((one) => one.slug === slug).map(({ position }) => position));
  return stepsOf(fields.filter((field) => field.role === role))
    .filter(({ required, readonly }) => required && !readonly)
    .map((step) => ({ name: step.name, filled: step.fields.every(({ position }) => filled.has(position)) }));
}

/** The document's version and the values of everyone before: what the document contained when this person acted. */
function stateSeenBy(
  signer: Recipient,
  all: readonly Recipient[],
  fields: readonly SentField[],
  content: readonly SignedContent[],
  prepared_sha256: string,
): string {
  const at = signer.acted_at?.getTime() ?? Infinity;
  const before = new Set(
    all.filter((other) => other.slug !== signer.slug && (other.acted_at?.getTime() ?? Infinity) < at).map(({ slug }) => slug),
  );
  const final = finalValuesIn(
    { fields, values_locale: null },
    content.filter(({ slug }) => before.has(slug)),
  );
  return hashOfState(prepared_sha256, final.flatMap(hashedValues));
}

type SessionRow = Pick<SessionFacts, "session" | "credential" | "ip" | "user_agent" | "opened_at">;

/** How a session was opened, according to its entry. Entries from before links had secrets say less. */
interface OpenedEntry {
  readonly signing_session?: string;
  readonly user_email?: string;
  readonly credential?: string;
  readonly link_kind?: NonNullable<SessionFacts["link_kind"]>;
  readonly message_id?: string;
  readonly mail_sent_at?: string | null;
  readonly issued_by?: string | null;
  readonly by?: string;
}

/**
 * From the chain, because the row can be changed by anyone who can write to the database. If the chain does not mention a link, the link
 * had no secret.
 */
function sessionFacts(row: SessionRow, opened: OpenedEntry, signer: Recipient): SessionFacts {
  const { user_email = signer.email, credential = row.credential, message_id, mail_sent_at, issued_by, by } = opened;
  const link_kind = opened.link_kind ?? (credential === "email_link" ? "shared" : undefined);
  return {
    ...row,
    credential,
    email: user_email,
    ...(link_kind !== undefined && { link_kind }),
    ...(message_id !== undefined && { message_id }),
    ...(mail_sent_at !== undefined && { mail_sent_at }),
    ...(issued_by !== undefined && { issued_by }),
    ...(by !== undefined && { by }),
  };
}

/** Matched by signer too: the page chooses the session number, so two signers may have the same. */
function openedAs(links: readonly Link[], slug: string, session: string): OpenedEntry {
  for (const { entry, data } of links) {
    if ((entry.type !== "signer.opened" && entry.type !== "recipient.opened") || entry.actor.id !== slug || data === null) continue;
    const opened = data.data as OpenedEntry;
    if (opened.signing_session === session) return opened;
  }
  return {};
}

const signatureFacts = ({ slug: _slug, applied_at, signed_at, ...row }: SignatureRow, found_state_sha256: string): SignatureFacts => ({
  ...row,
  field_id: `f${row.position}`,
  found_state_sha256,
  applied_at: applied_at.toISOString(),
  signed_at: signed_at.toISOString(),
});
