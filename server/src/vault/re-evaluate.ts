import { rules2 } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { StoreUnavailable } from "../storage/blob-store.ts";
import { checkpointCovering } from "../transparency/ensure-covered.ts";
import { countUngraded, listUngraded } from "./affected-store.ts";
import { upToStoring } from "./cover-storing.ts";
import { hasSoundTrail } from "./evaluate-record.ts";
import { gatherFacts } from "./gather-facts.ts";
import { issueCertificate } from "./issue-certificate.ts";
import { examineCopy } from "./keeping/verify-copy.ts";
import { type Certificate, lookUpCertificate } from "./store.ts";
import { type PipelineDeps, vaultPath } from "./vault.ts";
import { withoutWriting } from "./without-writing.ts";

// Only ids are read ahead. A record that another process evaluates in the meantime is left alone.
const AT_ONCE = 200;

type Judged = Pick<Certificate, "score" | "proven_score" | "standing"> & { readonly result: object };

/** What became of one record, or in a dry run would become of it. */
export interface ReEvaluated {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  /** counts from 1 */
  readonly number: number;
  readonly score_before: number;
  /** null: not evaluated, because the audit trail is damaged or the evaluation failed */
  readonly now: Pick<Judged, "score" | "proven_score" | "standing"> | null;
  /** checks that were satisfied before and are not any more */
  readonly lost: readonly string[];
  /** why it was not evaluated */
  readonly failure: "trail_damaged" | Error | null;
}

export interface ReEvaluation {
  readonly orgs: readonly OrgId[];
  readonly callerOf: (org: OrgId) => Caller;
  /** evaluates and writes nothing; the time-stamp authority is not asked */
  readonly dry_run: boolean;
  readonly onRecord: (record: ReEvaluated) => void;
  readonly atOnce?: number;
}

export async function countToEvaluate({ db }: Pick<PipelineDeps, "db">, orgs: readonly OrgId[]): Promise<number> {
  let total = 0;
  for (const org of orgs) total += await db.tx(org, (tx) => countUngraded(tx, org));
  return total;
}

/**
 * Evaluates records whose latest certificate was made under rules 1, one after the other. Each one commits alone, so that after an
 * interruption the next run continues with the others. A record that fails stops no other; an unavailable store does.
 */
export async function reEvaluate(deps: PipelineDeps, { orgs, atOnce = AT_ONCE, onRecord, ...how }: ReEvaluation): Promise<void> {
  let number = 0;
  for (const org of orgs) {
    for (let after = 0, isMore = true; isMore; ) {
      const records = await deps.db.tx(org, (tx) => listUngraded(tx, org, after, atOnce));
      for (const { envelope_id } of records) {
        const record = await evaluateOne(deps, org, envelope_id, how);
        // Another process was faster.
        if (record !== null) onRecord({ org_id: org, envelope_id, number: ++number, ...record });
      }
      after = records.at(-1)?.vault_no ?? after;
      isMore = records.length === atOnce;
    }
  }
}

type Outcome = Omit<ReEvaluated, "org_id" | "envelope_id" | "number">;

async function evaluateOne(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  { callerOf, dry_run }: Pick<ReEvaluation, "callerOf" | "dry_run">,
): Promise<Outcome | null> {
  const { before, isSound } = await deps.db.tx(org, async (tx) => ({
    before: await lookUpCertificate(tx, org, envelope_id),
    isSound: await hasSoundTrail(tx, org, envelope_id),
  }));
  if (before === null || before.rules !== 1) return null;
  const not = (failure: Outcome["failure"]): Outcome => ({ score_before: before.score, now: null, lost: [], failure });
  if (!isSound) return not("trail_damaged");
  try {
    const judged = dry_run
      ? await foresee(withoutWriting(deps), org, envelope_id, before.revision + 1)
      : await certify(deps, callerOf(org), envelope_id);
    const { score, proven_score, standing } = judged;
    return { score_before: before.score, now: { score, proven_score, standing }, lost: lostChecks(before, judged), failure: null };
  } catch (error) {
    if (error instanceof StoreUnavailable || !(error instanceof Error)) throw error;
    return not(error);
  }
}

async function certify(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId): Promise<Judged> {
  const { damage } = await examineCopy(deps, caller.org, envelope_id);
  const isDue = ({ rules }: Certificate) => rules === 1;
  return issueCertificate(deps, caller.org, envelope_id, caller, { isDue, ...(damage !== null && { cause: damage }) });
}

async function foresee(deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId, revision: number): Promise<Judged> {
  const links = await deps.db.tx(org, (tx) => readChain(tx, org, envelope_id));
  const covered = await checkpointCovering(deps.log, upToStoring(links));
  const path = vaultPath(org, envelope_id, `certificate-r${revision}.pdf`);
  const evaluation = rules2.evaluate(await gatherFacts(deps, org, envelope_id, { certificate: { revision, path }, covered }));
  const { score, proven_score, standing } = evaluation;
  return { score, proven_score, standing: standing ?? "not_assessed", result: evaluation };
}

function lostChecks(before: Judged, now: Judged): string[] {
  const kept = satisfied(now);
  return satisfied(before).filter((id) => !kept.includes(id));
}

const satisfied = ({ result }: Judged): string[] =>
  ((result as Partial<rules2.GradedEvaluation>).checks ?? []).filter((check) => check.satisfied).map(({ id }) => id);
