import { randomBytes } from "node:crypto";
import type { IdentityMethod } from "@countersign/evidence";
import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { CodeMail } from "../../http/shapes.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId, MessageId, OrgId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { Recipient } from "../submission.ts";
import { PASS_MINUTES } from "./kba/kba-store.ts";
import type { Method, MethodName, Methods, Person } from "./method.ts";
import type { Requirement } from "./requirement.ts";

/** The SQL of codes: what is required, what was sent, and what was answered. Results are only ever inserted. */

/** Replaces what was required before. Returns the number of the set. */
export async function insertRequirements(tx: Tx, org: OrgId, slug: Slug, required: readonly Requirement[]): Promise<number> {
  const { rows } = await tx.query<{ set_no: number }>(sql`
    select coalesce(max(set_no), 0)::int + 1 as set_no from identity_requirements where org_id = ${org} and slug = ${slug}`);
  const set_no = rows[0]?.set_no ?? 1;
  await tx.query(sql`
    update identity_requirements set replaced_at = clock_timestamp() where org_id = ${org} and slug = ${slug} and replaced_at is null`);
  const added = required.map((one, index) => ({ position: index + 1, ...one }));
  await tx.query(sql`
    insert into identity_requirements (org_id, slug, set_no, position, method, code_hash, links_only)
    select ${org}, ${slug}, ${set_no}::int, q.position, q.method, q.code_hash, q.links_only
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as q (position int, method text, code_hash text, links_only boolean)`);
  return set_no;
}

/** For a person who takes the place of another. */
export async function copyRequirements(tx: Tx, org: OrgId, from: Slug, to: Slug): Promise<void> {
  await tx.query(sql`
    insert into identity_requirements (org_id, slug, set_no, position, method, code_hash, links_only)
    select org_id, ${to}, 1, position, method, code_hash, links_only from identity_requirements
    where org_id = ${org} and slug = ${from} and replaced_at is null`);
}

/** Whether a code is required of anyone whom the envelope is for. */
export async function hasRequirements(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const { rowCount } = await read.query(sql`
    select from identity_requirements q join signers s on s.org_id = q.org_id and s.slug = q.slug
    where q.org_id = ${org} and s.envelope_id = ${envelope_id} and s.removed_at is null and q.replaced_at is null limit 1`);
  return rowCount > 0;
}

/** One required method as it stands in one signing session. */
export interface RequirementState {
  readonly method: MethodName;
  readonly set_no: number;
  readonly code_hash: string | null;
  /** not asked of a person with a token of the organization's own application */
  readonly links_only: boolean;
  /** the latest result of this session, since the last reset; null if there is none */
  readonly passed: boolean | null;
  readonly valid_until: Date | null;
  readonly is_valid: boolean | null;
  /** since the last pass or reset, in all signing sessions */
  readonly failures: number;
  /** wrong answers to the latest challenge of this session, if it has not expired */
  readonly tried: number;
}

export const personOf = ({ slug, email, name }: Recipient, { code_hash: material }: Pick<RequirementState, "code_hash">): Person => ({
  slug,
  email,
  name,
  material,
});

/** In the order in which they are asked. */
export async function listRequirementStates(
  methods: Methods,
  read: Read,
  org: OrgId,
  slug: Slug,
  session: string,
): Promise<RequirementState[]> {
  const minutes = JSON.stringify(Object.fromEntries(Object.values(methods).map((one) => [one.name, one.minutes])));
  const { rows } = await read.query<RequirementState>(sql`
    select q.method, q.set_no, q.code_hash, q.links_only, l.passed, l.valid_until, l.valid_until > clock_timestamp() as is_valid,
      (select count(*) from identity_results r
        where r.org_id = q.org_id and r.slug = q.slug and r.method = q.method and not r.passed and r.round = s.kba_round
          and r.at > coalesce((select max(p.at) from identity_results p
            where p.org_id = q.org_id and p.slug = q.slug and p.method = q.method and p.passed), '-infinity'))::int as failures,
      coalesce((select (select count(*) from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id and not r.passed)
        from identity_challenges c
        where c.org_id = q.org_id and c.slug = q.slug and c.method = q.method and c.session = ${session} and c.round = s.kba_round
          and c.set_no = q.set_no and c.issued_at > clock_timestamp() - make_interval(mins => (${minutes}::jsonb ->> q.method)::int)
        order by c.issued_at desc limit 1), 0)::int as tried
    from identity_requirements q join signers s on s.org_id = q.org_id and s.slug = q.slug
    left join lateral (select r.passed, r.at + make_interval(mins => ${PASS_MINUTES}) as valid_until
      from identity_results r join identity_challenges c on c.org_id = r.org_id and c.challenge_id = r.challenge_id
      where r.org_id = q.org_id and r.slug = q.slug and r.method = q.method and r.session = ${session} and r.round = s.kba_round
        and c.set_no = q.set_no
      order by r.at desc limit 1) l on true
    where q.org_id = ${org} and q.slug = ${slug} and q.replaced_at is null order by q.position`);
  return rows;
}

/** What a person was asked for. It can be answered until the answer is right, too often wrong, or late. */
export interface CodeChallenge {
  readonly challenge_id: string;
  readonly session: string;
  readonly round: number;
  readonly set_no: number;
  readonly expires_at: Date;
  /** what the method keeps of the challenge: of a code that is sent, the hash of the last one */
  readonly code_hash: string | null;
  readonly message_id: MessageId | null;
  readonly sends: number;
  readonly sent_at: Date | null;
  readonly tried: number;
}

