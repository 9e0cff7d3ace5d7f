import { randomBytes } from "node:crypto";
import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import { type Ceremony, look, notNow, signerOf } from "../builtin/ceremony.ts";
import { ensureOpened } from "../builtin/open-signing.ts";
import { notingMismatch } from "../record-mismatch.ts";
import type { SigningDeps } from "../submission.ts";
import { partnerQuestions } from "./partner-questions.ts";

// To think of an answer and to look something up; not to ask around.
const CHALLENGE_MINUTES = 10;

export interface Challenge {
  readonly challenge_id: string;
  readonly slug: Slug;
  readonly session: string;
  readonly round: number;
  readonly set_no: number;
  readonly expires_at: Date;
}

export interface Asked extends Challenge {
  readonly questions: readonly { readonly question_no: number; readonly question: string }[];
  readonly attempts_left: number;
}

/** The questions, for ten minutes. Asking again shows the same ones; a challenge that ran out costs no attempt. */
export function askQuestions(deps: SigningDeps, who: WidgetCaller): Promise<Asked> {
  const slug = signerOf(who);
  const ask = async (tx: Tx): Promise<Asked> => {
    const ceremony = await look(deps, tx, who);
    refuseUnasked(ceremony);
    const material = await partnerQuestions.materialFor(tx, who.org, slug);
    if (material === null) throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
    await ensureOpened(deps, tx, who);
    const { set_no, questions } = material;
    const open = await findOpen(tx, who, slug, set_no);
    const challenge = open ?? (await insertChallenge(tx, who, slug, set_no));
    return { ...challenge, questions, attempts_left: ceremony.identity.attempts_left ?? 0 };
  };
  return notingMismatch(deps, who.org, () => deps.db.tx(who.org, ask));
}

/** There is a question to answer: nobody is asked out of turn, without need, or once they are locked out. */
export function refuseUnasked({ state, identity }: Ceremony): void {
  if (state === "waiting") throw notNow("not_your_turn", "not_your_turn", "somebody before you has not signed yet");
  if (identity.state === "not_required") throw notNow("identity_unavailable", "identity_unavailable", "no questions are asked here");
  if (identity.state === "unavailable") {
    throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
  }
  if (identity.state === "locked") throw notNow("signer_locked", "locked", "the sender must let you try again");
}

const columns = sql`c.challenge_id, c.slug, c.session, c.round, c.set_no, c.issued_at + make_interval(mins => ${CHALLENGE_MINUTES}) as expires_at`;

async function findOpen(read: Read, { org, holder }: WidgetCaller, slug: Slug, set_no: number): Promise<Challenge | null> {
  const { rows } = await read.query<Challenge>(sql`
    select ${columns} from kba_challenges c join signers s on s.org_id = c.org_id and s.slug = c.slug and s.kba_round = c.round
    where c.org_id = ${org} and c.slug = ${slug} and c.session = ${holder.signing_session} and c.set_no = ${set_no}
      and c.issued_at > now() - make_interval(mins => ${CHALLENGE_MINUTES})
      and not exists (select from kba_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id)
    order by c.issued_at desc limit 1`);
  return rows[0] ?? null;
}

async function insertChallenge(tx: Tx, { org, holder }: WidgetCaller, slug: Slug, set_no: number): Promise<Challenge> {
  const { rows } = await tx.query<Challenge>(sql`
    insert into kba_challenges as c (org_id, challenge_id, slug, session, round, set_no)
    select ${org}, ${randomBytes(16).toString("hex")}, ${slug}, ${holder.signing_session}, kba_round, ${set_no}
    from signers where org_id = ${org} and slug = ${slug}
    returning ${columns}`);
  return rows[0] as Challenge;
}

/** One that this sitting was given and that still waits for its answer; null for any other. */
export async function findChallenge(read: Read, org: OrgId, slug: Slug, session: string, challenge_id: string): Promise<Challenge | null> {
  const { rows } = await read.query<Challenge>(sql`
    select ${columns} from kba_challenges c join signers s on s.org_id = c.org_id and s.slug = c.slug and s.kba_round = c.round
    where c.org_id = ${org} and c.challenge_id = ${challenge_id} and c.slug = ${slug} and c.session = ${session}
      and c.issued_at > clock_timestamp() - make_interval(mins => ${CHALLENGE_MINUTES})
      and not exists (select from kba_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id)`);
  return rows[0] ?? null;
}
