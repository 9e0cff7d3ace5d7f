import { Icon } from "../../ui/icons.tsx";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { type Answers, bestScore, type Prediction, predictCheck } from "./predict-check.ts";
import { checkNames } from "./words.tsx";

const icons: Record<Prediction["kind"], "good" | "note" | "bad"> = { answered: "good", open: "bad", later: "note" };
const words: Record<Prediction["kind"], string> = { answered: "Answered", open: "Open", later: "Checked later" };

/** The expected results of the eight checks. Open points lower the score but do not block the deposit. */
export function Preview({ envelope_id, answers }: { envelope_id: string; answers: Answers }) {
  const loaded = useLoad(envelope_id, () => call("get_compliance", { params: { envelope_id } }));
  const checks = loaded.data?.checks ?? [];
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
          <ol class="foreseen">
            {checks.map(({ number, id, weight, requirement }) => {
              const { kind, says } = predictCheck(id, answers);
              return (
                <li key={id} title={requirement}>
                  <Icon name={icons[kind]} />
                  <span>
                    <strong>
                      {number}. {checkNames[id]}
                    </strong>
                    <span class="hint">
                      {words[kind]}, {weight} points. {says}
                    </span>
                  </span>
                </li>
              );
            })}
          </ol>
        </>
      )}
    </section>
  );
}
