import type { BatchPlace, Facts, Facts2 } from "@countersign/evidence";
import { type Read, sql } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";

export interface PermissionRow extends Omit<Facts["permissions"][number], "activated_at" | "closed_at"> {
  readonly activated_at: Date | null;
  readonly closed_at: Date | null;
}

export async function listPermissions(read: Read, org: OrgId, envelope_id: string): Promise<PermissionRow[]> {
  const { rows } = await read.query<PermissionRow>(sql`
    select permission_id, user_id, from_user_id, state, activated_at, closed_at from custodian_permissions
    where org_id = ${org} and envelope_id = ${envelope_id} order by initiated_at, permission_id`);
  return rows;
}

export async function listMembers(read: Read, org: OrgId, user_ids: readonly string[]): Promise<Facts["members"]> {
  const { rows } = await read.query<{ user_id: string }>(
    sql`select user_id from members where org_id = ${org} and user_id = any(${user_ids})`,
  );
  const present = new Set(rows.map(({ user_id }) => user_id));
  return [...new Set(user_ids)].map((user_id) => ({ user_id, active: present.has(user_id) }));
}

export async function listAssignments(read: Read, org: OrgId, envelope_id: string): Promise<Facts2["assignments"]> {
  const { rows } = await read.query<Facts2["assignments"][number]>(sql`
    select seq, party, party_sha256, consent, state, entry_seq, party_id from assignments
    where org_id = ${org} and envelope_id = ${envelope_id} order by seq`);
  return rows;
}

type Confirmed = Facts2["acts"][number]["approvals"][number] & { readonly act_id: string };

interface EffectiveAct {
  readonly act_id: string;
  readonly kind: string;
  readonly sha256: string;
  readonly document: string;
  readonly batch: BatchPlace | null;
}

/** The acts that took effect, also those on many records, without the number of their entry, which the chain has. */
export async function listEffectiveActs(read: Read, org: OrgId, envelope_id: string): Promise<Omit<Facts2["acts"][number], "entry_seq">[]> {
  const { rows: acts } = await read.query<EffectiveAct>(sql`
    select act_id, kind, sha256, document, null as batch from control_acts
    where org_id = ${org} and envelope_id = ${envelope_id} and state = 'effective'
    union all
    select a.act_id, a.kind, a.sha256, a.document, jsonb_build_object('index', i.index, 'proof', i.proof, 'item', jsonb_build_object(
      'envelope_id', i.envelope_id, 'copy_sha256', i.copy_sha256, 'expected_version', i.expected_version, 'record_name', i.record_name,
      'present_party', i.present_party))
    from control_batch_items i join control_acts a on a.org_id = i.org_id and a.control_batch_id = i.control_batch_id
    where i.org_id = ${org} and i.envelope_id = ${envelope_id} and i.state = 'done'`);
  const { rows: approvals } = await read.query<Confirmed>(sql`
    select act_id, role, party_id, principal_email as email, method, is_member, proof, approvers_replaced from act_approvals
    where org_id = ${org} and act_id = any(${acts.map(({ act_id }) => act_id)}) and decision = 'confirm' order by act_id, approval_no`);
  return acts.map(({ document, batch, ...act }) => ({
    ...act,
    document: JSON.parse(document),
    ...(batch !== null && { batch }),
    approvals: approvals
      .filter(({ act_id }) => act_id === act.act_id)
      .map(({ act_id: _act, approvers_replaced, ...approval }) => ({
        ...approval,
        ...(approvers_replaced === true && { approvers_replaced }),
      })),
  }));
}

export interface Issue {
  readonly copy_id: string;
  readonly kind: string;
  readonly pages: number;
  readonly marked_pages: number;
  readonly issued_at: Date;
}

export async function listIssues(read: Read, org: OrgId, envelope_id: string): Promise<Issue[]> {
  const { rows } = await read.query<Issue>(sql`
    select copy_id, kind, pages, marked_pages, issued_at from copy_issues
    where org_id = ${org} and envelope_id = ${envelope_id} order by issued_at, copy_id`);
  return rows;
}

