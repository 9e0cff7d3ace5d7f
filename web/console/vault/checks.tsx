import type { ComplianceCheck } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { standingIcons } from "../../standing-icons.ts";
import { Icon } from "../../ui/icons.tsx";
import { call } from "../api.ts";
import { ChecksList, type ShownCheck, shownCheck } from "../checks/checks-list.tsx";
import { NameParty } from "../checks/name-party.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { local, utc } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole, isCustodian } from "../session.ts";
import { en as words } from "../words/checks/en.ts";
import { originOf } from "./api.ts";
import { AttestAgain } from "./attest-again.tsx";
import { Fixes } from "./fixes.tsx";
import { Matches } from "./matches.tsx";
import type { RecordProps } from "./record-props.ts";
import { resultWords } from "./words.tsx";

/** The eight checks as certified, with what can be done about each. */
export function Checks(it: RecordProps) {
  const { copy, compliance, envelope_id, done } = it;
  const { checks, evaluated_at } = compliance;
  const { certificate } = copy;
  const sending = useSending();
  const [isAttesting, setAttesting] = useState(false);
  const evaluate = async (before = "") => {
    const found = await call("evaluate_compliance", { params: { envelope_id } });
    await done(`${before}Checks run again: ${resultWords(found)}`, found.standing === "proven" ? "good" : "plain");
  };
  const origin = originOf(copy);
  const mayAttest = origin !== "signed_here" && (copy.state === "active" || copy.state === "escrowed");
  const onAttest = mayAttest && hasRole("member") ? () => setAttesting(true) : null;
  return (
    <>
      <Card
        title={words.title}
        {...(hasRole("member") && {
          actions: (
            <>
              {mayAttest && !isAttesting && (
                <button type="button" class="button" onClick={() => setAttesting(true)}>
                  Correct attestation
                </button>
              )}
              <ActionButton sending={sending} busyLabel="Running checks…" onAction={() => evaluate()}>
                Run checks again
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
        {checks.every(({ grade }) => grade === null) && <p class="quiet">Not graded yet. Run the checks again to see what is proven.</p>}
        <ErrorNotice error={sending.error} />
        <ChecksList
          checks={checks.map((check) => shownCheck(check, it.people.nameOf))}
          remedyOf={(check) => <Remedies {...it} check={check} onAttest={onAttest} onNamed={(named) => evaluate(`${named} `)} />}
        />
        <p class="quiet small">
          Anyone can recompute what is proven. What is attested rests on a statement of your organization, or only on this installation's
          clock, lock or key. {words.facts}
        </p>
        {!hasRole("member") && <p class="quiet small">Only members and admins can run the checks again.</p>}
      </Card>
      {isAttesting && origin !== "signed_here" && <AttestAgain {...it} source={origin} onClose={() => setAttesting(false)} />}
      {compliance.warnings.length > 0 && <Notes {...it} />}
    </>
  );
}

interface RemediesProps extends RecordProps {
  readonly check: ShownCheck;
  /** opens the correction of the attestation; null if there is none to correct */
  readonly onAttest: (() => void) | null;
  readonly onNamed: (message: string) => Promise<unknown>;
}

/** The checks that rest on what the depositor attested about an upload. */
const attestedChecks: readonly ComplianceCheck[] = ["tamper_evident_record", "signatures_complete", "consent_and_attribution"];

/** For paper also the first: that the paper original is destroyed or kept is attested. */
const restsOnAttestation = ({ id }: ShownCheck, { copy }: RecordProps): boolean =>
  attestedChecks.includes(id) || (id === "single_authoritative_copy" && originOf(copy) === "paper_upload");

/** What can be done about a check, as buttons that open the form for it. */
function Remedies({ check, onAttest, onNamed, ...it }: RemediesProps) {
  const { envelope_id, copy, done } = it;
  const { id, state } = check;
  if (state === "proven" || state === "satisfied") return null;
  const isUnnamed = id === "secured_party" && copy.control.controller === null && copy.state === "active";
  return (
    <>
      {isUnnamed && hasRole("member") && (
        <div class="buttons">
          <NameParty envelope_id={envelope_id} onNamed={onNamed} />
        </div>
      )}
      {state === "not_shown" && onAttest !== null && restsOnAttestation(check, it) && (
        <div class="buttons">
          <button type="button" class="button" onClick={onAttest}>
            Correct what was attested
          </button>
        </div>
      )}
      <Fixes {...it} check={check} />
      {state === "not_shown" && id === "single_authoritative_copy" && !isCustodian() && <Matches envelope_id={envelope_id} done={done} />}
    </>
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
