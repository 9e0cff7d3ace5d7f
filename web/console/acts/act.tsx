import type { Act, ActNeed } from "@countersign/client/types";
import { useState } from "preact/hooks";
import {
  decisionOf,
  decisionWords,
  documentOf,
  isOpenAct,
  isWaiting,
  needName,
  notAskedWords,
  roleWords,
  stateSentence,
} from "../../act-words.ts";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useLoad } from "../use-load.ts";
import { type People, usePeople } from "../vault/people.ts";
import { Decide } from "./decide.tsx";
import { Records } from "./records.tsx";
import { ActChip, kindWords } from "./words.tsx";

/** One act: what is decided, whom it asks, and their decisions. */
export function ActScreen({ params: { act_id = "" } }: ScreenProps) {
  const params = { act_id };
  const loaded = useLoad(act_id, () => call("get_act", { params }));
  const people = usePeople();
  const [done, setDone] = useState("");
  const above = <Link to="/acts">Acts</Link>;
  const { data: act, error } = loaded;
  if (act === null) {
    return (
      <Screen title="Act" above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const decided = (now: Act, words: string) => {
    loaded.put(now);
    setDone(words);
  };
  return (
    <Screen
      title={act.summary}
      above={above}
      lead={
        <>
          <ActChip {...act} /> {act.org_name !== null && `${act.org_name} asks your organization.`}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <StatusNotice>{done}</StatusNotice>
      <p class="notice">{stateSentence(act)}</p>
      <Decide act={act} onDone={decided} onStale={loaded.reload} />
      <What act={act} people={people} />
      {documentOf(act).batch != null && <Records act={act} />}
      <Asked act={act} />
      <ApiCall operation="get_act" given={{ params }} />
    </Screen>
  );
}

function What({ act, people }: { act: Act; people: People }) {
  const { record_name, copy_sha256, reason, present_party } = documentOf(act);
  const own = act.org_name === null;
  return (
    <Card title="What is decided">
      <Facts
        facts={[
          ["Kind", kindWords[act.kind]],
          ["Proposed by", own ? people.actorOf(act.proposed_by) : act.org_name],
          ["Reason", reason === "" ? "None" : reason],
          ...(record_name === null ? [] : [["Record", <Record key="record" act={act} name={record_name} />] as const]),
          ...(copy_sha256 === null
            ? []
            : [
                [
                  "SHA-256 of the document",
                  <code key="hash" class="mono">
                    {copy_sha256}
                  </code>,
                ] as const,
              ]),
          ...(record_name === null ? [] : [["Secured party on record", present_party?.name ?? "None"] as const]),
          ["Proposed", <Moment key="proposed" at={act.proposed_at} />],
          isWaiting(act)
            ? ["Takes effect without an objection", <Moment key="waits" at={act.waits_until ?? ""} />]
            : ["Expires", <Moment key="expires" at={act.expires_at} />],
          ...(act.closed_at === null ? [] : [["Closed", <Moment key="closed" at={act.closed_at} />] as const]),
          [
            "SHA-256 of the act",
            <code key="sha256" class="mono">
              {act.sha256}
            </code>,
          ],
        ]}
      />
    </Card>
  );
}

/** Another organization's record is not in this vault. */
function Record({ act, name }: { act: Act; name: string }) {
  if (act.org_name !== null || act.envelope_id === null) return <>{name}</>;
  return <Link to={`/vault/${act.envelope_id}?tab=control`}>{name}</Link>;
}

function Asked({ act }: { act: Act }) {
  return (
    <Card title="Who is asked">
      {act.needs.length === 0 ? (
        <p>No one had to be asked: the proposal was the organization's own confirmation.</p>
      ) : (
        <ul class="act-needs">
          {act.needs.map((need, index) => (
            <li key={`${need.role} ${need.party_id} ${need.user_id} ${index}`}>
              <strong>{needName(need)}</strong> <span class="quiet small">{roleWords(need.role)}</span>
              <Answer act={act} need={need} />
              {need.unreachable.length > 0 && (
                <p class="notice bad">
                  The request could not be delivered to {need.unreachable.join(", ")}. Check the address with the party in another way.
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Answer({ act, need }: { act: Act; need: ActNeed }) {
  if (!need.asked && decisionOf(act, need) === undefined) return <p>{notAskedWords(act)}</p>;
  const decision = decisionOf(act, need);
  if (decision === undefined) return <p>{isOpenAct(act) ? "Has not decided yet" : "Did not decide"}</p>;
  return (
    <>
      <p>
        {decisionWords(decision)}, <Moment at={decision.at} />
      </p>
      {decision.is_member && <p class="quiet small">This person is also a member of the organization whose act it is.</p>}
    </>
  );
}
