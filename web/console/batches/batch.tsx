import { controlBatchItemStates } from "@countersign/client/lists";
import type { ControlBatch, ControlBatchItem, ControlBatchItemState, ListControlBatchItemsQuery } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { recordsWords } from "../../act-words.ts";
import { saveFile } from "../../save-file.ts";
import { call, list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
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
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { usePeople } from "../vault/people.ts";
import { en as words } from "../words/batches/en.ts";
import { BatchChip, batchKindWords, resultWords } from "./words.tsx";

/** One batch: how far it is, what was skipped and why, and its signed report. */
export function BatchScreen({ params: { control_batch_id = "" } }: ScreenProps) {
  const params = { control_batch_id };
  const loaded = useLive(control_batch_id, () => call("get_control_batch", { params }));
  const above = <Link to="/batches">{words.title}</Link>;
  const { data: batch, error } = loaded;
  if (batch === null) {
    return (
      <Screen title={words.one} above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  return (
    <Screen title={words.named(batchKindWords(batch.kind), recordsWords(batch.count))} above={above} lead={<BatchChip {...batch} />}>
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <Progress batch={batch} onCancelled={loaded.put} />
      <Items batch={batch} />
      <ApiCall operation="get_control_batch" given={{ params }} />
    </Screen>
  );
}

function Progress({ batch, onCancelled }: { batch: ControlBatch; onCancelled: (batch: ControlBatch) => void }) {
  const people = usePeople();
  const { control_batch_id, done, skipped, count, act_id, state } = batch;
  return (
    <Card title={words.progress}>
      <p role="status">{words.sentences[state]}</p>
      <progress class="batch-progress" max={count} value={done + skipped} aria-label={words.withResult} />
      <Facts
        facts={[
          [words.facts.done, words.doneOf(done, count)],
          [words.facts.skipped, formatNumber(skipped)],
          [words.facts.reason, batch.reason],
          [words.facts.by, people.actorOf(batch.created_by)],
          [words.facts.created, <Moment key="created" at={batch.created_at} />],
          ...(batch.finished_at === null ? [] : [[words.facts.finished, <Moment key="finished" at={batch.finished_at} />] as const]),
          ...(act_id === null
            ? []
            : [
                [
                  words.facts.act,
                  <Link key="act" to={`/acts/${act_id}`}>
                    {words.openAct}
                  </Link>,
                ] as const,
              ]),
          [
            words.facts.root,
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
  const mayCancel = may("control:write") && (act_id === null ? state === "running" && finished_at === null : state === "proposed");
  const saveReport = async () => {
    const report = await call("get_control_batch_report", { params });
    saveFile(new Blob([JSON.stringify(report)], { type: "application/json" }), `${control_batch_id}-report.json`);
  };
  return (
    <>
      <ErrorNotice error={reporting.error ?? listing.error} />
      <div class="buttons">
        {finished_at !== null && (
          <ActionButton sending={reporting} busyLabel={words.downloading} onAction={saveReport}>
            {words.report}
          </ActionButton>
        )}
        <ActionButton
          sending={listing}
          busyLabel={words.downloading}
          onAction={() => saveFrom("get_control_batch_csv", `${control_batch_id}.csv`, { params })}
        >
          {words.csv}
        </ActionButton>
        {mayCancel && (
          <button type="button" class="button danger" onClick={() => setCancelling(true)}>
            {words.cancel}
          </button>
        )}
      </div>
      {isCancelling && (
        <Confirm
          title={words.cancelTitle}
          button={words.cancel}
          kind="danger"
          onClose={() => setCancelling(false)}
          onConfirm={async () => onCancelled(await call("cancel_control_batch", { params }))}
        >
          <p>{act_id === null ? words.cancelRunning : words.cancelProposed}</p>
        </Confirm>
      )}
    </>
  );
}

const columns: readonly Column<ControlBatchItem>[] = [
  { head: words.records.record, cell: ({ record_name }) => record_name },
  { head: words.records.result, cell: resultWords },
  { head: words.records.before, cell: ({ present_party }) => present_party?.name ?? words.records.noParty, minor: true },
];

function Items({ batch: { control_batch_id, done, skipped } }: { batch: ControlBatch }) {
  const given = filtersFrom<ListControlBatchItemsQuery>(["state"]);
  const [params, wanted] = [{ control_batch_id }, { ...given, page: pageOf(), limit: 20 }];
  // A record that got its result in the meantime is read again.
  const key = JSON.stringify([control_batch_id, wanted, done, skipped]);
  const loaded = useLive(key, () => list("list_control_batch_items", { params, query: wanted }), false);
  return (
    <Card title={words.records.title}>
      <search class="filters">
        <SelectField
          label={words.records.result}
          name="state"
          value={(query.value.get("state") ?? "") as ControlBatchItemState | ""}
          choices={[["", words.any], ...controlBatchItemStates.map((state) => [state, words.records.states[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        caption={words.records.caption}
        empty={<Empty title={words.records.noMatch}>{words.records.noMatchText}</Empty>}
      />
    </Card>
  );
}
