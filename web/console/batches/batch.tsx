import { controlBatchItemStates } from "@countersign/client/lists";
import type { ControlBatch, ControlBatchItem, ControlBatchItemState, ListControlBatchItemsQuery } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { recordsWords } from "../../act-words.ts";
import { saveFile } from "../../save-file.ts";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { saveFrom } from "../parts/save.ts";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf, Skeleton } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { usePeople } from "../vault/people.ts";
import { BatchChip, batchKindWords, itemStateWords, resultWords } from "./words.tsx";

/** One batch: how far it is, what was skipped and why, and its signed report. */
export function BatchScreen({ params: { control_batch_id = "" } }: ScreenProps) {
  const params = { control_batch_id };
  const loaded = useLive(control_batch_id, () => call("get_control_batch", { params }));
  const above = <Link to="/batches">Control batches</Link>;
  const { data: batch, error } = loaded;
  if (batch === null) {
    return (
      <Screen title="Control batch" above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  return (
    <Screen title={`${batchKindWords(batch.kind)}: ${recordsWords(batch.count)}`} above={above} lead={<BatchChip {...batch} />}>
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <Progress batch={batch} onCancelled={loaded.put} />
      <Items batch={batch} />
      <ApiCall operation="get_control_batch" given={{ params }} />
    </Screen>
  );
}

const sentences: Record<ControlBatch["state"], string> = {
  proposed: "Not everyone has confirmed yet. No record has changed.",
  running: "This continues in the background. You can leave this page.",
  done: "Every record has its result, and the report is signed.",
  refused: "One of those asked refused. No record has changed.",
  cancelled: "Cancelled. Records that had no result yet were left as they are.",
  expired: "Expired before everyone had confirmed. No record has changed.",
};

function Progress({ batch, onCancelled }: { batch: ControlBatch; onCancelled: (batch: ControlBatch) => void }) {
  const people = usePeople();
  const { control_batch_id, done, skipped, count, act_id, state } = batch;
  return (
    <Card title="Progress">
      <p role="status">{sentences[state]}</p>
      <progress class="batch-progress" max={count} value={done + skipped} aria-label="Records with a result" />
      <Facts
        facts={[
          ["Done", `${done.toLocaleString()} of ${count.toLocaleString()}`],
          ["Skipped", skipped.toLocaleString()],
          ["Reason", batch.reason],
          ["Created by", people.actorOf(batch.created_by)],
          ["Created", <Moment key="created" at={batch.created_at} />],
          ...(batch.finished_at === null ? [] : [["Finished", <Moment key="finished" at={batch.finished_at} />] as const]),
          ...(act_id === null
            ? []
            : [
                [
                  "Act",
                  <Link key="act" to={`/acts/${act_id}`}>
                    Who is asked, and their decisions
                  </Link>,
                ] as const,
              ]),
          [
            "Root of the list",
            <code key="root" class="mono">
              {batch.root}
            </code>,
          ],
        ]}
      />
      <Actions key={control_batch_id} batch={batch} onCancelled={onCancelled} />
    </Card>
  );
}

function Actions({ batch, onCancelled }: { batch: ControlBatch; onCancelled: (batch: ControlBatch) => void }) {
  const [isCancelling, setCancelling] = useState(false);
  const [reporting, listing] = [useSending(), useSending()];
  const { control_batch_id, state, act_id, finished_at } = batch;
  const params = { control_batch_id };
  const mayCancel = hasRole("member") && (act_id === null ? state === "running" && finished_at === null : state === "proposed");
  const saveReport = async () => {
    const report = await call("get_control_batch_report", { params });
    saveFile(new Blob([JSON.stringify(report)], { type: "application/json" }), `${control_batch_id}-report.json`);
  };
  return (
    <>
      <ErrorNotice error={reporting.error ?? listing.error} />
      <div class="buttons">
        {finished_at !== null && (
          <ActionButton sending={reporting} busyLabel="Downloading…" onAction={saveReport}>
            Download signed report
          </ActionButton>
        )}
        <ActionButton
          sending={listing}
          busyLabel="Downloading…"
          onAction={() => saveFrom("get_control_batch_csv", `${control_batch_id}.csv`, { params })}
        >
          Download list as CSV
        </ActionButton>
        {mayCancel && (
          <button type="button" class="button danger" onClick={() => setCancelling(true)}>
            Cancel batch
          </button>
        )}
      </div>
      {isCancelling && (
        <Confirm
          title="Cancel this batch?"
          button="Cancel batch"
          kind="danger"
          onClose={() => setCancelling(false)}
          onConfirm={async () => onCancelled(await call("cancel_control_batch", { params }))}
        >
          <p>
            {act_id === null
              ? "Records that have no result yet are skipped."
              : "No record has changed, and none will. Those asked are no longer asked."}
          </p>
        </Confirm>
      )}
    </>
  );
}

const columns: readonly Column<ControlBatchItem>[] = [
  { head: "Record", cell: ({ record_name }) => record_name },
  { head: "Result", cell: resultWords },
  { head: "Secured party before", cell: ({ present_party }) => present_party?.name ?? "None", minor: true },
];

function Items({ batch: { control_batch_id, done, skipped } }: { batch: ControlBatch }) {
  const given = filtersFrom<ListControlBatchItemsQuery>(["state"]);
  const [params, wanted] = [{ control_batch_id }, { ...given, page: pageOf(), limit: 20 }];
  // A record that got its result in the meantime is read again.
  const key = JSON.stringify([control_batch_id, wanted, done, skipped]);
  const loaded = useLive(key, () => list("list_control_batch_items", { params, query: wanted }), false);
  return (
    <Card title="Records">
      <search class="filters">
        <SelectField
          label="Result"
          name="state"
          value={(query.value.get("state") ?? "") as ControlBatchItemState | ""}
          choices={[["", "Any"], ...controlBatchItemStates.map((state) => [state, itemStateWords[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        caption="Records of the batch and their results"
        empty={<Empty title="No matching records">No record of this batch has this result.</Empty>}
      />
    </Card>
  );
}
