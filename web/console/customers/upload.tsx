import type { CustomerUpload } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { Only } from "../parts/only.tsx";
import { Screen } from "../parts/screen.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { Cancelled, upload as sendForm } from "../upload.ts";
import { ChooseFile } from "./choose-file.tsx";
import { customerFields } from "./fields.ts";
import { type Opening, readOpening } from "./opening.ts";
import { Preview } from "./preview.tsx";
import { type Progress, Sent } from "./sent.tsx";
import { Uploaded } from "./uploaded.tsx";

interface Chosen {
  readonly file: File;
  readonly opening: Opening;
}

type Outcome =
  | { readonly kind: "done"; readonly upload: CustomerUpload }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Many customers from a CSV file: look at it, send it, read what became of it. */
export function UploadCustomers() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const cancelling = useRef(new AbortController());
  const isGoing = progress !== null;
  const { notice } = useLeaving(() => (isGoing ? "The upload is still going on. To leave cancels it; rows that are written stay." : null));
  useEffect(() => () => cancelling.current.abort(), []);
  useNextFocus(`${chosen?.file.name} ${isGoing} ${outcome?.kind}`);
  const choose = async (file: File) => {
    setOutcome(null);
    setChosen({ file, opening: await readOpening(file) });
  };
  const upload = async ({ file }: Chosen) => {
    if (isGoing) return;
    cancelling.current = new AbortController();
    setOutcome(null);
    setProgress({ sent_bytes: 0, total_bytes: file.size });
    try {
      // The service reads no faster than it writes the rows, so what went out is honest.
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
    <Screen title="Upload customers" above={<Link to="/customers">Customers</Link>} lead="Create and change many at once, from a CSV file.">
      {notice}
      <p class="hidden-visually" role="status">
        {isGoing ? "Uploading." : outcome?.kind === "done" ? toldOf(outcome.upload) : ""}
      </p>
      <Only least="member" to="upload customers">
        {outcome?.kind === "done" && chosen !== null ? (
          <Uploaded upload={outcome.upload} fileName={chosen.file.name} onAgain={begin} />
        ) : (
          <>
            {chosen === null && <ChooseFile onFile={(file) => void choose(file)} />}
            {chosen !== null && (
              <Card title={chosen.file.name}>
                <Preview opening={chosen.opening} />
                {isGoing ? (
                  <Sent progress={progress} onCancel={() => cancelling.current.abort()} />
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
            {outcome?.kind === "failed" && <Trouble of={outcome.error} />}
            {outcome?.kind === "cancelled" && <CancelledNotice />}
            <Rules />
          </>
        )}
      </Only>
      <ApiCall operation="upload_customers" form={["file=@customers.csv"]} />
    </Screen>
  );
}

/** What was pressed is gone with its step: the focus goes to what comes next, or to the title above what there is to read. */
function useNextFocus(step: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current)
      (document.querySelector<HTMLElement>("main [data-next]") ?? document.querySelector<HTMLElement>("main h1"))?.focus();
    isFirst.current = false;
  }, [step]);
}

const toldOf = ({ rows, created, updated, failed }: CustomerUpload): string =>
  `${rows.toLocaleString()} rows: ${created.toLocaleString()} created, ${updated.toLocaleString()} updated, ${failed.toLocaleString()} failed.`;

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const CancelledNotice = () => (
  <p class="notice" role="alert">
    Cancelled. The rows that the service had written by then stay. Upload the file again to go on: rows with a client_id change the same
    customers, rows without one are added once more.
  </p>
);

const Rules = () => (
  <Card title="What the file looks like">
    <ul class="rules">
      <li>
        The first row names the columns, in any order. The service knows: <span class="mono">{customerFields.join(", ")}</span>.
      </li>
      <li>
        A row whose client_id is known changes that customer; an empty cell leaves the value as it is. Any other row is a new customer.
      </li>
      <li>Commas or semicolons, UTF-8, up to 50 MB. A bad row is told and stops no other.</li>
    </ul>
  </Card>
);
