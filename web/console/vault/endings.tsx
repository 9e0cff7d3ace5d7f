import type { RecordEnding } from "@countersign/client/types";
import { saveFile } from "../../save-file.ts";
import { call, file, list } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { RecordProps } from "./record-props.ts";

const titles: Record<RecordEnding["kind"], string> = { paper: "Replacement by paper", destruction: "Destruction" };

const words: Record<RecordEnding["kind"], Record<RecordEnding["status"], string>> = {
  paper: {
    begun: "The electronic record has ended. The recipient has not confirmed yet that the paper is printed.",
    done: "The recipient confirmed that the paper is printed. The paper is the original.",
    cancelled: "Cancelled before the PDF was downloaded. The record stayed in the vault.",
  },
  destruction: {
    begun: "The record has ended, and its files are being removed.",
    done: "The files were removed, and were absent when they were read back.",
    cancelled: "Cancelled.",
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
    await onChange("Cancelled. The record stays in the vault.");
  };
  const canCancel = kind === "paper" && status === "begun" && downloaded_at === null && hasRole("admin");
  const removed = files?.filter(({ kept }) => !kept).length ?? 0;
  return (
    <Card
      title={titles[kind]}
      actions={
        <>
          {certificate_sha256 !== null && (
            <ActionButton sending={saving} onAction={save}>
              Certificate
            </ActionButton>
          )}
          {canCancel && (
            <ActionButton sending={cancelling} onAction={cancel}>
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      <p>{words[kind][status]}</p>
      <Facts
        facts={[
          ["Ended", <When key="begun" at={begun_at} />],
          ["Reason", reason === "" ? "None given" : reason],
          ...(recipient === null ? [] : [["Recipient", `${recipient.name}, ${recipient.email}`] as const]),
          ...(kind === "paper" ? [["PDF downloaded", <When key="downloaded" at={downloaded_at} otherwise="not yet" />] as const] : []),
          ...(files === null ? [] : [["Files removed", `${removed} of ${files.length}`] as const]),
          ["Closed", <When key="done" at={done_at} otherwise="not yet" />],
        ]}
      />
      <ErrorNotice error={saving.error ?? cancelling.error} />
    </Card>
  );
}
