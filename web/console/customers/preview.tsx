import { Chip } from "../parts/chip.tsx";
import type { FilePreview } from "./read-preview.ts";

/** The first rows, and which columns are used. */
export function Preview({ preview: { columns, rows, warnings } }: { preview: FilePreview }) {
  const skipped = columns.filter(({ field }) => field === null);
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {columns.length > 0 && (
        <p>
          {columns.length - skipped.length} of {columns.length} columns are customer fields.
          {skipped.length > 0 && ` Skipped: ${skipped.map(({ name }) => (name === "" ? "a column without a name" : name)).join(", ")}.`}
        </p>
      )}
      {columns.length > 0 && (
        // Scrolls sideways on its own, because a file may have many columns.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section class="preview table-box" aria-label="First rows of the file" tabIndex={0}>
          <table class="preview-table">
            <caption class="hidden-visually">First rows of the file</caption>
            <thead>
              <tr>
                {columns.map(({ name, field }, index) => (
                  <th key={index} scope="col">
                    {name === "" ? "(no name)" : name} {field === null && <Chip tone="bad">Skipped</Chip>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {columns.map(({ field }, index) => (
                    <td key={index} class={field === null ? "skipped" : undefined}>
                      {cells[index] ?? ""}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
