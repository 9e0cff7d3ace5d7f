import { call } from "../api.ts";
import { ChecksList } from "../checks/checks-list.tsx";
import { Pending } from "../parts/pending.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/deposit/en.ts";
import { type Answers, bestScore, predictCheck } from "./predict-check.ts";

const w = en.preview;

/** The expected results of the eight checks. Open points lower the score but do not block the deposit. */
export function Preview({ envelope_id, answers }: { envelope_id: string; answers: Answers }) {
  const loaded = useLoad(envelope_id, () => call("get_compliance", { params: { envelope_id } }));
  const checks = loaded.data?.checks ?? [];
  const foreseen = checks.map(({ satisfied: _, grade: _g, grade_reason: _r, detail: _d, remedy: _m, ...check }) => {
    const { kind, says } = predictCheck(check.id, answers);
    return { ...check, state: kind, found: says, why: null, remedy: null };
  });
  return (
    <section class="card stack preview" aria-label={w.expectedCheckResults}>
      <h2>{w.expectedCheckResults}</h2>
      <Pending of={loaded} />
      {checks.length > 0 && (
        <>
          <p role="status">
            {w.withTheseAnswers}
            <strong>{w.of100(bestScore(checks, answers))}</strong>
            {w.openPointsLower}
          </p>
          <ChecksList checks={foreseen} />
        </>
      )}
    </section>
  );
}
