import type { CustomerUpload } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { fileSize } from "../parts/file-drop.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Cancelled, upload as sendForm } from "../upload.ts";
import { en as words } from "../words/customer-upload/en.ts";
import { ChooseFile } from "./choose-file.tsx";
import { customerFields } from "./fields.ts";
import { Preview } from "./preview.tsx";
import { type FilePreview, readPreview } from "./read-preview.ts";
import { type Progress, UploadProgress } from "./upload-progress.tsx";
import { UploadResult } from "./upload-result.tsx";

interface Chosen {
  readonly file: File;
  readonly preview: FilePreview;
}

type Outcome =
  | { readonly kind: "done"; readonly upload: CustomerUpload }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Imports customers from a CSV file: preview, upload, result. */
export function UploadCustomers() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const cancelling = useRef(new AbortController());
  const isUploading = progress !== null;
  const { notice } = useLeaving(() => (isUploading ? words.leaving : null));
  useEffect(() => () => cancelling.current.abort(), []);
  useNextFocus(`${chosen?.file.name} ${isUploading} ${outcome?.kind}`);
  const choose = async (file: File) => {
    setOutcome(null);
    setChosen({ file, preview: await readPreview(file) });
  };
  const upload = async ({ file }: Chosen) => {
    if (isUploading) return;
    cancelling.current = new AbortController();
    setOutcome(null);
    setProgress({ sent_bytes: 0, total_bytes: file.size });
    try {
      // The server reads only as fast as it writes the rows, so the bytes sent are a true measure of progress.
      const onProgress = (sent_bytes: number, total_bytes: number) => setProgress({ sent_bytes, total_bytes });
      const { signal } = cancelling.current;
      setOutcome({ kind: "done", upload: await sendForm("upload_customers", { body: { file } }, { onProgress, signal }) });
    } catch (error) {
      setOutcome(error instanceof Cancelled ? { kind: "cancelled" } : { kind: "failed", error });
    } finally {
      setProgress(null);
    }
  };
  const begin = () => {
    setChosen(null);
    setOutcome(null);
  };
  return (
    <Screen title={words.title} above={<Link to="/customers">{words.above}</Link>} lead={words.lead}>
      {notice}
      <p class="hidden-visually" role="status">
        {isUploading ? words.uploading : outcome?.kind === "done" ? resultText(outcome.upload) : ""}
      </p>
      <RequirePermission needs="customers:write" to={words.toUpload}>
        {outcome?.kind === "done" && chosen !== null ? (
          <UploadResult upload={outcome.upload} fileName={chosen.file.name} onAgain={begin} />
        ) : (
          <>
            {chosen === null && <ChooseFile onFile={(file) => void choose(file)} />}
            {chosen !== null && (
              <Card title={chosen.file.name}>
                <Preview preview={chosen.preview} />
                {isUploading ? (
                  <UploadProgress progress={progress} onCancel={() => cancelling.current.abort()} />
                ) : (
                  <div class="buttons">
                    <button type="button" class="button primary" data-next onClick={() => void upload(chosen)}>
                      {words.upload(fileSize(chosen.file.size))}
                    </button>
                    <button type="button" class="button" onClick={begin}>
                      {words.another}
                    </button>
                  </div>
                )}
              </Card>
            )}
            {outcome?.kind === "failed" && <ErrorNotice error={outcome.error} />}
            {outcome?.kind === "cancelled" && <CancelledNotice />}
            <Rules />
          </>
        )}
      </RequirePermission>
      <ApiCall operation="upload_customers" form={["file=@customers.csv"]} />
    </Screen>
  );
}

/** The pressed button disappears with its step, so the focus moves to the next control, or to the title if there is only text. */
function useNextFocus(step: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current)
      (document.querySelector<HTMLElement>("main [data-next]") ?? document.querySelector<HTMLElement>("main h1"))?.focus();
    isFirst.current = false;
  }, [step]);
}

const resultText = ({ rows, created, updated, failed }: CustomerUpload): string =>
  words.result(formatNumber(rows), formatNumber(created), formatNumber(updated), formatNumber(failed));

const CancelledNotice = () => (
  <p class="notice" role="alert">
    {words.cancelled}
  </p>
);

const Rules = () => (
  <Card title={words.rules.title}>
    <ul class="rules">
      <li>
        {words.rules.columns} <span class="mono">{customerFields.join(", ")}</span>.
      </li>
      <li>{words.rules.rows}</li>
      <li>{words.rules.format}</li>
    </ul>
  </Card>
);
