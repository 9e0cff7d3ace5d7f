import type { ComplianceCheckResult, ComplianceGrade } from "@countersign/client/pages";
import { dateAndTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { GradeMeter } from "../../ui/grade-meter.tsx";
import { Icon } from "../../ui/icons.tsx";
import { plainRemedy } from "../../ui/plain-remedy.ts";
import { record } from "../record.ts";
import { Score } from "./score.tsx";

/** The eight checks as certified. Failed checks come first and are expanded. */
export function ChecksPart() {
  const now = record.value;
  if (now === null) return null;
  const { revision, evaluated_at } = now.certificate;
  const sorted = [...now.checks].sort((a, b) => Number(a.satisfied) - Number(b.satisfied) || a.number - b.number);
  return (
    <>
      <section class="stack tight">
        <h2 tabIndex={-1}>{vault.value.checksTitle}</h2>
        <Score />
        <p class="small quiet">
          {vault.value.checksLead(now.checks.filter(({ satisfied }) => satisfied).length)} ·{" "}
          {vault.value.certificateOf(revision, dateAndTime(evaluated_at))}
        </p>
        <Grades checks={now.checks} />
      </section>
      <div class="checks">
        {sorted.map((check) => (
          <CheckView key={check.number} check={check} />
        ))}
      </div>
      {now.warnings.length > 0 && (
        <section class="stack tight">
          <h2>{vault.value.remarks}</h2>
          <ul class="lines small" lang="en">
            {now.warnings.map(({ code, message }) => (
              <li key={code}>
                <Icon name={code === "tamper_detected" ? "bad" : "note"} /> <span>{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="small quiet">{vault.value.noOpinion}</p>
    </>
  );
}

/** How many checks have which grade, and what the grades mean. A certificate from before grades has none. */
function Grades({ checks }: { checks: readonly ComplianceCheckResult[] }) {
  const { gradeCount, gradesMean } = vault.value;
  const counts = (Object.keys(gradeCount) as ComplianceGrade[])
    .map((grade) => ({ grade, count: checks.filter((check) => check.grade === grade).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return null;
  return (
    <>
      <GradeMeter counts={counts} />
      <p class="small">{counts.map(({ grade, count }) => gradeCount[grade](count)).join(", ")}</p>
      <p class="small quiet">{gradesMean}</p>
    </>
  );
}

/** The sentences come from the certificate and stay in its language. */
function CheckView({ check }: { check: ComplianceCheckResult }) {
  const { number, id, satisfied, weight, requirement, detail, remedy, legal_reference, grade, grade_reason } = check;
  const advice = plainRemedy(remedy);
  return (
    <details class={satisfied ? `check ${grade ?? ""}` : "check failed"} open={!satisfied}>
      <summary>
        <Icon name={!satisfied ? "bad" : grade === "attested" ? "attested" : "good"} />
        <span class="check-name">
          {number}. {vault.value.check[id]}
        </span>
        <span class="check-result small">
          {grade !== null ? vault.value.grade[grade] : satisfied ? vault.value.satisfied : vault.value.notSatisfied}
          <span class="hidden-visually">, {vault.value.points(weight)}</span>
        </span>
      </summary>
      <dl class="facts">
        <div>
          <dt>{vault.value.found}</dt>
          <dd lang="en">{detail}</dd>
        </div>
        {grade !== null && grade_reason !== null && grade_reason !== detail && (
          <div>
            <dt>{vault.value.why[grade]}</dt>
            <dd lang="en">{grade_reason}</dd>
          </div>
        )}
        {remedy !== null && (
          <div>
            <dt>{vault.value.remedy}</dt>
            {advice === null ? <dd>{vault.value.remedyElsewhere}</dd> : <dd lang="en">{advice}</dd>}
          </div>
        )}
        <div>
          <dt>
            {vault.value.requirement} · {vault.value.points(weight)}
          </dt>
          <dd lang="en">
            {requirement} <span class="quiet small">{legal_reference}</span>
          </dd>
        </div>
      </dl>
    </details>
  );
}
