import { appendAudit } from "../../audit/append-audit.ts";
import type { Member } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { oneLine } from "../plain-text.ts";
import { type DnsRecord, isOfKind, matches, recordsOf } from "./records.ts";
import type { Check, Checks, MailSender, SenderDeps } from "./sender.ts";
import { lockSender, lookUpSender, saveChecks } from "./store.ts";

const WITHIN_MS = 5_000;
const SHOWN_TEXTS = 5;
const SHOWN_CHARACTERS = 600;

interface Checked {
  readonly sender: MailSender;
  readonly checks: Checks;
}

/**
 * Looks up the DNS records. The sender is verified if the DKIM record has our key: only the owner of the domain can publish it, and
 * receivers can then check every message (DMARC passes with DKIM alone). If a later check finds no such record, the installation's sender is
 * used again. Name servers that do not answer change nothing.
 */
export const checkSender = { prepare, save };

async function prepare(deps: SenderDeps, { org }: Member): Promise<Checked> {
  const sender = await deps.db.tx(org, (tx) => lookUpSender(tx, org));
  if (sender === null) throw new Problem("mail_sender_missing");
  const found = await Promise.all(recordsOf(sender).map(async (record) => [record.record, await checkOf(deps, record)] as const));
  return { sender, checks: Object.fromEntries(found) as Checks };
}

async function checkOf({ dns }: SenderDeps, record: DnsRecord): Promise<Check> {
  const texts = await dns.resolveTexts(record.name, WITHIN_MS);
  if (texts === null) return { state: "unknown", found: [] };
  const ofKind = texts.filter((text) => isOfKind(record, text));
  const found = ofKind.slice(0, SHOWN_TEXTS).map((text) => oneLine(text, SHOWN_CHARACTERS));
  if (ofKind.some((text) => matches(record, text))) return { state: "found", found };
  return { state: ofKind.length === 0 ? "missing" : "different", found };
}

function save(deps: SenderDeps, admin: Member, { sender, checks }: Checked): Promise<MailSender> {
  const { org } = admin;
  return deps.db.tx(org, async (tx) => {
    const now = await lockSender(tx, org);
    // The records were those of a sender that has been changed since.
    if (now === null || now.dkim_selector !== sender.dkim_selector || now.from_address !== sender.from_address)
      throw new Problem("mail_sender_changed");
    const verified_at = verifiedAt(now, checks, tx.now);
    await saveChecks(tx, org, checks, verified_at);
    const states = Object.fromEntries(Object.entries(checks).map(([record, { state }]) => [record, state]));
    const data = { from_address: now.from_address, ...states, verified: verified_at !== null };
    await appendAudit(tx, org, { type: "mail_sender.checked", by: admin, data });
    return { ...now, checks, checked_at: tx.now, verified_at };
  });
}

function verifiedAt({ verified_at }: MailSender, { dkim }: Checks, now: Date): Date | null {
  if (dkim.state === "unknown") return verified_at;
  return dkim.state === "found" ? (verified_at ?? now) : null;
}
