import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ChecksList, shownCheck } from "../checks/checks-list.tsx";
import { NameParty } from "../checks/name-party.tsx";
import { plainFinding } from "../checks/plain-finding.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { originOf } from "../vault/api.ts";
import { usePeople } from "../vault/people.ts";
import type { RecordProps } from "../vault/record-props.ts";
import { Remedies } from "../vault/remedies.tsx";
import { resultWords } from "../vault/words.tsx";
import { en as words } from "../words/checks/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";

const AttestAgain = lazy(async () => (await import("../vault/attest-again.tsx")).AttestAgain);

interface ComplianceProps {
  readonly envelope: Envelope;
  /** reloads when this changes */
  readonly changed: string;
  readonly onDone: (words: string) => Promise<void>;
}

export function ComplianceTab(props: ComplianceProps) {
  const { envelope_id, status } = props.envelope;
  return (
    <>
      {status === "vaulted" ? (
        <Certified {...props} />
      ) : (
        <Card title={words.title}>
          <NotYet {...props} />
        </Card>
      )}
      <ApiCall operation="get_compliance" given={{ params: { envelope_id } }} />
    </>
  );
}

/** Before the vault has the document: one line, and what it will need from the sender. */
function NotYet({ envelope, onDone }: ComplianceProps) {
  const { envelope_id, status, metadata } = envelope;
  const { secured_party, auto_vault_enabled } = metadata;
  if (isDiscarded(envelope)) return <p class="quiet">{words.discarded}</p>;
  if (!isDraft(status) && !isOpen(status) && status !== "completed") return <p class="quiet">{words.ended}</p>;
  const when = status !== "completed" ? words.later : auto_vault_enabled ? words.storing : words.toVault;
  return (
    <>
      <p class="quiet">
        {when} {secured_party === null ? words.noParty : words.partyIs(secured_party.name)}
      </p>
      {may("envelopes:write") && <NameParty envelope_id={envelope_id} isOffered={secured_party === null} onNamed={onDone} />}
    </>
  );
}

/** The checks of the latest certificate, with the same remedies as in the vault. */
function Certified({ envelope: { envelope_id, envelope_name }, changed, onDone }: ComplianceProps) {
  const params = { envelope_id };
  const loaded = useLoad(`${envelope_id} ${changed}`, async () => {
    const [copy, compliance] = await Promise.all([call("get_vault_record", { params }), call("get_compliance", { params })]);
    return { copy, compliance };
  });
  const people = usePeople();
  const [isAttesting, setAttesting] = useState(false);
  const { data, error, isSlow, reload } = loaded;
  if (data === null) {
    return <Card title={words.title}>{error !== null ? <ErrorNotice error={error} onRetry={reload} /> : isSlow && <Skeleton />}</Card>;
  }
  const { copy, compliance: found } = data;
  const done = async (message: string) => void (await Promise.all([reload(), onDone(message)]));
  const it: RecordProps = { envelope_id, name: envelope_name, copy, compliance: found, people, done };
  const check = async () => words.checkedAgain(resultWords(await call("evaluate_compliance", { params })));
  const origin = originOf(copy);
  const mayAttest = origin !== "signed_here" && (copy.state === "active" || copy.state === "escrowed") && may("vault:write");
  return (
    <>
      <Card title={words.title}>
        <ErrorNotice error={error} onRetry={reload} />
        <p>
          <strong>{resultWords(found)}</strong> <span class="quiet">{words.certified(<When at={found.evaluated_at} />)}</span>
        </p>
        <ChecksList
          checks={found.checks.map((check) => shownCheck(check, people.nameOf))}
          remedyOf={(one) => <Remedies {...it} check={one} onAttest={mayAttest ? () => setAttesting(true) : null} onCheck={check} />}
        />
        {found.warnings.length > 0 && (
          <div class="stack tight">
            <h3>{words.notes}</h3>
            <ul class="details">
              {found.warnings.map(({ code, message }) => (
                <li key={code}>{plainFinding(message, people.nameOf)}</li>
              ))}
            </ul>
          </div>
        )}
        <p class="quiet small">{words.facts}</p>
      </Card>
      {isAttesting && origin !== "signed_here" && <AttestAgain {...it} source={origin} onClose={() => setAttesting(false)} />}
    </>
  );
}
