import { useState } from "preact/hooks";
import { standingIcons } from "../../standing-icons.ts";
import { Icon } from "../../ui/icons.tsx";
import { call } from "../api.ts";
import { ChecksList, shownCheck } from "../checks/checks-list.tsx";
import { plainFinding } from "../checks/plain-finding.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { local, utc } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en as words } from "../words/checks/en.ts";
import { en } from "../words/vault/en.ts";
import { originOf } from "./api.ts";
import type { RecordProps } from "./record-props.ts";
import { Remedies } from "./remedies.tsx";
import { resultWords } from "./words.tsx";

const AttestAgain = lazy(async () => (await import("./attest-again.tsx")).AttestAgain);

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

function Notes({ compliance, people }: RecordProps) {
  return (
    <Card title={w.notes}>
      <p class="quiet small">{w.notesDoNot}</p>
      <ul class="remarks">
        {compliance.warnings.map(({ code, message }) => (
          <li key={code}>
            <Icon name={code === "tamper_detected" ? "bad" : "note"} /> <span>{plainFinding(message, people.nameOf)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
