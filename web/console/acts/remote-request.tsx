import type { ActDecision, RemoteRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { clauseOf, type DocumentNeed, documentOf, partyWords, roleWords, sentence, subjectRows } from "../../act-words.ts";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { AreaField } from "../parts/field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { showToast } from "../parts/toast.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { may, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/acts/en.ts";
import { RequestChip, refusalOf, requestSentence } from "./remote-words.tsx";
import { kindWords } from "./words.tsx";

const w = en.remoteRequest;

/** One request of an organization at another installation. */
export function RemoteRequestScreen({ params: { request_id = "" } }: ScreenProps) {
  const params = { request_id };
  const loaded = useLoad(request_id, () => call("get_remote_request", { params }));
  const above = <Link to="/acts?tab=requests">{w.requestsFromOthers}</Link>;
  const { data: request, error } = loaded;
  if (request === null) {
    return (
      <Screen title={w.request} above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const decided = (now: RemoteRequest) => {
    loaded.put(now);
    showToast(now.decision === "confirm" ? w.confirmedTheDecision : w.refusedTheDecision);
  };
  return (
    <Screen
      title={request.summary}
      above={above}
      lead={
        <>
          <RequestChip {...request} /> {w.asksYourOrganization(request.org_name, sentence(request.party_name))}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <p class="notice">{requestSentence(request)}</p>
      {request.state === "open" && <Decide request={request} onDone={decided} onStale={loaded.reload} />}
      <What request={request} />
      <Asked request={request} />
      <Decision request={request} />
      <ApiCall operation="get_remote_request" given={{ params }} />
    </Screen>
  );
}

interface DecideProps {
  readonly request: RemoteRequest;
  readonly onDone: (request: RemoteRequest) => void;
  /** the act may have ended in the meantime */
  readonly onStale: () => Promise<void>;
}

function Decide({ request, onDone, onStale }: DecideProps) {
  const [doing, setDoing] = useState<ActDecision | null>(null);
  const [reason, setReason] = useState("");
  if (!may("control:approve")) {
    return (
      <Card title={w.yourDecision}>
        <p>{w.anAdminOf}</p>
      </Card>
    );
  }
  const { request_id, sha256, party_name, org_name } = request;
  const decide = async (decision: ActDecision) => {
    const body = { decision, sha256, ...(decision === "refuse" && reason.trim() !== "" && { reason }) };
    try {
      onDone(await call("decide_remote_request", { params: { request_id }, body }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await onStale();
      throw error;
    }
  };
  const close = () => setDoing(null);
  return (
    <Card title={w.yourDecision}>
      <p>{w.youCanDecide(sentence(party_name), org_name)}</p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => setDoing("confirm")}>
          {w.confirm}
        </button>
        <button type="button" class="button danger" onClick={() => setDoing("refuse")}>
          {w.refuse}
        </button>
      </div>
      {doing === "confirm" && (
        <Confirm title={w.confirmRequest} button={w.confirm} onConfirm={() => decide("confirm")} onClose={close}>
          <p>
            {sentence(w.youConfirmFor(party_name, clauseOf(request)))}
            {w.itTakesEffect}
          </p>
        </Confirm>
      )}
      {doing === "refuse" && (
        <Confirm title={w.refuseRequest} button={w.refuse} kind="danger" onConfirm={() => decide("refuse")} onClose={close}>
          <p>
            {sentence(w.youRefuseFor(party_name, clauseOf(request)))}
            {w.theActEnds}
          </p>
          <AreaField label={w.reason} name="reason" value={reason} onText={setReason} maxLength={500} optional />
        </Confirm>
      )}
    </Card>
  );
}

function What({ request }: { request: RemoteRequest }) {
  const { org_id, record_name, copy_sha256, reason, present_party } = documentOf(request);
  return (
    <Card title={w.whatIsDecided}>
      <Facts
        facts={[
          [w.kind, kindWords[request.kind]],
          [w.proposedBy, w.asItCalls(request.org_name)],
          [w.organizationIdOf, org_id],
          [w.installation, w.asYourOrganization(request.vault_name)],
          [w.reason, reason === "" ? w.none : reason],
          [w.record, record_name ?? ""],
          [
            w.sha256Of,
            <code key="hash" class="mono">
              {copy_sha256}
            </code>,
          ],
          [w.securedPartyOn, present_party === null ? w.none : partyWords(present_party)],
          ...subjectRows(request),
          [w.received, <Moment key="received" at={request.received_at} />],
          [w.expires, <Moment key="expires" at={request.expires_at} />],
          [
            w.sha256OfThe,
            <code key="sha256" class="mono">
              {request.sha256}
            </code>,
          ],
        ]}
      />
      <p class="quiet small">{w.theRecordIs}</p>
    </Card>
  );
}

function Asked({ request }: { request: RemoteRequest }) {
  const { needs = [] } = documentOf(request);
  return (
    <Card title={w.whoIsAsked}>
      <ul class="act-needs">
        {needs.map((need, index) => (
          <li key={`${need.role} ${index}`}>
            <strong>{need.role === "admin" ? w.anAdminOfOf(request.org_name) : need.name}</strong>{" "}
            <span class="quiet small">{roleWords(need.role)}</span>
            <p>{askedWords(need, request)}</p>
            {need.vault !== undefined && (
              <p class="quiet small">
                {w.organization}
                <code>{need.vault.org_id}</code>
                {w.atTheInstallation}
                <code class="mono">{need.vault.root_sha256}</code>
              </p>
            )}
            {need.user_id !== null && (
              <p class="quiet small">
                {w.user}
                <code>{need.user_id}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet small">{w.oneDecisionOf}</p>
    </Card>
  );
}

function askedWords({ asked, name, vault }: DocumentNeed, { party_name }: RemoteRequest): string {
  if (!asked) return w.notAskedThe;
  return vault?.org_id === me().org.org_id && name === party_name ? w.yourOrganizationIs : w.isAskedToo;
}

function Decision({ request }: { request: RemoteRequest }) {
  const { decision, decided_by, decided_at, reason, last_error } = request;
  const failure = refusalOf(request) === null ? w.notDeliveredYet : w.refusedByThe;
  if (decision === null || decided_by === null || decided_at === null) return null;
  const { name, email, key_name } = decided_by;
  return (
    <Card title={w.decision}>
      <Facts
        facts={[
          [w.decision, decision === "confirm" ? w.confirmed : w.refused],
          [w.by, `${name} (${email})${key_name === null ? "" : w.withTheApi(key_name)}`],
          [w.at, <Moment key="at" at={decided_at} />],
          ...(reason === null ? [] : [[w.reason, reason] as const]),
          ...(last_error === null ? [] : [[failure, last_error] as const]),
        ]}
      />
    </Card>
  );
}
