import type { BulkBatch } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { saveFrom } from "../parts/save.ts";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { Rows } from "./rows.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { BulkChip, pausedWords, words } from "./words.tsx";

const moving: readonly BulkBatch["state"][] = ["checking", "queued", "running"];
// A check takes a few seconds, and so do a hundred rows.
const POLL_SECONDS = 2;

const isMoving = ({ state, ended_at }: BulkBatch): boolean => moving.includes(state) || (state === "cancelled" && ended_at === null);

/** One bulk send from the check of its rows to the result. */
export function BulkSendScreen({ params: { batch_id = "" } }: ScreenProps) {
  const params = { batch_id };
  const loaded = useLoad(batch_id, () => call("get_bulk_batch", { params }));
  const { data: batch, error } = loaded;
  useInterval(POLL_SECONDS, () => void loaded.reload(), batch !== null && isMoving(batch));
  const above = <Link to="/bulk">{words.title}</Link>;
  if (batch === null) {
    return (
      <Screen title={words.title} above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  return (
    <Screen title={batch.name} above={above} lead={<BulkChip {...batch} />}>
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <Now batch={batch} onChanged={loaded.put} />
      {batch.rows > 0 && batch.state !== "checking" && <Rows batch={batch} />}
      <ApiCall operation="get_bulk_batch" given={{ params }} />
    </Screen>
  );
}

interface NowProps {
  readonly batch: BulkBatch;
  readonly onChanged: (batch: BulkBatch) => void;
}

/** What it is doing, how far it is, and what can be done. */
function Now({ batch, onChanged }: NowProps) {
  const { state, rows, ready, invalid, warned, problems } = batch;
  const isChecked = state === "checked";
  return (
    <Card title={isChecked ? words.check.title : words.result}>
      <Announced batch={batch} />
      {isChecked && (
        <p class="bulk-report">
          <strong>{words.check.ready(ready)}</strong> {invalid > 0 && <strong>{words.check.invalid(invalid)}</strong>}
        </p>
      )}
      {isChecked && warned > 0 && <p class="notice">{words.check.warned(warned)}</p>}
      {state !== "checked" && sentencesOf(batch).map((sentence) => <p key={sentence}>{sentence}</p>)}
      {problems.length > 0 && state === "refused" && (
        <Table
          caption={words.problems}
          rows={problems}
          columns={[
            { head: words.column, cell: ({ column }) => column ?? words.wholeFile },
            { head: words.problem, cell: ({ message }) => message },
          ]}
          keyOf={({ column, message }) => `${column} ${message}`}
        />
      )}
      {(state === "running" || state === "paused" || state === "queued") && (
        <progress class="batch-progress" max={rows - invalid} value={rows - invalid - ready} aria-label={words.progress} />
      )}
      {rows > 0 && <Figures batch={batch} />}
      <Actions batch={batch} onChanged={onChanged} />
      <BatchFacts batch={batch} />
    </Card>
  );
}

function sentencesOf({ state, reason, sent, failed, skipped, started_at, ended_at, erased_at }: BulkBatch): string[] {
  const results = [words.ended(sent), ...(failed > 0 ? [words.failed(failed)] : []), ...(skipped > 0 ? [words.skipped(skipped)] : [])];
  const kept = erased_at === null ? [] : [words.erased];
  switch (state) {
    case "checking":
      return [words.checking];
    case "refused":
      return [words.refused];
    case "queued":
      return [words.queued];
    case "running":
      return [words.running];
    case "paused":
      return [pausedWords(reason)];
    case "cancelled":
      if (ended_at === null) return [words.finishing];
      return [...(started_at === null ? [words.unstarted] : results), ...kept];
    default:
      return [...results, ...kept];
  }
}

/** Read out by screen readers: each tenth of the rows, and each change of state. */
function Announced({ batch }: { batch: BulkBatch }) {
  const { state, rows, invalid, ready } = batch;
  const wanted = rows - invalid;
  const tenths = wanted === 0 ? 0 : Math.floor(((wanted - ready) / wanted) * 10) * 10;
  const said =
    state === "running"
      ? words.announce(tenths)
      : state === "checked"
        ? `${words.check.ready(ready)} ${invalid > 0 ? words.check.invalid(invalid) : ""}`
        : sentencesOf(batch).join(" ");
  return (
    <p class="hidden-visually" role="status">
      {said}
    </p>
  );
}

function Figures({ batch }: { batch: BulkBatch }) {
  const shown = (["rows", "ready", "invalid", "sent", "failed", "skipped"] as const).filter(
    (name) => batch[name] > 0 || name === "rows" || name === "sent",
  );
  return (
    <dl class="figures">
      {shown.map((name) => (
        <div key={name} class={name === "failed" || name === "invalid" ? "bad" : undefined}>
          <dt>{words.figures[name]}</dt>
          <dd>{words.number(batch[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ batch, onChanged }: NowProps) {
  const [asking, setAsking] = useState<"start" | "cancel" | null>(null);
  const [retrying, saving] = [useSending(), useSending()];
  const { batch_id, template_id, state, ready, invalid, failed, skipped, sent, erased_at } = batch;
  const params = { batch_id };
  const mayAct = may("envelopes:write");
  const mayStart = mayAct && ready > 0 && (state === "checked" || (state === "paused" && batch.reason !== "template_changed"));
  const mayRetry = mayAct && erased_at === null && (state === "paused" || (hasEnded(batch) && failed + skipped > 0));
  const mayCancel = mayAct && ["checking", "checked", "queued", "running", "paused"].includes(state);
  const saveInvalid = () => saveFrom("get_bulk_rows_csv", `${batch_id}.csv`, { params, query: { state: "invalid" } });
  return (
    <>
      <ErrorNotice error={retrying.error ?? saving.error} />
      <div class="buttons">
        {mayStart && (
          <button type="button" class="button primary" onClick={() => setAsking("start")}>
            {state === "paused" ? words.start.continue(ready) : words.start.button(ready)}
          </button>
        )}
        {mayRetry && (
          <ActionButton
            sending={retrying}
            kind={mayStart ? "plain" : "primary"}
            onAction={async () => onChanged(await call("retry_bulk_batch", { params }))}
          >
            {words.retry}
          </ActionButton>
        )}
        {sent > 0 && (
          <Link to={`/envelopes?batch_id=${batch_id}`} class="button">
            {words.envelopes}
          </Link>
        )}
        {invalid > 0 && erased_at === null && (
          <ActionButton sending={saving} busyLabel={words.busy} onAction={saveInvalid}>
            {words.check.download}
          </ActionButton>
        )}
        {mayAct && (state === "refused" || hasEnded(batch)) && (
          <Link to={`/templates/${template_id}/bulk`} class="button">
            {words.again}
          </Link>
        )}
        {mayCancel && (
          <button type="button" class="button danger" onClick={() => setAsking("cancel")}>
            {words.cancel}
          </button>
        )}
      </div>
      {asking === "start" && <StartDialog batch={batch} onStarted={onChanged} onClose={() => setAsking(null)} />}
      {asking === "cancel" && (
        <Confirm
          title={words.cancelTitle}
          button={words.cancel}
          kind="danger"
          onClose={() => setAsking(null)}
          onConfirm={async () => onChanged(await call("cancel_bulk_batch", { params }))}
        >
          <p>{words.cancelText(ready)}</p>
        </Confirm>
      )}
    </>
  );
}

const hasEnded = ({ state, ended_at }: BulkBatch): boolean => state === "ended" || (state === "cancelled" && ended_at !== null);

function BatchFacts({ batch: { template_id, created_at, started_at, ended_at, file_sha256 } }: { batch: BulkBatch }) {
  const { facts } = words;
  const at = (name: string, moment: string | null) => (moment === null ? [] : [[name, <Moment key={name} at={moment} />] as const]);
  return (
    <Facts
      facts={[
        [
          facts.template,
          <Link key="template" to={`/templates/${template_id}`}>
            {facts.openTemplate}
          </Link>,
        ],
        ...at(facts.created, created_at),
        ...at(facts.started, started_at),
        ...at(facts.ended, ended_at),
        [
          facts.file,
          <code key="file" class="mono">
            {file_sha256}
          </code>,
        ],
      ]}
    />
  );
}
