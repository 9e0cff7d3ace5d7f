import type { ComplianceCheck, ComplianceCheckResult } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { standingIcons } from "../../standing-icons.ts";
import { GradeMeter } from "../../ui/grade-meter.tsx";
import { Icon } from "../../ui/icons.tsx";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { local, utc } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole, isCustodian } from "../session.ts";
import { originOf } from "./api.ts";
import { AttestAgain } from "./attest-again.tsx";
import { Fixes } from "./fixes.tsx";
import { Matches } from "./matches.tsx";
import type { RecordProps } from "./record-props.ts";
import { checkNames, gradeCounts, gradeWords, resultWords } from "./words.tsx";

/** The eight checks as certified. Failed checks come first and are expanded. */
export function Checks(it: RecordProps) {
  const { copy, compliance, envelope_id, done } = it;
  const { checks, evaluated_at } = compliance;
  const { certificate } = copy;
  const counts = gradeCounts(checks);
  const sending = useSending();
  const [isAttesting, setAttesting] = useState(false);
  const sorted = [...checks].sort((a, b) => Number(a.satisfied) - Number(b.satisfied) || a.number - b.number);
  const evaluate = async () => {
    const found = await call("evaluate_compliance", { params: { envelope_id } });
    await done(`Evaluated again: ${resultWords(found)}`, found.standing === "proven" ? "good" : "plain");
  };
  const origin = originOf(copy);
  const mayAttest = origin !== "signed_here" && (copy.state === "active" || copy.state === "escrowed");
  return (
    <>
      <Card
        title={`${checks.filter(({ satisfied }) => satisfied).length} of 8 checks satisfied`}
        {...(hasRole("member") && {
          actions: (
            <>
              {mayAttest && !isAttesting && (
                <button type="button" class="button" onClick={() => setAttesting(true)}>
                  Correct attestation
                </button>
              )}
              <ActionButton sending={sending} busyLabel="Evaluating…" onAction={evaluate}>
                Evaluate again
              </ActionButton>
            </>
          ),
        })}
      >
        <p class="score-line">
          <Icon name={standingIcons[certificate.standing]} />
          <strong>{resultWords(certificate)}</strong>
          <span class="quiet small" title={utc(evaluated_at)}>
            certificate {certificate.revision}, {local(evaluated_at)}
          </span>
        </p>
        {counts.length === 0 ? (
          <p class="quiet">Not graded yet. Evaluate again to see what is proven.</p>
        ) : (
          <div class="stack tight">
            <GradeMeter counts={counts} />
            <p class="quiet small">
              {counts.map(({ grade, count }) => `${count} ${gradeWords[grade]}`).join(", ")}. Anyone can recompute what is proven. What is
              attested rests on a statement of your organization, or only on this installation's clock, lock or key.
            </p>
          </div>
        )}
        <ErrorNotice error={sending.error} />
        <div class="checks">
          {sorted.map((check) => (
            <CheckRow
              key={`${check.number} ${check.satisfied}`}
              {...it}
              check={check}
              onAttest={mayAttest && hasRole("member") ? () => setAttesting(true) : null}
            />
          ))}
        </div>
        <p class="quiet small">The checks report facts recorded by the system. They are not a legal opinion.</p>
        {!hasRole("member") && <p class="quiet small">Only members and admins can evaluate again.</p>}
      </Card>
      {isAttesting && origin !== "signed_here" && <AttestAgain {...it} source={origin} onClose={() => setAttesting(false)} />}
      {compliance.warnings.length > 0 && <Notes {...it} />}
    </>
  );
}

interface CheckRowProps extends RecordProps {
  readonly check: ComplianceCheckResult;
  /** opens the correction of the attestation; null if there is none to correct */
  readonly onAttest: (() => void) | null;
}

/** The checks that rest on what the depositor attested about an upload. */
const attestedChecks: readonly ComplianceCheck[] = ["tamper_evident_record", "signatures_complete", "consent_and_attribution"];

/** For paper also the first: that the paper original is destroyed or kept is attested. */
const restsOnAttestation = ({ id }: ComplianceCheckResult, { copy }: RecordProps): boolean =>
  attestedChecks.includes(id) || (id === "single_authoritative_copy" && originOf(copy) === "paper_upload");

function CheckRow({ check, onAttest, ...it }: CheckRowProps) {
  const { number, id, satisfied, weight, requirement, detail, remedy, legal_reference, grade, grade_reason } = check;
  return (
    <details class={satisfied ? `check ${grade ?? ""}` : "check failed"} open={!satisfied}>
      <summary>
        <Icon name={!satisfied ? "bad" : grade === "attested" ? "attested" : "good"} />
        <span class="check-name">
          {number}. {checkNames[id]}
        </span>
        <span class="check-result small">
          {grade === null ? (satisfied ? "satisfied" : "not satisfied") : gradeWords[grade]}
          <span class="hidden-visually">, {weight} points</span>
        </span>
      </summary>
      <dl class="facts">
        <div>
          <dt>Found</dt>
          <dd>{detail}</dd>
        </div>
        {satisfied && grade !== null && (
          <div>
            <dt>{grade === "proven" ? "Why it is proven" : "Why it is only attested"}</dt>
            <dd>{grade_reason}</dd>
          </div>
        )}
        {remedy !== null && (
          <div>
            <dt>How to fix it</dt>
            <dd>
              {remedy}
              {onAttest !== null && restsOnAttestation(check, it) && (
                <div class="buttons check-fixes">
                  <button type="button" class="button" onClick={onAttest}>
                    Correct what was attested
                  </button>
                </div>
              )}
              <Fixes {...it} check={check} />
              {id === "single_authoritative_copy" && !isCustodian() && <Matches envelope_id={it.envelope_id} done={it.done} />}
            </dd>
          </div>
        )}
        <div>
          <dt>Required</dt>
          <dd>
            {requirement}
            <span class="beside quiet small">
              {legal_reference} · {weight} points
            </span>
          </dd>
        </div>
      </dl>
    </details>
  );
}

function Notes({ compliance }: RecordProps) {
  return (
    <Card title="Notes">
      <p class="quiet small">Notes do not affect the score. They tell readers of the certificate what they should know.</p>
      <ul class="remarks">
        {compliance.warnings.map(({ code, message }) => (
          <li key={code}>
            <Icon name={code === "tamper_detected" ? "bad" : "note"} /> <span>{message}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
