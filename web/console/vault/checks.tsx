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
import { lazy } from "../parts/lazy.tsx";
import { local, utc } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { isCustodian, may } from "../session.ts";
import { en as words } from "../words/checks/en.ts";
import { en } from "../words/vault/en.ts";
import { originOf } from "./api.ts";
import { Fixes } from "./fixes.tsx";
import type { RecordProps } from "./record-props.ts";
import { resultWords } from "./words.tsx";

const AttestAgain = lazy(async () => (await import("./attest-again.tsx")).AttestAgain);
const Matches = lazy(async () => (await import("./matches.tsx")).Matches);

const w = en.checks;

/** The eight checks as certified, with what can be done about each. */
export function Checks(it: RecordProps) {
  const { copy, compliance, envelope_id, done } = it;
  const { checks, evaluated_at } = compliance;
  const { certificate } = copy;
  const sending = useSending();
  const [isAttesting, setAttesting] = useState(false);
  const evaluate = () => call("evaluate_compliance", { params: { envelope_id } });
  const checkAgain = async () => {
    const found = await evaluate();
    await done(w.checksRunAgain(resultWords(found)), found.standing === "proven" ? "good" : "plain");
  };
  const onCheck = async () => w.checksRunAgain(resultWords(await evaluate()));
  const origin = originOf(copy);
  const mayAttest = origin !== "signed_here" && (copy.state === "active" || copy.state === "escrowed");
  const onAttest = mayAttest && may("vault:write") ? () => setAttesting(true) : null;
  return (
    <>
      <Card
        title={words.title}
        {...(may("vault:write") && {
          actions: (
            <>
              {mayAttest && !isAttesting && (
                <button type="button" class="button" onClick={() => setAttesting(true)}>
                  {w.correctAttestation}
                </button>
              )}
              <ActionButton sending={sending} busyLabel={w.runningChecks} onAction={checkAgain}>
                {w.runChecksAgain}
              </ActionButton>
            </>
          ),
        })}
      >
        <p class="score-line">
          {/* Red is for damaged records. */}
          <Icon
            name={certificate.standing === "not_passed" && it.copy.state !== "tampered" ? "open" : standingIcons[certificate.standing]}
          />
          <strong>{resultWords(certificate)}</strong>
          <span class="quiet small" title={utc(evaluated_at)}>
            {w.certificate(certificate.revision, local(evaluated_at))}
          </span>
        </p>
        {checks.every(({ grade }) => grade === null) && <p class="quiet">{w.notGradedYet}</p>}
        <ErrorNotice error={sending.error} />
        <ChecksList
          checks={checks.map((check) => shownCheck(check, it.people.nameOf))}
          remedyOf={(check) => <Remedies {...it} check={check} onAttest={onAttest} onCheck={onCheck} />}
        />
        <p class="quiet small">{w.anyoneCanRecompute(words.facts)}</p>
        {!may("vault:write") && <p class="quiet small">{w.onlyMembersAnd}</p>}
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
  readonly onCheck: () => Promise<string>;
}

/** The checks that rest on what the depositor attested about an upload. */
const attestedChecks: readonly ComplianceCheck[] = ["tamper_evident_record", "signatures_complete", "consent_and_attribution"];

/** For paper also the first: that the paper original is destroyed or kept is attested. */
const restsOnAttestation = ({ id }: ShownCheck, { copy }: RecordProps): boolean =>
  attestedChecks.includes(id) || (id === "single_authoritative_copy" && originOf(copy) === "paper_upload");

/** What can be done about a check, as buttons that open the form for it. */
function Remedies({ check, onAttest, onCheck, ...it }: RemediesProps) {
  const { envelope_id, copy, done } = it;
  const { id, state } = check;
  if (state === "proven" || state === "satisfied") return null;
  const isUnnamed = copy.control.controller === null && copy.state === "active";
  return (
    <>
      {id === "secured_party" && may("vault:write") && (
        <NameParty envelope_id={envelope_id} isOffered={isUnnamed} onCheck={onCheck} onNamed={done} />
      )}
      {state === "not_shown" && onAttest !== null && restsOnAttestation(check, it) && (
        <div class="buttons">
          <button type="button" class="button" onClick={onAttest}>
            {w.correctWhatWas}
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
    <Card title={w.notes}>
      <p class="quiet small">{w.notesDoNot}</p>
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
