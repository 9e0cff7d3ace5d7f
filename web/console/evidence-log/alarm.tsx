import type { WitnessConflict } from "@countersign/client/types";
import { useId } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";
import { Facts } from "../parts/facts.tsx";
import { Moment } from "../parts/when.tsx";
import { counted, sentence } from "./words.ts";

/** The conflicts with witnesses that are open: what they mean, and what to do. */
export function Alarm({ conflicts }: { conflicts: readonly WitnessConflict[] }) {
  const id = useId();
  if (conflicts.length === 0) return null;
  return (
    <section class="card fork stack" aria-labelledby={id} role="alert">
      <div class="fork-head">
        <Icon name="bad" />
        <h2 id={id}>Fork alarm: a witness has seen another history</h2>
      </div>
      {conflicts.map((conflict) => (
        <Facts
          key={conflict.witness}
          facts={[
            ["Witness", conflict.witness],
            ["Since", <Moment key="since" at={conflict.at} />],
            ["It refused", `The checkpoint with ${counted(conflict.tree_size, "entry", "entries")}`],
            ["Reason", sentence(conflict.says)],
          ]}
        />
      ))}
      <div class="stack tight">
        <h3>What it means</h3>
        <p>
          A witness remembers the latest state of the log that it cosigned. The state that it was asked to cosign now does not continue that
          one. Either the database was restored from a backup that is older than what was published, or entries of the log were changed, or
          the witness is wrong. Evidence that was given out earlier may contradict what this installation shows now.
        </p>
        <p>The service continues. New compliance certificates carry a warning until this is settled.</p>
      </div>
      <div class="stack tight">
        <h3>What to do</h3>
        <ol class="details stack tight">
          <li>Tell the operator of this installation. Keep every evidence bundle and certificate that was downloaded before.</li>
          <li>
            The operator asks the witness for the last note that it cosigned, and compares its name and key with those that{" "}
            <code>countersign log show</code> prints. <code>countersign-verify compare</code> looks for a contradiction between that note
            and evidence bundles.
          </li>
          <li>
            If an older backup was restored on purpose, the operator runs <code>countersign log restart --reason "…"</code>, which continues
            the log under a new name. If not, treat it as a change of the records: keep a copy of the database before anything else is done.
          </li>
        </ol>
        <p class="quiet small">
          The alarm ends when the witness cosigns again, or with a restart of the log. The operator's guide (docs/operations.md) has more
          under “The log”.
        </p>
      </div>
    </section>
  );
}
