import type { CustomerRowError, CustomerUpload } from "@countersign/client/types";
import { saveFile } from "../../save-file.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { en } from "../words/customer-upload/en.ts";
import { csvOf } from "./csv.ts";

const words = en.done;

const SHOWN_ERRORS = 100;
// The API returns no more than this.
const REPORTED_ERRORS = 1_000;

const columns: readonly Column<CustomerRowError>[] = [
  { head: words.columns.row, cell: ({ row }) => words.row(formatNumber(row)) },
  { head: words.columns.column, cell: ({ column }) => column ?? words.wholeRow },
  { head: words.columns.problem, cell: ({ message }) => message },
];

interface UploadResultProps {
  readonly upload: CustomerUpload;
  readonly fileName: string;
  readonly onAgain: () => void;
}

/** The result of the upload. */
export function UploadResult({ upload, fileName, onAgain }: UploadResultProps) {
  const { rows, created, updated, failed, errors } = upload;
  const figures = { rows, created, updated, failed };
  const save = () => {
    const lines = [["row", "column", "message"], ...errors.map(({ row, column, message }) => [row, column, message])];
    saveFile(new Blob([csvOf(lines)], { type: "text/csv" }), words.fileName(fileName.replace(/\.csv$/i, "")));
  };
  return (
    <>
      <Card title={failed === 0 ? words.all : words.some}>
        <dl class="figures">
          {Object.entries(figures).map(([name, count]) => (
            <div key={name} class={name === "failed" && count > 0 ? "bad" : undefined}>
              <dt>{words.figures[name as keyof typeof figures]}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        {updated > 0 && <p class="quiet">{words.unchanged}</p>}
        <div class="buttons">
          <Link to="/customers" class="button primary">
            {words.view}
          </Link>
          <button type="button" class="button" onClick={onAgain}>
            {words.again}
          </button>
        </div>
      </Card>
      {errors.length > 0 && (
        <section class="stack" aria-labelledby="errors">
          <div class="card-head">
            <h2 id="errors">{words.rejected}</h2>
            <button type="button" class="button" onClick={save}>
              {words.download}
            </button>
          </div>
          <p class="quiet">
            {countText(errors.length)} {words.numbers}
          </p>
          <Table
            caption={words.caption}
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
  if (count >= REPORTED_ERRORS) return words.first(SHOWN_ERRORS, formatNumber(REPORTED_ERRORS));
  if (count > SHOWN_ERRORS) return words.firstOf(SHOWN_ERRORS, count);
  return words.count(count);
}
