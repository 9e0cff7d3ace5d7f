import type { ComplianceCheckResult, ComplianceGrade } from "@countersign/client/types";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

interface ComplianceProps {
  readonly envelope_id: string;
  /** reloads when this changes */
  readonly changed: string;
}

export function ComplianceTab({ envelope_id, changed }: ComplianceProps) {
  return (
    <>
      <Card title="Compliance">
        <ComplianceView envelope_id={envelope_id} changed={changed} />
      </Card>
      <ApiCall operation="get_compliance" given={{ params: { envelope_id } }} />
    </>
  );
}

/** The eight checks: the certified result, or a preview before certification. */
export function ComplianceView({ envelope_id, changed }: ComplianceProps) {
  const loaded = useLoad(`${envelope_id} ${changed}`, () => call("get_compliance", { params: { envelope_id } }));
  const { data: found, error, isSlow, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
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
              {met} of {found.checks.length} checks satisfied
            </strong>
            {isPreview ? " if evaluated now." : "."}
          </p>
          <p class="quiet">
            {isPreview ? (
              "Not certified yet. Steps that signers and the vault have not completed are not counted."
            ) : (
              <>
                Certified <When at={found.evaluated_at} />. <Link to={`/vault/${envelope_id}`}>Open in vault</Link>
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
          <h3>Warnings</h3>
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

const grades: Record<ComplianceGrade, readonly [Tone, string]> = {
  proven: ["good", "Proven"],
  attested: ["caution", "Attested"],
  not_shown: ["waiting", "Not satisfied"],
};

const ungraded = (satisfied: boolean): readonly [Tone, string] => (satisfied ? ["plain", "Satisfied"] : grades.not_shown);

function CheckView({ check }: { check: ComplianceCheckResult }) {
  const { number, requirement, legal_reference, weight, satisfied, detail, remedy, grade } = check;
  const [tone, words] = grade === null ? ungraded(satisfied) : grades[grade];
  return (
    <li class="envelope-check">
      <Chip tone={tone}>{words}</Chip>
      <div class="stack tight">
        <p>
          <strong>
            {number}. {requirement}
          </strong>
        </p>
        <p>{detail}</p>
        {!satisfied && remedy !== null && <p>How to fix: {remedy}</p>}
        <p class="quiet small">
          {weight} points · {legal_reference}
        </p>
      </div>
    </li>
  );
}
