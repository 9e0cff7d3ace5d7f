import { Chip } from "../parts/chip.tsx";
import type { Opening } from "./opening.ts";

/** The first rows, and which of their columns count. */
export function Preview({ opening: { columns, rows, warnings } }: { opening: Opening }) {
  const left = columns.filter(({ field }) => field === null);
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {columns.length > 0 && (
        <p>
          {columns.length - left.length} of {columns.length} columns are fields of a customer.
          {left.length > 0 && ` Left out: ${left.map(({ name }) => (name === "" ? "a column without a name" : name)).join(", ")}.`}
        </p>
      )}
      {columns.length > 0 && (
        // Its own region, because a file may have many columns; the keyboard can scroll it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached
        <section class="preview table-box" aria-label="First rows of the file" tabIndex={0}>
          <table class="preview-table">
            <caption class="hidden-visually">First rows of the file</caption>
            <thead>
              <tr>
                {columns.map(({ name, field }, index) => (
                  <th key={index} scope="col">
                    {name === "" ? "(no name)" : name} {field === null && <Chip tone="bad">Left out</Chip>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {columns.map(({ field }, index) => (
                    <td key={index} class={field === null ? "left" : undefined}>
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
