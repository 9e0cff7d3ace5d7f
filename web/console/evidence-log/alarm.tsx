import type { WitnessConflict } from "@countersign/client/types";
import { useId } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";
import { Facts } from "../parts/facts.tsx";
import { Moment } from "../parts/when.tsx";
import { en } from "../words/evidence-log/en.ts";
import { sentence } from "./words.ts";

const w = en.alarm;

/** The conflicts with witnesses that are open: what they mean, and what to do. */
export function Alarm({ conflicts }: { conflicts: readonly WitnessConflict[] }) {
  const id = useId();
  if (conflicts.length === 0) return null;
  return (
    <section class="card fork stack" aria-labelledby={id} role="alert">
      <div class="fork-head">
        <Icon name="bad" />
        <h2 id={id}>{w.forkAlarmA}</h2>
      </div>
      {conflicts.map((conflict) => (
        <Facts
          key={conflict.witness}
          facts={[
            [w.witness, conflict.witness],
            [w.since, <Moment key="since" at={conflict.at} />],
            [w.itRefused, w.theCheckpointWith(en.shared.entries(conflict.tree_size))],
            [w.reason, sentence(conflict.says)],
          ]}
        />
      ))}
      <div class="stack tight">
        <h3>{w.whatItMeans}</h3>
        <p>{w.aWitnessRemembers}</p>
        <p>{w.theServiceContinues}</p>
      </div>
      <div class="stack tight">
        <h3>{w.whatToDo}</h3>
        <ol class="details stack tight">
          <li>{w.tellTheOperator}</li>
          <li>
            {w.theOperatorAsks}
            <code>countersign log show</code>
            {w.prints}
            <code>countersign-verify compare</code>
            {w.looksForA}
          </li>
          <li>
            {w.ifAnOlder}
            <code>countersign log restart --reason "…"</code>
            {w.whichContinuesThe}
          </li>
        </ol>
        <p class="quiet small">{w.theAlarmEnds}</p>
      </div>
    </section>
  );
}
