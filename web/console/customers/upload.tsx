import type { CustomerUpload } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Cancelled, upload as sendForm } from "../upload.ts";
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
  const { notice } = useLeaving(() =>
    isUploading ? "The upload is still running. Leaving cancels it. Rows already imported are kept." : null,
  );
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
    <Screen
      title="Upload customers"
      above={<Link to="/customers">Customers</Link>}
      lead="Create and update many customers at once from a CSV file."
    >
      {notice}
      <p class="hidden-visually" role="status">
        {isUploading ? "Uploading." : outcome?.kind === "done" ? resultText(outcome.upload) : ""}
      </p>
      <RequireRole least="member" to="upload customers">
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
                      Upload {sizeOf(chosen.file.size)}
                    </button>
                    <button type="button" class="button" onClick={begin}>
                      Choose another file
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
      </RequireRole>
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
  `${rows.toLocaleString()} rows: ${created.toLocaleString()} created, ${updated.toLocaleString()} updated, ${failed.toLocaleString()} failed.`;

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const CancelledNotice = () => (
  <p class="notice" role="alert">
    Upload cancelled. Rows already imported are kept. If you upload the file again, rows with a client_id update the same customers, and
    rows without one are added again.
  </p>
);

const Rules = () => (
  <Card title="File format">
    <ul class="rules">
      <li>
        The first row names the columns, in any order. Supported columns: <span class="mono">{customerFields.join(", ")}</span>.
      </li>
      <li>A row with a known client_id updates that customer, and empty cells keep their value. Any other row creates a new customer.</li>
      <li>Commas or semicolons, UTF-8, up to 50 MB. Rows with errors are reported; the others are imported.</li>
    </ul>
  </Card>
);
