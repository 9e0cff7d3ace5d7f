import type { RecordEnding } from "@countersign/client/types";
import { saveFile } from "../../save-file.ts";
import { call, file, list } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.endings;

const titles: Record<RecordEnding["kind"], string> = { paper: w.replacementByPaper, destruction: w.destruction };

const words: Record<RecordEnding["kind"], Record<RecordEnding["status"], string>> = {
  paper: {
    begun: w.theElectronicRecord,
    done: w.theRecipientConfirmed,
    cancelled: w.cancelledBeforeThe,
  },
  destruction: {
    begun: w.theRecordHas,
    done: w.theFilesWere,
    cancelled: w.cancelled,
  },
};

/** How the record ended, if it did. Nothing is shown for a record that has not. */
export function Endings({ envelope_id, done }: RecordProps) {
  const { data, error, reload } = useLoad("endings", () => list("list_record_endings", { query: { envelope_id, limit: 10 } }));
  const changed = async (said: string) => void (await Promise.all([reload(), done(said)]));
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {data?.data.map((one) => (
        <Ending key={one.ending_id} one={one} onChange={changed} />
      ))}
    </>
  );
}

function Ending({ one, onChange }: { one: RecordEnding; onChange: (said: string) => Promise<void> }) {
  const { ending_id, kind, status, recipient, reason, begun_at, downloaded_at, done_at, files, certificate_sha256 } = one;
  const [saving, cancelling] = [useSending(), useSending()];
  const save = async () => {
    const { blob, name } = await file("get_record_ending_certificate", { params: { ending_id } });
    saveFile(blob, name ?? `${ending_id}.pdf`);
  };
  const cancel = async () => {
    await call("cancel_paper", { params: { ending_id } });
    await onChange(w.cancelledTheRecord);
  };
  const canCancel = kind === "paper" && status === "begun" && downloaded_at === null && may("vault:release");
  const removed = files?.filter(({ kept }) => !kept).length ?? 0;
  return (
    <Card
      title={titles[kind]}
      actions={
        <>
          {certificate_sha256 !== null && (
            <ActionButton sending={saving} onAction={save}>
              {w.certificate}
            </ActionButton>
          )}
          {canCancel && (
            <ActionButton sending={cancelling} onAction={cancel}>
              {w.cancel}
            </ActionButton>
          )}
        </>
      }
    >
      <p>{words[kind][status]}</p>
      <Facts
        facts={[
          [w.ended, <When key="begun" at={begun_at} />],
          [w.reason, reason === "" ? w.noneGiven : reason],
          ...(recipient === null ? [] : [[w.recipient, `${recipient.name}, ${recipient.email}`] as const]),
          ...(kind === "paper" ? [[w.pdfDownloaded, <When key="downloaded" at={downloaded_at} otherwise={w.notYet} />] as const] : []),
          ...(files === null ? [] : [[w.filesRemoved, w.of(removed, files.length)] as const]),
          [w.closed, <When key="done" at={done_at} otherwise={w.notYet} />],
        ]}
      />
      <ErrorNotice error={saving.error ?? cancelling.error} />
    </Card>
  );
}
