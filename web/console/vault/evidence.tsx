import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { useLoad } from "../use-load.ts";
import { Checks } from "./checks.tsx";
import type { RecordProps } from "./record-props.ts";
import { gradeWords } from "./words.tsx";

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
        <Card key={id} title={`Facts by clause: ${title}`}>
          <p class="quiet small">Not part of the score. Whether a clause applies and is met is for you and your counsel.</p>
          <ul class="act-needs">
            {clauses.map(({ clause, fact, grade, reason, entries }) => (
              <li key={clause}>
                <strong>{clause}</strong> <span class="quiet small">{gradeWords[grade]}</span>
                <p>{fact}</p>
                <p class="quiet small">
                  {reason} {entries.length > 0 && `Audit entries: ${entries.join(", ")}.`}
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
    <Card title="Times and witnesses">
      <ErrorNotice error={error} onRetry={reload} />
      <Facts
        facts={[
          ["Times of this record", trail?.grade_reason ?? trail?.detail ?? "Not evaluated yet"],
          [
            "Witnesses of the log",
            data === null ? "…" : witnesses === 0 ? "None. No one outside this installation cosigns its log." : String(witnesses),
          ],
        ]}
      />
      <p>
        <Link to="/evidence-log">Open evidence log</Link>
      </p>
    </Card>
  );
}
