import type { Envelope } from "@countersign/client/types";
import { call } from "../api.ts";
import { ChecksList, shownCheck } from "../checks/checks-list.tsx";
import { NameParty } from "../checks/name-party.tsx";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { usePeople } from "../vault/people.ts";
import { resultWords } from "../vault/words.tsx";
import { en as words } from "../words/checks/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";

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
      <Card title={words.title}>{status === "vaulted" ? <Certified {...props} /> : <NotYet {...props} />}</Card>
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

/** The checks of the latest certificate. */
function Certified({ envelope: { envelope_id }, changed, onDone }: ComplianceProps) {
  const loaded = useLoad(`${envelope_id} ${changed}`, () => call("get_compliance", { params: { envelope_id } }));
  const people = usePeople();
  const { data: found, error, isSlow, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (found === null) return isSlow ? <Skeleton /> : null;
  const check = async () => {
    await call("evaluate_compliance", { params: { envelope_id } });
    return "";
  };
  const named = (message: string) => Promise.all([reload(), onDone(message)]);
  return (
    <>
      <p>
        <strong>{resultWords(found)}</strong> <span class="quiet">{words.certified(<When at={found.evaluated_at} />)}</span>
      </p>
      <ChecksList
        checks={found.checks.map((check) => shownCheck(check, people.nameOf))}
        remedyOf={({ id, state }) => {
          if (state === "proven" || state === "satisfied") return null;
          if (id === "secured_party" && state === "not_shown" && may("envelopes:write"))
            return <NameParty envelope_id={envelope_id} isOffered onCheck={check} onNamed={named} />;
          return state !== "not_shown" ? null : (
            <div class="buttons">
              <Link to={`/vault/${envelope_id}`} class="button">
                {words.openVault}
              </Link>
            </div>
          );
        }}
      />
      {found.warnings.length > 0 && (
        <div class="stack tight">
          <h3>{words.notes}</h3>
          <ul class="details">
            {found.warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="quiet small">{words.facts}</p>
    </>
  );
}
