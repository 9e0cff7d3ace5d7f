import { Icon } from "../../ui/icons.tsx";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { type Answers, bestScore, type Foreseen, foresee } from "./foresee.ts";
import { checkNames } from "./words.tsx";

const icons: Record<Foreseen["kind"], "good" | "note" | "bad"> = { answered: "good", open: "bad", later: "note" };
const words: Record<Foreseen["kind"], string> = { answered: "Answered", open: "Open", later: "By the service" };

/** What the eight checks would make of the answers so far. What is open costs points and stops nobody. */
export function Preview({ envelope_id, answers }: { envelope_id: string; answers: Answers }) {
  const loaded = useLoad(envelope_id, () => call("get_compliance", { params: { envelope_id } }));
  const checks = loaded.data?.checks ?? [];
  return (
    <section class="card stack preview" aria-label="What the checks will find">
      <h2>What the checks will find</h2>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {checks.length > 0 && (
        <>
          <p role="status">
            With these answers <strong>{bestScore(checks, answers)} of 100</strong> at most. What is open costs points and stops nothing; it
            can be attested later.
          </p>
          <ol class="foreseen">
            {checks.map(({ number, id, weight, requirement }) => {
              const { kind, says } = foresee(id, answers);
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
