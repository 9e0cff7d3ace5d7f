import type { Act } from "@countersign/client/types";
import { ActChip } from "../acts/words.tsx";
import { list } from "../api.ts";
import { canOpen } from "../can-open.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { AccessLog } from "./access-log.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.history;

/** What was proposed about the record and how it ended, and who accessed it. */
export function History(it: RecordProps) {
  const { envelope_id, people } = it;
  const page = pageOf("acts");
  const loaded = useLoad(`acts ${page}`, () => list("list_acts", { query: { envelope_id, page, limit: 10 } }));
  const columns: readonly Column<Act>[] = [
    { head: w.act, cell: ({ summary }) => summary },
    { head: w.state, cell: (act) => <ActChip {...act} /> },
    { head: w.proposedBy, cell: ({ proposed_by }) => people.actorOf(proposed_by) },
    { head: w.proposed, cell: ({ proposed_at }) => <Moment at={proposed_at} /> },
    { head: w.closed, cell: ({ closed_at }) => (closed_at === null ? "–" : <Moment at={closed_at} />), minor: true },
  ];
  return (
    <>
      <Card title={w.acts}>
        <PagedTable
          loaded={loaded}
          caption={w.actsOnThis}
          columns={columns}
          keyOf={({ act_id }) => act_id}
          to={({ act_id }) => `/acts/${act_id}`}
          pageName="acts"
          empty={<p class="quiet">{w.noActsNothing}</p>}
        />
      </Card>
      <Card title={w.accessLog}>
        <AccessLog {...it} />
      </Card>
      {canOpen(`/envelopes/${envelope_id}`) && (
        <p>
          <Link to={`/envelopes/${envelope_id}?tab=timeline`}>{w.openTheComplete}</Link>
        </p>
      )}
    </>
  );
}
