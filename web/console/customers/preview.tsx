import { Chip } from "../parts/chip.tsx";
import { en } from "../words/customer-upload/en.ts";
import type { FilePreview } from "./read-preview.ts";

const words = en.preview;

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
          {words.used(columns.length - skipped.length, columns.length)}
          {skipped.length > 0 && words.skipped(skipped.map(({ name }) => (name === "" ? words.unnamed : name)).join(", "))}
        </p>
      )}
      {columns.length > 0 && (
        // Scrolls sideways on its own, because a file may have many columns.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section class="preview table-box" aria-label={words.caption} tabIndex={0}>
          <table class="preview-table">
            <caption class="hidden-visually">{words.caption}</caption>
            <thead>
              <tr>
                {columns.map(({ name, field }, index) => (
                  <th key={index} scope="col">
                    {name === "" ? words.noName : name} {field === null && <Chip tone="bad">{words.skippedChip}</Chip>}
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
