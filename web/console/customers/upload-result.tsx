import type { CustomerRowError, CustomerUpload } from "@countersign/client/types";
import { saveFile } from "../../save-file.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { csvOf } from "./csv.ts";

const SHOWN_ERRORS = 100;
// The API returns no more than this.
const REPORTED_ERRORS = 1_000;

const columns: readonly Column<CustomerRowError>[] = [
  { head: "Row", cell: ({ row }) => `Row ${row.toLocaleString()}` },
  { head: "Column", cell: ({ column }) => column ?? "Whole row" },
  { head: "Problem", cell: ({ message }) => message },
];

interface UploadResultProps {
  readonly upload: CustomerUpload;
  readonly fileName: string;
  readonly onAgain: () => void;
}

/** The result of the upload. */
export function UploadResult({ upload, fileName, onAgain }: UploadResultProps) {
  const { rows, created, updated, failed, errors } = upload;
  const figures = { Rows: rows, Created: created, Updated: updated, Failed: failed };
  const save = () => {
    const lines = [["row", "column", "message"], ...errors.map(({ row, column, message }) => [row, column, message])];
    saveFile(new Blob([csvOf(lines)], { type: "text/csv" }), `${fileName.replace(/\.csv$/i, "")} errors.csv`);
  };
  return (
    <>
      <Card title={failed === 0 ? "All rows imported" : "Imported, except for the rejected rows"}>
        <dl class="figures">
          {Object.entries(figures).map(([name, count]) => (
            <div key={name} class={name === "Failed" && count > 0 ? "bad" : undefined}>
              <dt>{name}</dt>
              <dd>{count.toLocaleString()}</dd>
            </div>
          ))}
        </dl>
        {updated > 0 && <p class="quiet">Rows without changes count as updated.</p>}
        <div class="buttons">
          <Link to="/customers" class="button primary">
            View customers
          </Link>
          <button type="button" class="button" onClick={onAgain}>
            Upload another file
          </button>
        </div>
      </Card>
      {errors.length > 0 && (
        <section class="stack" aria-labelledby="errors">
          <div class="card-head">
            <h2 id="errors">Rejected rows</h2>
            <button type="button" class="button" onClick={save}>
              Download errors
            </button>
          </div>
          <p class="quiet">{countText(errors.length)} Row numbers are as in a spreadsheet, where the header is row 1.</p>
          <Table
            caption="Errors in the file"
            rows={errors.slice(0, SHOWN_ERRORS)}
            columns={columns}
            keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
          />
        </section>
      )}
    </>
  );
}

function countText(count: number): string {
  if (count >= REPORTED_ERRORS)
    return `Showing the first ${SHOWN_ERRORS}. The download contains the first ${REPORTED_ERRORS.toLocaleString()}.`;
  if (count > SHOWN_ERRORS) return `Showing the first ${SHOWN_ERRORS} of ${count}. The download contains all of them.`;
  return count === 1 ? "1 error." : `${count} errors.`;
}
