import type { PersonExport } from "@countersign/client/pages";
import { call } from "../api.ts";
import { Chip, ErrorNotice, Moment, Screen, type Tone } from "../parts.tsx";
import { originalHref } from "../route.ts";
import { useLoad } from "../task.ts";

export const exportStates: Record<PersonExport["status"], readonly [Tone, string]> = {
  escrowed: ["waiting", "Waiting for you"],
  acknowledged: ["good", "Taken over"],
  cancelled: ["plain", "Withdrawn"],
  expired: ["plain", "Expired"],
};

/** The originals that organizations hand over to the person. */
export function Originals() {
  const { data, error, reload } = useLoad("originals", () => call("GET /exports"));
  return (
    <Screen title="Originals" lead="Signed originals that organizations hand over to you.">
      <ErrorNotice error={error} onRetry={reload} />
      {data?.length === 0 && <p class="empty">No originals. You get an e-mail when an organization hands one over to you.</p>}
      <ul class="party-list">
        {data?.map((one) => (
          <li key={one.export_id}>
            <Item {...one} />
          </li>
        ))}
      </ul>
    </Screen>
  );
}

function Item({ export_id, envelope_name, org_name, status, expires_at, closed_at }: PersonExport) {
  const [tone, words] = exportStates[status];
  return (
    <article class="card party-item">
      <a class="party-item-link" href={originalHref(export_id)}>
        {envelope_name}
      </a>
      <p class="quiet small">From {org_name}</p>
      <p class="small">
        <Chip tone={tone}>{words}</Chip>{" "}
        {closed_at === null ? (
          <>
            Expires <Moment at={expires_at} />
          </>
        ) : (
          <Moment at={closed_at} />
        )}
      </p>
    </article>
  );
}
