import { sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { newSlug, type Slug } from "../shared/slugs.ts";
import { revokeLinks } from "../signing/link-store.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { provenRecord, signersHash } from "../signing/proven-record.ts";
import { insertCorrection, listSigners, replaceSigner } from "../signing/store.ts";
import { atTurn, isSigner, type Recipient, type Signer } from "../signing/submission.ts";
import { type EnvelopeDeps, open } from "./envelope.ts";
import { correct, withdrawLinks } from "./notify.ts";
import { recordDeps } from "./on-submission.ts";
import { lockRow, wrongStatus } from "./store.ts";
import { writeWords } from "./words-store.ts";

export interface Correction {
  readonly email?: string;
  readonly name?: string;
  readonly locale?: Locale | null;
}

export interface Corrected {
  readonly signer: Signer;
  /** the place in the signing order, from 1 */
  readonly order: number;
}

/**
 * Corrects a signer who has not opened the document yet. With another address, they get a new link and the old one stops working; a
 * signer whose turn has not come is notified when it does. A new name or language changes nothing else, and a request that changes
 * nothing has no effect.
 */
export function correctSigner(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  slug: Slug,
  change: Correction,
): Promise<Corrected> {
  const { org } = caller;
  const correctRows = async (tx: Tx): Promise<Corrected> => {
    // The same for a missing envelope, so that the response does not reveal whether it exists.
    findSigner(await listSigners(tx, org, envelope_id), slug);
    const envelope = await lockRow(tx, org, envelope_id);
    // Changes made directly in the signers' rows must not become part of the new hash.
    const { recipients, content_version } = await provenRecord(recordDeps(deps), tx, org, envelope_id);
    const signers = recipients.filter(isSigner);
    const before = findSigner(signers, slug);
    const order = signers.indexOf(before) + 1;
    if (!open.includes(envelope.status)) throw wrongStatus("correct", envelope.status);
    if (before.status !== "pending") throw new Problem("signer_opened");
    const { email = before.email, name = before.name, locale = before.locale } = change;
    const isTaken = recipients.some((other) => other !== before && other.email.toLowerCase() === email.toLowerCase());
    if (isTaken) throw invalidField("email", "duplicate", "belongs to another recipient of this envelope");
    const undrawable = undrawableIn(name, sharedFonts());
    if (undrawable !== null) throw invalidField("name", "invalid_value", undrawable);
    if (email === before.email && name === before.name && locale === before.locale) return { signer: before, order };
    const isMoved = email.toLowerCase() !== before.email.toLowerCase();
    const after = { ...before, email, name, locale, slug: isMoved ? newSlug() : slug };
    if (isMoved) await revokeLinks(tx, org, slug);
    await replaceSigner(tx, org, slug, after);
    await writeWords(tx, org, envelope_id);
    if (isMoved) await insertCorrection(tx, org, envelope_id, before.email);
    if (isMoved) await withdrawLinks(tx, envelope, before.email);
    if (isMoved && atTurn(recipients).includes(before)) await correct(deps, tx, org, envelope, after);
    const named = { from: auditView(before, locale !== before.locale), to: auditView(after, locale !== before.locale) };
    const data = {
      role: before.role,
      ...named,
      ...signersHash(
        recipients.map((one): Recipient => (one === before ? after : one)),
        content_version,
      ),
    };
    await appendAudit(tx, org, { type: "signer.corrected", by: caller, envelope_id, data });
    return { signer: after, order };
  };
  return notingMismatch(recordDeps(deps), org, () => deps.db.tx(org, correctRows));
}

/** The language is included only if it changed. */
const auditView = ({ email, name, locale }: Signer, withLocale: boolean) => ({ email, name, ...(withLocale && { locale }) });

function findSigner(signers: readonly Signer[], slug: Slug): Signer {
  const found = signers.find((signer) => signer.slug === slug);
  if (found === undefined) throw new Problem("signer_not_found");
  return found;
}
