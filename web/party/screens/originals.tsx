import type { PersonExport, PersonPaper } from "@countersign/client/pages";
import { call } from "../api.ts";
import { Chip, ErrorNotice, Moment, Screen, type Tone } from "../parts.tsx";
import { originalHref, paperHref } from "../route.ts";
import { useLoad } from "../task.ts";

export const exportStates: Record<PersonExport["status"], readonly [Tone, string]> = {
  escrowed: ["waiting", "Waiting for you"],
  acknowledged: ["good", "Taken over"],
  cancelled: ["plain", "Withdrawn"],
  expired: ["plain", "Expired"],
};

/** The originals that organizations hand over to the person. */
export function Originals() {
  const { data, error, reload } = useLoad("originals", async () => {
    const [exports, papers] = await Promise.all([call("GET /exports"), call("GET /papers")]);
    return { exports, papers };
  });
  return (
    <Screen title="Originals" lead="Signed originals that organizations hand over to you, and those that you print as paper.">
      <ErrorNotice error={error} onRetry={reload} />
      {data?.exports.length === 0 && data.papers.length === 0 && (
        <p class="empty">No originals. You get an e-mail when an organization hands one over to you.</p>
      )}
      <ul class="party-list">
        {data?.papers.map((one) => (
          <li key={one.ending_id}>
            <PaperItem {...one} />
          </li>
        ))}
        {data?.exports.map((one) => (
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

export const paperStates: Record<PersonPaper["status"], readonly [Tone, string]> = {
  begun: ["waiting", "To print"],
  done: ["good", "Printed"],
  cancelled: ["plain", "Withdrawn"],
};

function PaperItem({ ending_id, envelope_name, org_name, status, begun_at, done_at }: PersonPaper) {
  const [tone, words] = paperStates[status];
  return (
    <article class="card party-item">
      <a class="party-item-link" href={paperHref(ending_id)}>
        {envelope_name}, paper original
      </a>
      <p class="quiet small">From {org_name}</p>
      <p class="small">
        <Chip tone={tone}>{words}</Chip> <Moment at={done_at ?? begun_at} />
      </p>
    </article>
  );
}