const columnsOf = ({ minutes }: Asked["method"]) => sql`c.challenge_id, c.session, c.round, c.set_no,
  c.issued_at + make_interval(mins => ${minutes}) as expires_at, c.code_hash, c.message_id, c.sends, c.sent_at,
  (select count(*) from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id)::int as tried`;

interface Asked {
  readonly slug: Slug;
  readonly method: Pick<Method, "name" | "tries" | "minutes">;
}

/** The open challenge of this signing session: by its id, or the latest one. Null if there is none. */
export async function lookUpCodeChallenge(
  read: Read,
  { org, holder }: WidgetCaller,
  { slug, method }: Asked,
  challenge_id: string | null = null,
): Promise<CodeChallenge | null> {
  const { name, tries, minutes } = method;
  const { rows } = await read.query<CodeChallenge>(sql`
    select ${columnsOf(method)} from identity_challenges c join signers s on s.org_id = c.org_id and s.slug = c.slug and s.kba_round = c.round
    where c.org_id = ${org} and c.slug = ${slug} and c.method = ${name} and c.session = ${holder.signing_session}
      and (${challenge_id}::text is null or c.challenge_id = ${challenge_id})
      and c.set_no = (select max(q.set_no) from identity_requirements q
        where q.org_id = c.org_id and q.slug = c.slug and q.method = c.method and q.replaced_at is null)
      and c.issued_at > clock_timestamp() - make_interval(mins => ${minutes})
      and not exists (select from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id and r.passed)
      and (select count(*) from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id) < ${tries}
    order by c.issued_at desc limit 1`);
  return rows[0] ?? null;
}

/** What became of the message with the code that can be entered now; null if there is none. */
export async function lookUpCodeMail(read: Read, who: WidgetCaller, asked: Asked): Promise<CodeMail["state"]> {
  const challenge = await lookUpCodeChallenge(read, who, asked);
  if (challenge?.message_id == null) return null;
  const { rows } = await read.query<{ state: CodeMail["state"] }>(sql`
    select state from mail_messages where org_id = ${who.org} and message_id = ${challenge.message_id}`);
  return rows[0]?.state ?? null;
}

export async function insertCodeChallenge(
  tx: Tx,
  { org, holder }: WidgetCaller,
  { slug, method }: Asked,
  set_no: number,
): Promise<CodeChallenge> {
  const { rows } = await tx.query<CodeChallenge>(sql`
    insert into identity_challenges as c (org_id, challenge_id, slug, session, round, set_no, method, issued_at)
    select ${org}, ${randomBytes(16).toString("hex")}, ${slug}, ${holder.signing_session}, kba_round, ${set_no}, ${method.name}, clock_timestamp()
    from signers where org_id = ${org} and slug = ${slug}
    returning ${columnsOf(method)}`);
  return rows[0] as CodeChallenge;
}

/** Notes what was made, and sent. What was sent before no longer works. */
export async function noteIssued(
  tx: Tx,
  org: OrgId,
  { method }: Asked,
  { challenge_id }: Pick<CodeChallenge, "challenge_id">,
  { kept, message_id }: { readonly kept: string; readonly message_id: MessageId | null },
): Promise<CodeChallenge> {
  const { rows } = await tx.query<CodeChallenge>(sql`
    update identity_challenges c set code_hash = ${kept}, message_id = ${message_id}, sends = sends + 1, sent_at = clock_timestamp()
    where org_id = ${org} and challenge_id = ${challenge_id} returning ${columnsOf(method)}`);
  return rows[0] as CodeChallenge;
}

export async function insertCodeResult(
  tx: Tx,
  org: OrgId,
  { slug, method }: Asked,
  challenge: CodeChallenge,
  passed: boolean,
): Promise<void> {
  const { challenge_id, session, round, tried } = challenge;
  await tx.query(sql`
    insert into identity_results (org_id, challenge_id, try_no, method, slug, session, round, passed, outcomes, at)
    values (${org}, ${challenge_id}, ${tried + 1}, ${method.name}, ${slug}, ${session}, ${round}, ${passed}, '[]', clock_timestamp())`);
}

export interface ShownMethod {
  readonly slug: Slug;
  readonly method: IdentityMethod;
  readonly state: "unavailable" | "required" | "passed" | "locked";
  /** not asked of a person with a token of the organization's own application */
  readonly links_only: boolean;
}

/** What is required of each person of an envelope, as its sender sees it: whether it was passed last, in whichever session. */
export async function listMethodStates(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<ShownMethod[]> {
  const { rows } = await read.query<ShownMethod>(sql`
    select q.slug, q.method, q.links_only,
      case when q.status = 'locked' then 'locked' when q.is_unset then 'unavailable' when l.passed then 'passed' else 'required' end as state
    from (
      select s.org_id, s.slug, s.status, s.kba_round, r.position, r.method, r.links_only, false as is_unset
      from signers s join identity_requirements r on r.org_id = s.org_id and r.slug = s.slug and r.replaced_at is null
      where s.org_id = ${org} and s.envelope_id = ${envelope_id} and s.removed_at is null
      union all
      select s.org_id, s.slug, s.status, s.kba_round, 100, 'kba', false,
        not exists (select from kba_questions k where k.org_id = s.org_id and k.slug = s.slug)
      from signers s join envelopes e on e.org_id = s.org_id and e.envelope_id = s.envelope_id and e.kba_required
      where s.org_id = ${org} and s.envelope_id = ${envelope_id} and s.removed_at is null and s.kind <> 'cc') q
    left join lateral (select p.passed from identity_results p
      where p.org_id = q.org_id and p.slug = q.slug and p.method = q.method and p.round = q.kba_round order by p.at desc limit 1) l on true
    order by q.slug, q.position`);
  return rows;
}
