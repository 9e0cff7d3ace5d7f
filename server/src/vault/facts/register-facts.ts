import type { Facts } from "@countersign/evidence";
import { type Read, sql } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { keptAttestation } from "../attestation.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import { lookUpEvidence } from "../evidence-file.ts";

type Register = Pick<
  Facts,
  | "attestation"
  | "evidence_file"
  | "certification"
  | "permissions"
  | "members"
  | "custodian_designated"
  | "assignments"
  | "copies"
  | "issued_before"
>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What was declared, who keeps the copy, to whom it is assigned, and what was handed out. */
export async function registerFacts(read: Read, org: OrgId, envelope: Envelope, copy: AuthoritativeCopy | null): Promise<Register> {
  const { envelope_id } = envelope;
  const permissions = await listPermissions(read, org, envelope_id);
  const issues = await listIssues(read, org, envelope_id);
  const since = copy?.stored_at ?? null;
  // Of an envelope that goes into the vault by itself nothing unmarked ever leaves; of another, nothing once it is there.
  const isOfVault = ({ kind, issued_at }: Issue) =>
    kind !== "partial" && (envelope.auto_vault_enabled || (since !== null && issued_at.getTime() >= since.getTime()));
  return {
    attestation: await keptAttestation(read, org, envelope_id),
    evidence_file: await namedEvidence(read, org, envelope_id),
    certification: await findCertification(read, org, envelope_id),
    permissions: permissions.map(({ activated_at, closed_at, ...row }) => ({
      ...row,
      activated_at: iso(activated_at),
      closed_at: iso(closed_at),
    })),
    members: await listMembers(
      read,
      org,
      permissions.map(({ user_id }) => user_id),
    ),
    custodian_designated: false,
    assignments: await listAssignments(read, org, envelope_id),
    copies: issues.filter(isOfVault).map(({ issued_at, ...issue }) => ({ ...issue, issued_at: issued_at.toISOString() })),
    issued_before: issues.filter((issue) => issue.kind === "signed" && !isOfVault(issue)).length,
  };
}

interface PermissionRow extends Omit<Facts["permissions"][number], "activated_at" | "closed_at"> {
  readonly activated_at: Date | null;
  readonly closed_at: Date | null;
}

async function listPermissions(read: Read, org: OrgId, envelope_id: string): Promise<PermissionRow[]> {
  const { rows } = await read.query<PermissionRow>(sql`
    select permission_id, user_id, from_user_id, state, activated_at, closed_at from custodian_permissions
    where org_id = ${org} and envelope_id = ${envelope_id} order by initiated_at, permission_id`);
  return rows;
}

async function listMembers(read: Read, org: OrgId, user_ids: readonly string[]): Promise<Facts["members"]> {
  const { rows } = await read.query<{ user_id: string }>(
    sql`select user_id from members where org_id = ${org} and user_id = any(${user_ids})`,
  );
  const present = new Set(rows.map(({ user_id }) => user_id));
  return [...new Set(user_ids)].map((user_id) => ({ user_id, active: present.has(user_id) }));
}

async function listAssignments(read: Read, org: OrgId, envelope_id: string): Promise<Facts["assignments"]> {
  const { rows } = await read.query<Facts["assignments"][number]>(sql`
    select seq, party, party_sha256, consent, state, entry_seq from assignments
    where org_id = ${org} and envelope_id = ${envelope_id} order by seq`);
  return rows;
}

interface Issue {
  readonly copy_id: string;
  readonly kind: string;
  readonly pages: number;
  readonly marked_pages: number;
  readonly issued_at: Date;
}

async function listIssues(read: Read, org: OrgId, envelope_id: string): Promise<Issue[]> {
  const { rows } = await read.query<Issue>(sql`
    select copy_id, kind, pages, marked_pages, issued_at from copy_issues
    where org_id = ${org} and envelope_id = ${envelope_id} order by issued_at, copy_id`);
  return rows;
}

/** What is found of it is for whoever reads the store. */
async function namedEvidence(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Facts["evidence_file"]> {
  const file = await lookUpEvidence(read, org, envelope_id);
  return file === null ? null : { sha256: file.sha256, size: file.size, found_sha256: null };
}

async function findCertification(read: Read, org: OrgId, envelope_id: string): Promise<Facts["certification"]> {
  const { rows } = await read.query<{ terms_version: string; terms_sha256: string; accepted_at: Date }>(sql`
    select terms_version, terms_sha256, accepted_at from certification_acceptances
    where org_id = ${org} and envelope_id = ${envelope_id} order by accepted_at desc limit 1`);
  return rows[0] === undefined ? null : { ...rows[0], accepted_at: rows[0].accepted_at.toISOString() };
}
