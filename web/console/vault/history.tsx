import type { Act } from "@countersign/client/types";
import { ActChip } from "../acts/words.tsx";
import { list } from "../api.ts";
import { canOpen } from "../can-open.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { AccessLog } from "./access-log.tsx";
import type { RecordProps } from "./record-props.ts";

/** What was proposed about the record and how it ended, and who accessed it. */
export function History(it: RecordProps) {
  const { envelope_id, people } = it;
  const page = pageOf("acts");
  const loaded = useLoad(`acts ${page}`, () => list("list_acts", { query: { envelope_id, page, limit: 10 } }));
  const columns: readonly Column<Act>[] = [
    { head: "Act", cell: ({ summary }) => summary },
    { head: "State", cell: (act) => <ActChip {...act} /> },
    { head: "Proposed by", cell: ({ proposed_by }) => people.actorOf(proposed_by) },
    { head: "Proposed", cell: ({ proposed_at }) => <Moment at={proposed_at} /> },
    { head: "Closed", cell: ({ closed_at }) => (closed_at === null ? "–" : <Moment at={closed_at} />), minor: true },
  ];
  return (
    <>
      <Card title="Acts">
        <PagedTable
          loaded={loaded}
          caption="Acts on this document, newest first"
          columns={columns}
          keyOf={({ act_id }) => act_id}
          to={({ act_id }) => `/acts/${act_id}`}
          pageName="acts"
          empty={<p class="quiet">No acts. Nothing was proposed about who controls or keeps this record.</p>}
        />
      </Card>
      <Card title="Access log">
        <AccessLog {...it} />
      </Card>
      {canOpen(`/envelopes/${envelope_id}`) && (
        <p>
          <Link to={`/envelopes/${envelope_id}?tab=timeline`}>Open the complete audit trail</Link>
        </p>
      )}
    </>
  );
}
