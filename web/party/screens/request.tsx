import type { ActNeed, PersonRequest } from "@countersign/client/pages";
import {
  decisionOf,
  decisionWords,
  documentOf,
  isOpenAct,
  isWaiting,
  needName,
  notAskedWords,
  recordsWords,
  roleWords,
  sentence,
  stateSentence,
} from "../../act-words.ts";
import { call } from "../api.ts";
import { Card, ErrorNotice, Facts, Moment, NotLoaded, Screen } from "../parts.tsx";
import { hrefOf } from "../route.ts";
import { useLoad } from "../task.ts";
import { asksMe, canObject, undecided } from "../waiting.ts";
import { Decide, Stop } from "./decide.tsx";
import { Records } from "./records-of-request.tsx";
import { StateChip } from "./requests.tsx";

/** One request: what is decided, on which record, who is asked, and the person's own decision. */
export function Request({ act_id }: { act_id: string }) {
  const loaded = useLoad(act_id, () => call(`GET /acts/${act_id}`));
  const above = <a href={hrefOf("requests")}>All requests</a>;
  const { data: request, error } = loaded;
  if (request === null) {
    return (
      <NotLoaded what="Request" above={above} error={error} onRetry={loaded.reload}>
        No such request asks a party that you can decide for. It may have been sent to another address: log in with the address that
        received the e-mail.
      </NotLoaded>
    );
  }
  const { act, summary } = request;
  const decided = (now: PersonRequest) => {
    loaded.put(now);
    // What the service answered is at the top; the buttons at the bottom are gone.
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  };
  return (
    <Screen
      title={summary}
      above={above}
      lead={
        <>
          <StateChip {...request} /> {act.org_name} asks {request.parties.map(({ name }) => name).join(" and ")}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <p class={act.state === "effective" ? "notice good" : "notice"} role="status">
        {standing(request)}
      </p>
      <What {...request} />
      {documentOf(act).batch != null && <Records act={act} />}
      <Asked {...request} />
      {asksMe(request) && <Decide request={request} onDecided={decided} onStale={loaded.reload} />}
      {canObject(request) && <Stop request={request} onDecided={decided} onStale={loaded.reload} />}
    </Screen>
  );
}

/** Says that something took effect only if the service says so. */
function standing(request: PersonRequest): string {
  const { act } = request;
  if (canObject(request)) return "Two admins of the organization confirmed it. It takes effect at the time below, unless you stop it.";
  if (act.state !== "proposed") return stateSentence(act);
  const [party] = undecided(request);
  if (party !== undefined && asksMe(request)) return `${party.name} has not decided yet. Nothing has changed so far.`;
  if (party !== undefined) return `You have decided. Another person must decide for ${sentence(party.name)}`;
  const left = act.needs.filter(({ asked, decided }) => asked && !decided).map(needName);
  return `Your party has decided. The request takes effect when ${left.join(" and ")} ${left.length === 1 ? "has" : "have"} confirmed too.`;
}

function What({ act }: PersonRequest) {
  const { record_name, copy_sha256, reason, present_party, batch = null } = documentOf(act);
  const org = act.org_name ?? "";
  return (
    <Card title="What is decided">
      <Facts
        facts={[
          ["Proposed by", proposerWords(org, act.proposed_by.kind)],
          ["Reason given", reason === "" ? "None" : reason],
          ...(record_name === null ? [] : [["Record", record_name] as const]),
          ...(batch === null ? [] : [["Records", `${recordsWords(batch.count)}, listed below`] as const]),
          ...(copy_sha256 === null ? [] : [["SHA-256 of the document", <code key="hash">{copy_sha256}</code>] as const]),
          ...(record_name === null && batch === null
            ? []
            : [
                [
                  "Secured party on record",
                  present_party?.name ?? `None. ${org} controls the ${batch === null ? "record" : "records"}.`,
                ] as const,
              ]),
          ["Proposed", <Moment key="proposed" at={act.proposed_at} />],
          isWaiting(act)
            ? ["Takes effect", <Moment key="waits" at={act.waits_until ?? ""} />]
            : act.closed_at === null
              ? ["Expires", <Moment key="expires" at={act.expires_at} />]
              : ["Closed", <Moment key="closed" at={act.closed_at} />],
          ["SHA-256 of this request", <code key="act">{act.sha256}</code>],
        ]}
      />
    </Card>
  );
}

function proposerWords(org: string, kind: string): string {
  if (kind === "key") return `${org}, with an API key`;
  return kind === "system" ? `${org}, when the record was stored` : `${org}, a member`;
}

function Asked({ act }: PersonRequest) {
  return (
    <Card title="Who is asked">
      <ul class="party-asked">
        {act.needs.map((need) => (
          <li key={`${need.role} ${need.party_id} ${need.user_id}`}>
            <strong>{needName(need)}</strong> <span class="quiet">{roleWords(need.role)}</span>
            <br />
            <Answer act={act} need={need} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Answer({ act, need }: { act: PersonRequest["act"]; need: ActNeed }) {
  if (!need.asked && decisionOf(act, need) === undefined) return <>{notAskedWords(act)}</>;
  const decision = decisionOf(act, need);
  if (decision === undefined) return <>{isOpenAct(act) ? "Has not decided yet" : "Did not decide"}</>;
  return (
    <>
      {decisionWords(decision)}, <Moment at={decision.at} />
    </>
  );
}
