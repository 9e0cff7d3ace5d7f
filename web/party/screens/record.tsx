import type { AuditedRecord } from "@countersign/client/pages";
import { saveFile } from "../../save-file.ts";
import { call, download } from "../api.ts";
import { ActionButton, Card, Chip, ErrorNotice, Facts, Moment, NotLoaded, Screen } from "../parts.tsx";
import { hrefOf } from "../route.ts";
import { useLoad, useTask } from "../task.ts";
import { CopyState, standingWords } from "./copy-state.tsx";

/** A record that the person may look at as an auditor. Each visit is recorded at the vault. */
export function Record({ envelope_id }: { envelope_id: string }) {
  const { data: record, error, reload } = useLoad(envelope_id, () => call(`GET /records/${envelope_id}`));
  const above = <a href={hrefOf("records")}>All records</a>;
  if (record === null) {
    return (
      <NotLoaded what="Record" above={above} error={error} onRetry={reload}>
        You cannot look at this record now. A grant may have ended, or it was given to another address.
      </NotLoaded>
    );
  }
  const { compliance } = record;
  return (
    <Screen
      title={record.envelope_name}
      above={above}
      lead={
        <>
          <CopyState state={record.state} /> {record.org_name} lets {record.party_name} look at this record until{" "}
          <Moment at={record.until} />. Every view and download is recorded in its audit trail.
        </>
      }
    >
      <ErrorNotice error={error} onRetry={reload} />
      <Card title="Record">
        <Facts
          facts={[
            ["Vault of", record.org_name],
            ["Stored", <Moment key="stored" at={record.stored_at} />],
            ["Retained until", <Moment key="until" at={record.retention_until} />],
            ["SHA-256", <code key="hash">{record.sha256}</code>],
          ]}
        />
      </Card>
      <Card title="Certificate">
        <p>
          Revision {record.revision}, evaluated <Moment at={compliance.evaluated_at} />: {compliance.score} of 100
          {compliance.proven_score !== null && `, ${compliance.proven_score} proven`}.{" "}
          {compliance.standing !== null && `${standingWords[compliance.standing]}.`}
        </p>
        <ol class="party-list">
          {compliance.checks.map((check) => (
            <li key={check.id}>
              <strong>
                {check.number}. {check.requirement}
              </strong>{" "}
              <Grade {...check} />
              <br />
              {check.grade_reason ?? check.detail}
            </li>
          ))}
        </ol>
        {compliance.warnings.map(({ code, message }) => (
          <p key={code} class="notice">
            {message}
          </p>
        ))}
      </Card>
      {record.may_download && <Files {...record} />}
    </Screen>
  );
}

const grades = { proven: ["good", "Proven"], attested: ["caution", "Attested"], not_shown: ["bad", "Not shown"] } as const;

function Grade({ grade, satisfied }: AuditedRecord["compliance"]["checks"][number]) {
  if (grade === null) return <Chip>{satisfied ? "Satisfied" : "Not satisfied"}</Chip>;
  const [tone, words] = grades[grade];
  return <Chip tone={tone}>{words}</Chip>;
}

const save = async (path: Parameters<typeof download>[0], name: string) => saveFile(await download(path), name);

function Files({ envelope_id }: AuditedRecord) {
  const task = useTask();
  return (
    <Card title="Downloads">
      <div class="buttons">
        <ActionButton task={task} onAction={() => save(`/records/${envelope_id}/copy`, `${envelope_id}-copy.pdf`)}>
          Marked copy
        </ActionButton>
        <ActionButton task={task} onAction={() => save(`/records/${envelope_id}/certificate`, `${envelope_id}-certificate.pdf`)}>
          Certificate
        </ActionButton>
        <ActionButton task={task} onAction={() => save(`/records/${envelope_id}/evidence`, `${envelope_id}-evidence.zip`)}>
          Evidence bundle
        </ActionButton>
      </div>
      <ErrorNotice error={task.error} />
    </Card>
  );
}
