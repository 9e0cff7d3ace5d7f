import type { ComplianceCheckResult } from "@countersign/client/pages";
import { dateAndTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { Icon } from "../../ui/icons.tsx";
import { record } from "../record.ts";

/** The eight checks as certified. Failed checks come first and are expanded. */
export function ChecksPart() {
  const now = record.value;
  if (now === null) return null;
  const { revision, score, passed, evaluated_at } = now.certificate;
  const sorted = [...now.checks].sort((a, b) => Number(a.satisfied) - Number(b.satisfied) || a.number - b.number);
  return (
    <>
      <section class="stack tight">
        <h2 tabIndex={-1}>{vault.value.checksTitle}</h2>
        <p class="score">
          <Icon name={passed ? "good" : "bad"} /> {vault.value.score(score, passed)}
        </p>
        <p class="small quiet">
          {vault.value.checksLead(now.checks.filter(({ satisfied }) => satisfied).length)} ·{" "}
          {vault.value.certificateOf(revision, dateAndTime(evaluated_at))}
        </p>
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

/** The sentences come from the certificate and stay in its language. */
function CheckView({ check }: { check: ComplianceCheckResult }) {
  const { number, id, satisfied, weight, requirement, detail, remedy, legal_reference } = check;
  return (
    <details class={satisfied ? "check" : "check failed"} open={!satisfied}>
      <summary>
        <Icon name={satisfied ? "good" : "bad"} />
        <span class="check-name">
          {number}. {vault.value.check[id]}
        </span>
        <span class="check-result small">
          {satisfied ? vault.value.satisfied : vault.value.notSatisfied}
          <span class="hidden-visually">, {vault.value.points(weight)}</span>
        </span>
      </summary>
      <dl class="facts">
        <div>
          <dt>{vault.value.found}</dt>
          <dd lang="en">{detail}</dd>
        </div>
        {remedy !== null && (
          <div>
            <dt>{vault.value.remedy}</dt>
            <dd lang="en">{remedy}</dd>
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
