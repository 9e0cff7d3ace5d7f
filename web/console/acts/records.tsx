import type { Act, ControlBatchItem } from "@countersign/client/types";
import { documentOf, recordsWords } from "../../act-words.ts";
import { call } from "../api.ts";
import { itemStateWords } from "../batches/words.tsx";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { saveFrom } from "../parts/save.ts";
import { type Column, Pager, pageOf, Table } from "../parts/table.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/acts/en.ts";

const w = en.records;

const LIMIT = 20;

const columns: readonly Column<ControlBatchItem>[] = [
  { head: w.record, cell: ({ record_name }) => record_name },
  { head: w.securedPartyOn, cell: ({ present_party }) => present_party?.name ?? w.none },
  { head: w.result, cell: ({ state }) => itemStateWords[state] },
  {
    head: w.sha256Of,
    cell: ({ copy_sha256 }) => (
      <code class="mono" title={copy_sha256}>
        {copy_sha256.slice(0, 16)}…
      </code>
    ),
    minor: true,
  },
];

/** The records of an act on many: all that those who are asked confirm. */
export function Records({ act }: { act: Act }) {
  const params = { act_id: act.act_id };
  const query = { page: pageOf("records"), limit: LIMIT };
  const loaded = useLoad(JSON.stringify([act.act_id, query]), () => call("list_act_items", { params, query }));
  const saving = useSending();
  const { batch } = documentOf(act);
  const { data } = loaded;
  return (
    <Card title={recordsWords(batch?.count ?? 0)}>
      <p>
        {w.theHashOf}
        {act.org_name === null && batch != null && <Link to={`/batches/${batch.control_batch_id}`}>{w.resultsOfEach}</Link>}
      </p>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <ErrorNotice error={saving.error} />
      {data !== null && (
        <>
          <Table columns={columns} keyOf={({ envelope_id }) => envelope_id} rows={data.items} caption={w.recordsThatThe} />
          <Pager {...query} total={data.total} name="records" />
        </>
      )}
      <div class="buttons">
        <ActionButton sending={saving} busyLabel={w.downloading} onAction={() => saveFrom("get_act_csv", `${act.act_id}.csv`, { params })}>
          {w.downloadAsCsv}
        </ActionButton>
      </div>
    </Card>
  );
}
