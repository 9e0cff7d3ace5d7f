import type { CustomerRowError, CustomerUpload } from "@countersign/client/types";
import { saveFile } from "../../ui/save-file.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { csvOf } from "./csv.ts";

const SHOWN_ERRORS = 100;
// As many as the service tells of.
const TOLD_ERRORS = 1_000;

const columns: readonly Column<CustomerRowError>[] = [
  { head: "Row", cell: ({ row }) => `Row ${row.toLocaleString()}` },
  { head: "Column", cell: ({ column }) => column ?? "The whole row" },
  { head: "What is wrong", cell: ({ message }) => message },
];

interface UploadedProps {
  readonly upload: CustomerUpload;
  readonly fileName: string;
  readonly onAgain: () => void;
}

/** What became of the file. */
export function Uploaded({ upload, fileName, onAgain }: UploadedProps) {
  const { rows, created, updated, failed, errors } = upload;
  const figures = { Rows: rows, Created: created, Updated: updated, Failed: failed };
  const save = () => {
    const lines = [["row", "column", "message"], ...errors.map(({ row, column, message }) => [row, column, message])];
    saveFile(new Blob([csvOf(lines)], { type: "text/csv" }), `${fileName.replace(/\.csv$/i, "")} errors.csv`);
  };
  return (
    <>
      <Card title={failed === 0 ? "All rows were taken" : "The file was taken, without the rows that failed"}>
        <dl class="figures">
          {Object.entries(figures).map(([name, count]) => (
            <div key={name} class={name === "Failed" && count > 0 ? "bad" : undefined}>
              <dt>{name}</dt>
              <dd>{count.toLocaleString()}</dd>
            </div>
          ))}
        </dl>
        {updated > 0 && <p class="quiet">A row that changed nothing counts as updated.</p>}
        <div class="buttons">
          <Link to="/customers" class="button primary">
            See the customers
          </Link>
          <button type="button" class="button" onClick={onAgain}>
            Upload another file
          </button>
        </div>
      </Card>
      {errors.length > 0 && (
        <section class="stack" aria-labelledby="errors">
          <div class="card-head">
            <h2 id="errors">What the service did not take</h2>
            <button type="button" class="button" onClick={save}>
              Download the errors
            </button>
          </div>
          <p class="quiet">{countsOf(errors.length)} Rows count as in a spreadsheet: the header is row 1.</p>
          <Table
            caption="Errors of the file"
            rows={errors.slice(0, SHOWN_ERRORS)}
            columns={columns}
            keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
          />
        </section>
      )}
    </>
  );
}

function countsOf(told: number): string {
  if (told >= TOLD_ERRORS) return `The first ${SHOWN_ERRORS} are shown; the download has the first ${TOLD_ERRORS.toLocaleString()}.`;
  if (told > SHOWN_ERRORS) return `The first ${SHOWN_ERRORS} of ${told} are shown; the download has all of them.`;
  return told === 1 ? "One error." : `${told} errors.`;
}
