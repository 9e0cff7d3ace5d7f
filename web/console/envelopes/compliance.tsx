import type { ComplianceCheckResult } from "@countersign/client/types";
import { call } from "../api.ts";
import { useAsked } from "../asked.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { When } from "../parts/when.tsx";

interface ComplianceProps {
  readonly envelope_id: string;
  /** asked again when it changes */
  readonly changed: string;
}

export function CompliancePart({ envelope_id, changed }: ComplianceProps) {
  return (
    <>
      <Card title="Compliance">
        <ComplianceView envelope_id={envelope_id} changed={changed} />
      </Card>
      <ApiCall operation="get_compliance" given={{ params: { envelope_id } }} />
    </>
  );
}

/** The eight checks: as they were certified, and before that as they would come out now. */
export function ComplianceView({ envelope_id, changed }: ComplianceProps) {
  const asked = useAsked(`${envelope_id} ${changed}`, () => call("get_compliance", { params: { envelope_id } }));
  const { data: found, error, isSlow, reload } = asked;
  if (error !== null) return <Trouble of={error} again={reload} />;
  if (found === null) return isSlow ? <Skeleton /> : null;
  const isPreview = found.certificate_path === null;
  const sorted = [...found.checks].sort((a, b) => Number(a.satisfied) - Number(b.satisfied) || a.number - b.number);
  const met = found.checks.filter(({ satisfied }) => satisfied).length;
  return (
    <>
      <div class="envelope-score">
        <p class="envelope-score-figure">
          {found.score}
          <span class="quiet"> of 100</span>
        </p>
        <div>
          <p>
            <strong>
              {met} of {found.checks.length} checks are met
            </strong>
            {isPreview ? ", as it would come out now." : "."}
          </p>
          <p class="quiet">
            {isPreview ? (
              "Nothing is certified yet: what signers and the vault still do counts only once it is done."
            ) : (
              <>
                Certified <When at={found.evaluated_at} />. <Link to={`/vault/${envelope_id}`}>Show it in the vault</Link>
              </>
            )}
          </p>
        </div>
      </div>
      <ol class="envelope-checks">
        {sorted.map((check) => (
          <CheckView key={check.number} check={check} />
        ))}
      </ol>
      {found.warnings.length > 0 && (
        <div class="stack tight">
          <h3>Remarks</h3>
          <ul class="details">
            {found.warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function CheckView({ check }: { check: ComplianceCheckResult }) {
  const { number, requirement, legal_reference, weight, satisfied, detail, remedy } = check;
  return (
    <li class="envelope-check">
      <Chip tone={satisfied ? "good" : "waiting"}>{satisfied ? "Met" : "Not met"}</Chip>
      <div class="stack tight">
        <p>
          <strong>
            {number}. {requirement}
          </strong>
        </p>
        <p>{detail}</p>
        {!satisfied && remedy !== null && <p>What helps: {remedy}</p>}
        <p class="quiet small">
          {weight} points · {legal_reference}
        </p>
      </div>
    </li>
  );
}