export async function lookUpCertification(read: Read, org: OrgId, envelope_id: string): Promise<Facts["certification"]> {
  const { rows } = await read.query<{ terms_version: string; terms_sha256: string; accepted_at: Date }>(sql`
    select terms_version, terms_sha256, accepted_at from certification_acceptances
    where org_id = ${org} and envelope_id = ${envelope_id} order by accepted_at desc limit 1`);
  return rows[0] === undefined ? null : { ...rows[0], accepted_at: rows[0].accepted_at.toISOString() };
}

export interface SignatureRow {
  readonly slug: string;
  readonly position: number;
  readonly kind: "signature" | "initials";
  readonly method: string;
  readonly mark_sha256: string;
  readonly session: string;
  readonly intent_sha256: string;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  readonly applied_at: Date;
  readonly signed_at: Date;
}

export interface ConsentRow {
  readonly slug: string;
  readonly session: string;
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  readonly rendered_at: Date;
  readonly accepted_at: Date;
  readonly withdrawn_at: Date | null;
}

export async function readSignerRows(read: Read, org: OrgId, envelope_id: string) {
  const of = sql`org_id = ${org} and envelope_id = ${envelope_id}`;
  const signatures = await read.query<SignatureRow>(sql`
    select s.slug, s.position, f.type as kind, m.method, s.mark_sha256, s.session, s.intent_sha256, s.prepared_sha256, s.state_sha256,
      s.applied_at, s.signed_at
    from signatures s join envelope_fields f using (org_id, envelope_id, position)
      join adopted_marks m on m.org_id = s.org_id and m.slug = s.slug and m.sha256 = s.mark_sha256
    where s.org_id = ${org} and s.envelope_id = ${envelope_id} order by s.position`);
  const sessions = await read.query<{
    slug: string;
    session: string;
    credential: string;
    ip: string;
    user_agent: string;
    opened_at: Date;
  }>(sql`
    select slug, session, credential, ip, user_agent, opened_at from signing_sessions where ${of} order by opened_at, session`);
  const consents = await read.query<ConsentRow>(sql`
    select slug, session, disclosure_version, disclosure_sha256, rendered_at, accepted_at, withdrawn_at from consents where ${of}
    order by slug, consent_no`);
  const kba = await read.query<{ slug: string; session: string; passed: boolean; at: Date }>(sql`
    select r.slug, r.session, r.passed, r.at from identity_results r join signers s on s.org_id = r.org_id and s.slug = r.slug
    where r.org_id = ${org} and s.envelope_id = ${envelope_id} and r.method = 'kba' order by r.at`);
  return {
    signatures: signatures.rows,
    sessions: sessions.rows.map(({ opened_at, ...row }) => ({ ...row, opened_at: opened_at.toISOString() })),
    consents: consents.rows.map(({ rendered_at, accepted_at, withdrawn_at, ...row }) => ({
      ...row,
      rendered_at: rendered_at.toISOString(),
      accepted_at: accepted_at.toISOString(),
      withdrawn_at: withdrawn_at?.toISOString() ?? null,
    })),
    kba: kba.rows.map(({ at, ...row }) => ({ ...row, provider: "partner_questions", at: at.toISOString() })),
  };
}

export interface AgreedText {
  readonly kind: Facts["texts"][number]["kind"];
  readonly version: string;
  readonly sha256: string;
}

export async function listAgreedTexts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<AgreedText[]> {
  const { rows } = await read.query<AgreedText>(sql`
    select 'disclosure' as kind, disclosure_version as version, disclosure_sha256 as sha256 from consents
    where org_id = ${org} and envelope_id = ${envelope_id}
    union
    select 'intent', intent_version, intent_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id}
    union
    select 'agreement', agreement_version, agreement_sha256 from maker_agreements where org_id = ${org} and envelope_id = ${envelope_id}
    union
    select 'terms', terms_version, terms_sha256 from certification_acceptances where org_id = ${org} and envelope_id = ${envelope_id}
    order by kind, version, sha256`);
  return rows;
}
