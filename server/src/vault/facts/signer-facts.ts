import { hashOfState, type Link, type SessionFacts, type SignatureFacts, type SignerFacts } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import { findSentFields, lookUpVersion } from "../../envelopes/document-store.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { SentField } from "../../signing/field.ts";
import { finalValuesIn, hashedValues, listSignedContent, type SignedContent } from "../../signing/signed-content.ts";
import { stepsOf } from "../../signing/steps.ts";
import { listSigners } from "../../signing/store.ts";
import type { Signer } from "../../signing/submission.ts";
import { readSignerRows, type SignatureRow } from "./facts-store.ts";

/** Every signer with everything they did here. For an upload, the signers that were saved with it. */
export async function signerFacts(read: Read, org: OrgId, envelope: Envelope, links: readonly Link[]): Promise<SignerFacts[]> {
  const { envelope_id } = envelope;
  const signers = await listSigners(read, org, envelope_id);
  if (signers.length === 0) return envelope.signers.map(savedSigner);
  const fields = await findSentFields(read, org, envelope_id);
  const content = await listSignedContent(read, org, envelope_id);
  const prepared = (await lookUpVersion(read, org, envelope_id, "prepared"))?.sha256 ?? "";
  const rows = await readSignerRows(read, org, envelope_id);
  return signers.map((signer) => {
    const own = <T extends { readonly slug: string }>(all: readonly T[]) => all.filter(({ slug }) => slug === signer.slug).map(withoutSlug);
    return {
      slug: signer.slug,
      email: signer.email,
      name: signer.name,
      role: signer.role,
      order: signer.turn,
      required: true,
      status: signer.status,
      signed_at: signer.signed_at?.toISOString() ?? null,
      required_fields: requiredFields(fields, content, signer),
      signatures: rows.signatures
        .filter(({ slug }) => slug === signer.slug)
        .map((row) => signatureFacts(row, stateSeenBy(signer, signers, fields, content, prepared))),
      sessions: own(rows.sessions).map((row) => sessionFacts(row, openedAs(links, signer.slug, row.session), signer)),
      consents: own(rows.consents),
      kba: own(rows.kba),
      link_opens: signer.status === "signed",
    };
  });
}

const savedSigner = ({ email, name, role }: Envelope["signers"][number], index: number): SignerFacts => ({
  slug: null,
  email,
  name,
  role: role ?? null,
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
  { role, slug }: Signer,
): SignerFacts["required_fields"] {
  const filled = new Set(content.filter((one) => one.slug === slug).map(({ position }) => position));
  return stepsOf(fields.filter((field) => field.role === role))
    .filter(({ required, readonly }) => required && !readonly)
    .map((step) => ({ name: step.name, filled: step.fields.every(({ position }) => filled.has(position)) }));
}

/** The document's version and the values of earlier signers: what the document contained when this signer signed. */
function stateSeenBy(
  signer: Signer,
  signers: readonly Signer[],
  fields: readonly SentField[],
  content: readonly SignedContent[],
  prepared_sha256: string,
): string {
  const at = signer.signed_at?.getTime() ?? Infinity;
  const before = new Set(
    signers.filter((other) => other.slug !== signer.slug && (other.signed_at?.getTime() ?? Infinity) < at).map(({ slug }) => slug),
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
}

/**
 * From the chain, because the row can be changed by anyone who can write to the database. If the chain does not mention a link, the link
 * had no secret.
 */
function sessionFacts(row: SessionRow, opened: OpenedEntry, signer: Signer): SessionFacts {
  const { user_email = signer.email, credential = row.credential, message_id, mail_sent_at, issued_by } = opened;
  const link_kind = opened.link_kind ?? (credential === "email_link" ? "shared" : undefined);
  return {
    ...row,
    credential,
    email: user_email,
    ...(link_kind !== undefined && { link_kind }),
    ...(message_id !== undefined && { message_id }),
    ...(mail_sent_at !== undefined && { mail_sent_at }),
    ...(issued_by !== undefined && { issued_by }),
  };
}

/** Matched by signer too: the page chooses the session number, so two signers may have the same. */
function openedAs(links: readonly Link[], slug: string, session: string): OpenedEntry {
  for (const { entry, data } of links) {
    if (entry.type !== "signer.opened" || entry.actor.id !== slug || data === null) continue;
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
