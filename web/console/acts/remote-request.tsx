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
import { StatusNotice } from "../parts/status-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { hasRole, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { RequestChip, refusalOf, requestSentence } from "./remote-words.tsx";
import { kindWords } from "./words.tsx";

/** One request of an organization at another installation. */
export function RemoteRequestScreen({ params: { request_id = "" } }: ScreenProps) {
  const params = { request_id };
  const loaded = useLoad(request_id, () => call("get_remote_request", { params }));
  const [done, setDone] = useState("");
  const above = <Link to="/acts?tab=requests">Requests from others</Link>;
  const { data: request, error } = loaded;
  if (request === null) {
    return (
      <Screen title="Request" above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const decided = (now: RemoteRequest) => {
    loaded.put(now);
    setDone(now.decision === "confirm" ? "Confirmed. The decision is being sent." : "Refused. The decision is being sent.");
  };
  return (
    <Screen
      title={request.summary}
      above={above}
      lead={
        <>
          <RequestChip {...request} /> {request.org_name} asks your organization as {sentence(request.party_name)}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <StatusNotice>{done}</StatusNotice>
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
  if (!hasRole("admin")) {
    return (
      <Card title="Your decision">
        <p>An admin of your organization can decide.</p>
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
    <Card title="Your decision">
      <p>
        You can decide for {sentence(party_name)} This installation signs the decision and sends it with your name and e-mail address, which
        become part of the evidence of {org_name}.
      </p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => setDoing("confirm")}>
          Confirm
        </button>
        <button type="button" class="button danger" onClick={() => setDoing("refuse")}>
          Refuse
        </button>
      </div>
      {doing === "confirm" && (
        <Confirm title="Confirm request?" button="Confirm" onConfirm={() => decide("confirm")} onClose={close}>
          <p>
            {sentence(`You confirm for ${party_name} that ${clauseOf(request)}`)} It takes effect at the other installation when everyone it
            asks has confirmed. You cannot withdraw your decision.
          </p>
        </Confirm>
      )}
      {doing === "refuse" && (
        <Confirm title="Refuse request?" button="Refuse" kind="danger" onConfirm={() => decide("refuse")} onClose={close}>
          <p>{sentence(`You refuse for ${party_name} that ${clauseOf(request)}`)} The act ends and nothing changes.</p>
          <AreaField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} optional />
        </Confirm>
      )}
    </Card>
  );
}

function What({ request }: { request: RemoteRequest }) {
  const { org_id, record_name, copy_sha256, reason, present_party } = documentOf(request);
  return (
    <Card title="What is decided">
      <Facts
        facts={[
          ["Kind", kindWords[request.kind]],
          ["Proposed by", `${request.org_name}, as it calls itself`],
          ["Organization ID of the proposer", org_id],
          ["Installation", `${request.vault_name}, as your organization pinned it`],
          ["Reason", reason === "" ? "None" : reason],
          ["Record", record_name ?? ""],
          [
            "SHA-256 of the document",
            <code key="hash" class="mono">
              {copy_sha256}
            </code>,
          ],
          ["Secured party on record", present_party === null ? "None" : partyWords(present_party)],
          ...subjectRows(request),
          ["Received", <Moment key="received" at={request.received_at} />],
          ["Expires", <Moment key="expires" at={request.expires_at} />],
          [
            "SHA-256 of the act",
            <code key="sha256" class="mono">
              {request.sha256}
            </code>,
          ],
        ]}
      />
      <p class="quiet small">
        The record is kept at the other installation. If you know the SHA-256 of the document from elsewhere, compare it.
      </p>
    </Card>
  );
}

function Asked({ request }: { request: RemoteRequest }) {
  const { needs = [] } = documentOf(request);
  return (
    <Card title="Who is asked">
      <ul class="act-needs">
        {needs.map((need, index) => (
          <li key={`${need.role} ${index}`}>
            <strong>{need.role === "admin" ? `An admin of ${request.org_name}` : need.name}</strong>{" "}
            <span class="quiet small">{roleWords(need.role)}</span>
            <p>{askedWords(need, request)}</p>
            {need.vault !== undefined && (
              <p class="quiet small">
                Organization <code>{need.vault.org_id}</code> at the installation with the root{" "}
                <code class="mono">{need.vault.root_sha256}</code>
              </p>
            )}
            {need.user_id !== null && (
              <p class="quiet small">
                User <code>{need.user_id}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet small">
        One decision of your organization is for every role in which it is asked. What others decided is not known here.
      </p>
    </Card>
  );
}

function askedWords({ asked, name, vault }: DocumentNeed, { party_name }: RemoteRequest): string {
  if (!asked) return "Not asked. The act takes effect without a confirmation of this party.";
  return vault?.org_id === me().org.org_id && name === party_name ? "Your organization is asked in this role." : "Is asked too.";
}

function Decision({ request }: { request: RemoteRequest }) {
  const { decision, decided_by, decided_at, reason, last_error } = request;
  const failure = refusalOf(request) === null ? "Not delivered yet" : "Refused by the other installation";
  if (decision === null || decided_by === null || decided_at === null) return null;
  const { name, email, key_name } = decided_by;
  return (
    <Card title="Decision">
      <Facts
        facts={[
          ["Decision", decision === "confirm" ? "Confirmed" : "Refused"],
          ["By", `${name} (${email})${key_name === null ? "" : `, with the API key ${key_name}`}`],
          ["At", <Moment key="at" at={decided_at} />],
          ...(reason === null ? [] : [["Reason", reason] as const]),
          ...(last_error === null ? [] : [[failure, last_error] as const]),
        ]}
      />
    </Card>
  );
}
