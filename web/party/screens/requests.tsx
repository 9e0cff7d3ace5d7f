import type { PersonRequest } from "@countersign/client/pages";
import { isOpenAct, stateWords } from "../../act-words.ts";
import { call } from "../api.ts";
import { Chip, ErrorNotice, Moment, Screen, type Tone } from "../parts.tsx";
import { actHref } from "../route.ts";
import { useLoad } from "../task.ts";
import { asksMe } from "../waiting.ts";

/** What the person's parties are asked: first what waits for the person, then everything else. */
export function Requests() {
  const { data, error, reload } = useLoad("requests", () => call("GET /requests"));
  const waiting = data?.filter(asksMe) ?? [];
  const others = data?.filter((request) => !asksMe(request)) ?? [];
  return (
    <Screen title="Requests" lead="Changes to records that the parties you act for are asked to confirm.">
      <ErrorNotice error={error} onRetry={reload} />
      {data?.length === 0 && <p class="empty">No requests. You get an e-mail when a party you act for is asked.</p>}
      {waiting.length > 0 && <List title="Waiting for you" requests={waiting} />}
      {data !== null && data.length > 0 && waiting.length === 0 && <p class="notice">You have nothing to decide.</p>}
      {others.length > 0 && <List title="Other requests" requests={others} />}
    </Screen>
  );
}

function List({ title, requests }: { title: string; requests: readonly PersonRequest[] }) {
  return (
    <section class="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <ul class="party-list">
        {requests.map((request) => (
          <li key={request.act.act_id}>
            <Item {...request} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item(request: PersonRequest) {
  const { act, summary, parties } = request;
  return (
    <article class="card party-item">
      <a class="party-item-link" href={actHref(act.act_id)}>
        {summary}
      </a>
      <p class="quiet small">
        {act.org_name} asks {parties.map(({ name }) => name).join(" and ")}
      </p>
      <p class="small">
        <StateChip {...request} />{" "}
        {isOpenAct(act) ? (
          <>
            Expires <Moment at={act.expires_at} />
          </>
        ) : (
          act.closed_at !== null && <Moment at={act.closed_at} />
        )}
      </p>
    </article>
  );
}

const tones: Partial<Record<PersonRequest["act"]["state"], Tone>> = { effective: "good", refused: "bad" };

export function StateChip(request: PersonRequest) {
  const { act } = request;
  if (asksMe(request)) return <Chip tone="waiting">Waiting for you</Chip>;
  if (act.state === "proposed") return <Chip tone="waiting">Waiting for others</Chip>;
  return <Chip tone={tones[act.state] ?? "plain"}>{stateWords[act.state]}</Chip>;
}
