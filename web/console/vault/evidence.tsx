import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { Checks } from "./checks.tsx";
import type { RecordProps } from "./record-props.ts";
import { gradeWords } from "./words.tsx";

const w = en.evidence;

/** The checks with their grades, and the times that others witnessed. */
export function Evidence(it: RecordProps) {
  return (
    <>
      <Checks {...it} />
      <Annexes {...it} />
      <Times {...it} />
    </>
  );
}

/** Facts beside the clauses of statutes, as the certificate prints them. */
function Annexes({ compliance }: RecordProps) {
  return (
    <>
      {compliance.annexes.map(({ id, title, clauses }) => (
        <Card key={id} title={w.factsByClause(title)}>
          <p class="quiet small">{w.notPartOf}</p>
          <ul class="act-needs">
            {clauses.map(({ clause, fact, grade, reason, entries }) => (
              <li key={clause}>
                <strong>{clause}</strong> <span class="quiet small">{gradeWords[grade]}</span>
                <p>{fact}</p>
                <p class="quiet small">
                  {reason} {entries.length > 0 && w.auditEntries(entries.join(", "))}
                </p>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

function Times({ compliance }: RecordProps) {
  const { data, error, reload } = useLoad("transparency", () => call("get_transparency"));
  const trail = compliance.checks.find(({ id }) => id === "audit_trail");
  const witnesses = data?.witnesses.length ?? 0;
  return (
    <Card title={w.timesAndWitnesses}>
      <ErrorNotice error={error} onRetry={reload} />
      <Facts
        facts={[
          [w.timesOfThis, trail?.grade_reason ?? trail?.detail ?? w.notEvaluatedYet],
          [w.witnessesOfThe, data === null ? "…" : witnesses === 0 ? w.noneNoOne : String(witnesses)],
        ]}
      />
      <p>
        <Link to="/evidence-log">{w.openEvidenceLog}</Link>
      </p>
    </Card>
  );
}
