import type { ComplianceCheckResult } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { plainRemedy } from "../../ui/plain-remedy.ts";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en as words } from "../words/checks/en.ts";
import { plainFinding } from "./plain-finding.ts";

/** `answered`, `open` and `later` are what the answers of a deposit mean for a check before it is made. */
export type CheckState = keyof typeof words.states;

export interface ShownCheck extends Pick<ComplianceCheckResult, "id" | "number" | "weight" | "requirement" | "legal_reference"> {
  readonly state: CheckState;
  /** what was found, in a sentence */
  readonly found: string;
  /** why it has its grade; null if that says no more */
  readonly why: string | null;
  readonly remedy: string | null;
}

/** A check as the API has it. A certificate from before grades says only whether it is satisfied. */
export function shownCheck(
  { satisfied, grade, grade_reason, detail, remedy, ...check }: ComplianceCheckResult,
  nameOf: (user_id: string) => string,
): ShownCheck {
  const state = grade ?? (satisfied ? "satisfied" : "not_shown");
  const why = satisfied && grade_reason !== null && grade_reason !== detail ? plainFinding(grade_reason, nameOf) : null;
  return { ...check, state, found: plainFinding(detail, nameOf), why, remedy: plainRemedy(remedy) };
}

interface ChecksListProps {
  readonly checks: readonly ShownCheck[];
  /** the buttons of a check that could be better; nothing if there is none */
  readonly remedyOf?: (check: ShownCheck) => ComponentChildren;
  /** small, beside what the checks rest on */
  readonly score?: string;
}

const order: readonly CheckState[] = ["not_shown", "open", "attested", "answered", "later", "satisfied", "proven"];
const counted: readonly CheckState[] = ["proven", "satisfied", "attested", "answered", "later", "not_shown", "open"];

/** The eight checks: what was found, how well it is shown, and what can be done. Those with something to do come first. */
export function ChecksList({ checks, remedyOf, score }: ChecksListProps) {
  const sorted = [...checks].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.number - b.number);
  const counts = counted
    .map((state) => ({ state, count: checks.filter((check) => check.state === state).length }))
    .filter(({ count }) => count > 0);
  return (
    <div class="checks-list stack tight">
      <p class="checks-counts">
        <span>{counts.map(({ state, count }) => words.counts[state](count)).join(", ")}</span>
        {score !== undefined && <span class="quiet small">{score}</span>}
      </p>
      <div class="checks-meter" aria-hidden="true">
        {counts.flatMap(({ state, count }) => Array.from({ length: count }, (_, nth) => <span key={`${state} ${nth}`} class={state} />))}
      </div>
      <ul>
        {sorted.map((check) => (
          <CheckRow key={check.id} check={check} remedies={remedyOf?.(check) ?? null} />
        ))}
      </ul>
    </div>
  );
}

const looks: Record<CheckState, readonly [IconName, Tone]> = {
  proven: ["good", "good"],
  satisfied: ["note", "plain"],
  attested: ["attested", "going"],
  answered: ["attested", "going"],
  not_shown: ["open", "caution"],
  open: ["open", "caution"],
  later: ["note", "plain"],
};

function CheckRow({ check, remedies }: { check: ShownCheck; remedies: ComponentChildren }) {
  const { id, state, found, why, remedy, requirement, legal_reference, weight } = check;
  const [icon, tone] = looks[state];
  return (
    <li class={`checks-row ${state}`}>
      <Icon name={icon} />
      <div class="checks-body">
        <h3>{words.names[id]}</h3>
        <p>{found}</p>
        {remedy !== null && <p class="quiet">{remedy}</p>}
        {remedies}
        <details>
          <summary>{words.required}</summary>
          {why !== null && (
            <p>
              <strong>{state === "proven" ? words.proven : words.attested}.</strong> {why}
            </p>
          )}
          <p>
            {requirement} <span class="quiet">{`${legal_reference} · ${words.points(weight)}`}</span>
          </p>
        </details>
      </div>
      <Chip tone={tone} glyph={null}>
        {words.states[state]}
      </Chip>
    </li>
  );
}
