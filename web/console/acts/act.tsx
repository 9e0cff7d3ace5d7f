import type { Act, ActNeed } from "@countersign/client/types";
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
import { Skeleton } from "../parts/skeleton.tsx";
import { showToast } from "../parts/toast.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useLoad } from "../use-load.ts";
import { type People, usePeople } from "../vault/people.ts";
import { en } from "../words/acts/en.ts";
import { Decide } from "./decide.tsx";
import { Records } from "./records.tsx";
import { ActChip, kindWords } from "./words.tsx";

const w = en.act;

/** One act: what is decided, whom it asks, and their decisions. */
export function ActScreen({ params: { act_id = "" } }: ScreenProps) {
  const params = { act_id };
  const loaded = useLoad(act_id, () => call("get_act", { params }));
  const people = usePeople();
  const above = <Link to="/acts">{w.acts}</Link>;
  const { data: act, error } = loaded;
  if (act === null) {
    return (
      <Screen title={w.act} above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const decided = (now: Act, words: string) => {
    loaded.put(now);
    showToast(words);
  };
  return (
    <Screen
      title={act.summary}
      above={above}
      lead={
        <>
          <ActChip {...act} /> {act.org_name !== null && w.asksYourOrganization(act.org_name)}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
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
    <Card title={w.whatIsDecided}>
      <Facts
        facts={[
          [w.kind, kindWords[act.kind]],
          [w.proposedBy, own ? people.actorOf(act.proposed_by) : act.org_name],
          [w.reason, reason === "" ? w.none : reason],
          ...(record_name === null ? [] : [[w.record, <Record key="record" act={act} name={record_name} />] as const]),
          ...(copy_sha256 === null
            ? []
            : [
                [
                  w.sha256Of,
                  <code key="hash" class="mono">
                    {copy_sha256}
                  </code>,
                ] as const,
              ]),
          ...(record_name === null ? [] : [[w.securedPartyOn, present_party?.name ?? w.none] as const]),
          [w.proposed, <Moment key="proposed" at={act.proposed_at} />],
          isWaiting(act)
            ? [w.takesEffectWithout, <Moment key="waits" at={act.waits_until ?? ""} />]
            : [w.expires, <Moment key="expires" at={act.expires_at} />],
          ...(act.closed_at === null ? [] : [[w.closed, <Moment key="closed" at={act.closed_at} />] as const]),
          [
            w.sha256OfThe,
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
    <Card title={w.whoIsAsked}>
      {act.needs.length === 0 ? (
        <p>{w.noOneHad}</p>
      ) : (
        <ul class="act-needs">
          {act.needs.map((need, index) => (
            <li key={`${need.role} ${need.party_id} ${need.user_id} ${index}`}>
              <strong>{needName(need)}</strong> <span class="quiet small">{roleWords(need.role)}</span>
              <Answer act={act} need={need} />
              {need.unreachable.length > 0 && <p class="notice bad">{w.theRequestCould(need.unreachable.join(", "))}</p>}
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
  if (decision === undefined) return <p>{isOpenAct(act) ? w.hasNotDecided : w.didNotDecide}</p>;
  return (
    <>
      <p>
        {decisionWords(decision)}, <Moment at={decision.at} />
      </p>
      {decision.is_member && <p class="quiet small">{w.thisPersonIs}</p>}
    </>
  );
}
