import { type Read, sql } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { SentEnvelope, Signer } from "../submission.ts";
import { hasQuestions } from "./partner-questions.ts";

/** How a signer stands with the questions that show who they are, in one sitting. */
export interface Identity {
  readonly state: "not_required" | "unavailable" | "required" | "passed" | "expired" | "locked";
  /** of a pass: until when a signature can rely on it */
  readonly valid_until: Date | null;
  /** null where nothing is asked */
  readonly attempts_left: number | null;
}

// Long enough to read a contract after the questions; a device that is left open over lunch asks again.
export const PASS_MINUTES = 60;
// One slip is human. More would be guessing.
export const MAX_ATTEMPTS = 2;

const LOCKED: Identity = { state: "locked", valid_until: null, attempts_left: 0 };
const NOT_REQUIRED: Identity = { state: "not_required", valid_until: null, attempts_left: null };
// Whoever is no signer has no questions to answer, and no other way to show who they are.
const NOT_A_SIGNER: Identity = { state: "required", valid_until: null, attempts_left: null };

interface Row {
  /** the latest result of this sitting is a pass of today's questions, since the last reset, and nobody failed since in the signer's name */
  readonly passed: boolean | null;
  readonly valid_until: Date | null;
  readonly is_valid: boolean | null;
  /** since the last pass or reset, in any sitting */
  readonly failures: number;
}

export async function identityOf(
  read: Read,
  org: OrgId,
  { kba_required }: Pick<SentEnvelope, "kba_required">,
  you: Signer | null,
  session: string,
): Promise<Identity> {
  if (!kba_required) return NOT_REQUIRED;
  if (you === null) return NOT_A_SIGNER;
  if (you.status === "locked") return LOCKED;
  if (!(await hasQuestions(read, org, you.slug))) return { state: "unavailable", valid_until: null, attempts_left: null };
  const { passed, valid_until, is_valid, failures } = await resultsOf(read, org, you.slug, session);
  // Whoever signed and comes back for their copy keeps that status; guessing ends for them all the same.
  const attempts_left = MAX_ATTEMPTS - failures;
  if (attempts_left <= 0) return LOCKED;
  if (passed !== true) return { state: "required", valid_until: null, attempts_left };
  return { state: is_valid === true ? "passed" : "expired", valid_until, attempts_left };
}

async function resultsOf(read: Read, org: OrgId, slug: Slug, session: string): Promise<Row> {
  const { rows } = await read.query<Row>(sql`
    select latest.passed, latest.valid_until, latest.valid_until > clock_timestamp() as is_valid, coalesce(f.failures, 0)::int as failures
    from (select count(*) as failures from kba_results r join signers s on s.org_id = r.org_id and s.slug = r.slug
      where r.org_id = ${org} and r.slug = ${slug} and not r.passed and r.round = s.kba_round
        and r.at > coalesce((select max(p.at) from kba_results p where p.org_id = ${org} and p.slug = ${slug} and p.passed), '-infinity')) f
    left join lateral (select r.at + make_interval(mins => ${PASS_MINUTES}) as valid_until,
        r.passed and not exists (
          select from kba_results l where l.org_id = r.org_id and l.slug = r.slug and l.at > r.at and not l.passed) as passed
      from kba_results r join kba_challenges c on c.org_id = r.org_id and c.challenge_id = r.challenge_id
        join signers s on s.org_id = r.org_id and s.slug = r.slug and s.kba_round = r.round
      where r.org_id = ${org} and r.slug = ${slug} and r.session = ${session}
        and c.set_no = (select max(q.set_no) from kba_questions q where q.org_id = ${org} and q.slug = ${slug})
      order by r.at desc limit 1) latest on true`);
  return rows[0] as Row;
}
