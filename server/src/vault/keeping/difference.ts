import {
  canonicalize,
  hashOfJson,
  type Json,
  type Link,
  type Milestone,
  NotCanonical,
  replayAssignments,
  replayCustody,
  rules2,
} from "@countersign/evidence";
import type { SecuredParty } from "../../envelopes/envelope.ts";
import { type EndingId, type ExportId, isId, type VaultTransferId } from "../../shared/ids.ts";
import type { AuthoritativeCopy, CopyState } from "../copy.ts";
import type { AssignmentRow, CertificateRow, PermissionRow } from "./store.ts";

/** Rows contain the current state, audit entries how it came about. The entries are verified, so a row that differs was changed. */

export interface Rows {
  readonly copy: AuthoritativeCopy;
  readonly secured_party: SecuredParty | null;
  readonly permissions: readonly PermissionRow[];
  readonly assignments: readonly AssignmentRow[];
  readonly certificates: readonly CertificateRow[];
  readonly escrow: ExportId | VaultTransferId | EndingId | null;
}

/** A difference: what the record says and what was found. */
export interface Damage {
  readonly what: string;
  readonly expected: Json;
  readonly found: Json;
}

/** The first difference; null if every row matches the chain. The chain itself is already verified. */
export function differenceOf(links: readonly Link[], rows: Rows): Damage | null {
  const trail = { links, milestones: rules2.withTransfersSettled(rules2.milestonesOf(links)) };
  for (const differs of [copyDiffers, retentionDiffers, stateDiffers, custodyDiffers, registerDiffers, certificatesDiffer]) {
    const damage = differs(trail, rows);
    if (damage !== null) return damage;
  }
  return null;
}

interface Trail {
  readonly links: readonly Link[];
  readonly milestones: readonly Milestone[];
}

type Comparison = (trail: Trail, rows: Rows) => Damage | null;

const copyDiffers: Comparison = ({ links }, { copy }) => {
  const stored = dataOf(links, "vault.stored")[0] ?? null;
  const { copy_id, sha256: hash, size, content_sha256, parent_sha256, source, seal_id } = copy;
  const row = { copy_id, hash, size, content_sha256, parent_sha256, source, seal_id };
  return unequal("the copy's row", stored === null ? null : picked(stored, Object.keys(row)), row);
};

const retentionDiffers: Comparison = ({ links }, { copy }) => {
  const promised = dataOf(links, "vault.stored", "vault.retention_extended").at(-1)?.retention_until ?? null;
  return unequal("the end of retention", promised, copy.retention_until.toISOString());
};

/** A live copy has not left. It is in escrow if and only if an export, a transfer to another vault or its replacement by paper holds it. */
const stateDiffers: Comparison = ({ milestones }, { copy, escrow }) => {
  const exported = milestones.some(({ type }) => type === "vault.exported");
  return unequal("the copy's state", exported ? "exported" : held(escrow), copy.state);
};

function held(escrow: Rows["escrow"]): CopyState {
  if (escrow === null) return "active";
  return isId("recordEnding", escrow) ? "papering" : "escrowed";
}

const custodyDiffers: Comparison = ({ milestones }, { permissions }) => {
  const { permissions: replayed, fault } = replayCustody(milestones);
  if (fault !== null) return { what: "custody", expected: `entry ${fault.seq} to follow from those before it`, found: fault.reason };
  const recorded = replayed.map(({ permission_id, user_id, from_user_id, state }) => ({ permission_id, user_id, from_user_id, state }));
  return unequal("custody", byId(recorded), byId(permissions));
};

const byId = (rows: readonly PermissionRow[] | readonly { permission_id: string }[]): Json =>
  [...rows].sort((a, b) => (a.permission_id < b.permission_id ? -1 : 1)).map((row) => ({ ...row }));

const registerDiffers: Comparison = ({ milestones }, { assignments, secured_party }) => {
  const { assignments: replayed, fault } = replayAssignments(milestones);
  if (fault !== null) return { what: "the register", expected: `entry ${fault.seq} to follow from those before it`, found: fault.reason };
  const recorded = replayed.map(({ seq, party, party_sha256, consent, entry_seq }) => ({ seq, party, party_sha256, consent, entry_seq }));
  const damage = unequal("the register", recorded, assignments as unknown as Json);
  if (damage !== null || recorded.length === 0) return damage;
  return unequal("the secured party", recorded.at(-1)?.party_sha256 ?? null, secured_party === null ? null : hashOf(secured_party));
};

const certificatesDiffer: Comparison = ({ links }, { copy, certificates }) => {
  const members = ["revision", "score", "facts_sha256", "json_sha256", "pdf_sha256"];
  const recorded = dataOf(links, "vault.certificate.issued").map((data) => picked(data, members));
  const damage = unequal("the certificates", recorded, certificates as unknown as Json);
  return damage ?? unequal("the score", certificates.at(-1)?.score ?? null, copy.score);
};

/** The data of entries of these types, in the order of the chain. */
function dataOf(links: readonly Link[], ...types: readonly string[]): Record<string, Json>[] {
  return links.filter(({ entry }) => types.includes(entry.type)).map(({ data }) => Object(data?.data) as Record<string, Json>);
}

function picked(data: Record<string, Json>, members: readonly string[]): Json {
  return Object.fromEntries(members.map((name) => [name, data[name] ?? null]));
}

function unequal(what: string, expected: Json, found: Json): Damage | null {
  return canonicalOrNull(expected) === canonicalOrNull(found)
    ? null
    : { what, expected, found: canonicalOrNull(found) === null ? "not canonical JSON" : found };
}

/** Null for a value that could not have been recorded: a changed row may contain anything. */
function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalize(value);
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}

const hashOf = (party: SecuredParty): string => (canonicalOrNull(party) === null ? "not canonical JSON" : hashOfJson(party));
