import type { PersonRequest } from "@countersign/client/pages";
import { useState } from "preact/hooks";
import { documentOf, recordsWords } from "../../act-words.ts";
import { saveFile } from "../../save-file.ts";
import { download, recordsOf } from "../api.ts";
import { ActionButton, Card, ErrorNotice } from "../parts.tsx";
import { useLoad, useTask } from "../task.ts";

const LIMIT = 20;

const stateWords = { waiting: null, done: "Done", skipped: "Skipped" } as const;

/** The records of a request about many: everything that one confirmation is about. */
export function Records({ act }: Pick<PersonRequest, "act">) {
  const { act_id } = act;
  const [page, setPage] = useState(1);
  // With the state, because results follow a confirmation.
  const { data, error, reload } = useLoad(`${act_id} ${page} ${act.state}`, () => recordsOf(act_id, { page, limit: LIMIT }));
  const saving = useTask();
  const count = documentOf(act).batch?.count ?? 0;
  const first = (page - 1) * LIMIT + 1;
  return (
    <Card title={recordsWords(count)}>
      <p>You decide about all of them at once. The SHA-256 of this request covers the whole list.</p>
      <ErrorNotice error={error ?? saving.error} onRetry={reload} />
      {data !== null && (
        <>
          <ol class="party-records" start={first}>
            {data.items.map(({ index, record_name, copy_sha256, state }) => (
              <li key={index}>
                <span>{record_name}</span> {stateWords[state] !== null && <span class="quiet small">{stateWords[state]}</span>}
                <br />
                <code class="small quiet">{copy_sha256}</code>
              </li>
            ))}
          </ol>
          <p class="small" role="status">
            {first}–{Math.min(count, page * LIMIT)} of {count.toLocaleString("en")}
          </p>
        </>
      )}
      <div class="buttons">
        {count > LIMIT && (
          <>
            <button type="button" class="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
              Previous
            </button>
            <button type="button" class="button" disabled={page * LIMIT >= count} onClick={() => setPage(page + 1)}>
              Next
            </button>
          </>
        )}
        <ActionButton task={saving} onAction={async () => saveFile(await download(`/acts/${act_id}/items.csv`), `${act_id}.csv`)}>
          Download as CSV
        </ActionButton>
      </div>
    </Card>
  );
}
