import { call } from "../api.ts";
import { ChecksList } from "../checks/checks-list.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { type Answers, bestScore, predictCheck } from "./predict-check.ts";

/** The expected results of the eight checks. Open points lower the score but do not block the deposit. */
export function Preview({ envelope_id, answers }: { envelope_id: string; answers: Answers }) {
  const loaded = useLoad(envelope_id, () => call("get_compliance", { params: { envelope_id } }));
  const checks = loaded.data?.checks ?? [];
  const foreseen = checks.map(({ satisfied: _, grade: _g, grade_reason: _r, detail: _d, remedy: _m, ...check }) => {
    const { kind, says } = predictCheck(check.id, answers);
    return { ...check, state: kind, found: says, why: null, remedy: null };
  });
  return (
    <section class="card stack preview" aria-label="Expected check results">
      <h2>Expected check results</h2>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {checks.length > 0 && (
        <>
          <p role="status">
            With these answers, at most <strong>{bestScore(checks, answers)} of 100</strong>. Open points lower the score but do not block
            the deposit. You can attest them later.
          </p>
          <ChecksList checks={foreseen} />
        </>
      )}
    </section>
  );
}
