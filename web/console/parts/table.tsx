import type { Meta } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import type { Page } from "../../operation.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import type { Loadable } from "../use-load.ts";
import { en as words } from "../words/table/en.ts";
import { cut, wholeOf } from "./cut.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { Glyph } from "./glyph.tsx";
import { Skeleton } from "./skeleton.tsx";

/** The one order that a column has. */
export interface Sorting {
  readonly direction: "ascending" | "descending";
  readonly isOn: () => boolean;
  /** sorts by the column, or no longer */
  readonly toggle: () => void;
}

export interface Column<T> {
  readonly head: string;
  /** makes the head a button */
  readonly sorting?: Sorting;
  readonly cell: (row: T) => ComponentChildren;
  /** in the first column, beside and below the link of the row */
  readonly more?: (row: T) => ComponentChildren;
  /** right-aligned, for numbers */
  readonly end?: boolean;
  /** hidden on a phone */
  readonly minor?: boolean;
}

/** The rows that the user has chosen, by their keys. */
export interface Selection<T> {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  /** names a row for screen readers */
  readonly nameOf: (row: T) => string;
}

interface TableProps<T> {
  /** describes the table for screen readers */
  readonly caption: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** makes the whole row a link, named by its first column */
  readonly to?: (row: T) => string;
  readonly isBusy?: boolean;
  /** puts a box before each row */
  readonly selection?: Selection<T>;
  /** the menu at the end of each row */
  readonly menu?: (row: T) => ComponentChildren;
}

export function Table<T>({ caption, rows, columns, keyOf, to, isBusy = false, selection, menu }: TableProps<T>) {
  return (
    <div class="table-box">
      <table class="table" aria-busy={isBusy}>
        <caption class="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            {selection !== undefined && <ChooseAll keys={rows.map(keyOf)} selection={selection} />}
            {columns.map(({ head, sorting, end, minor }) => (
              <th key={head} scope="col" class={classOf(end, minor)} aria-sort={sorting?.isOn() ? sorting.direction : undefined}>
                {sorting === undefined ? head : <SortButton head={head} {...sorting} />}
              </th>
            ))}
            {menu !== undefined && (
              <th scope="col" class="row-menu-cell">
                <span class="hidden-visually">{words.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={
                [to !== undefined && "linked", selection?.chosen.has(keyOf(row)) === true && "chosen"].filter(Boolean).join(" ") ||
                undefined
              }
            >
              {selection !== undefined && <ChooseRow id={keyOf(row)} name={selection.nameOf(row)} selection={selection} />}
              {columns.map(({ head, cell, more, end, minor }, index) =>
                index === 0 ? (
                  <th key={head} scope="row">
                    {to === undefined ? (
                      cut(cell(row))
                    ) : (
                      // The link covers the row, so the whole name is its title.
                      <Link to={to(row)} class="row-link" title={wholeOf(cell(row))}>
                        {cut(cell(row))}
                      </Link>
                    )}
                    {more?.(row)}
                  </th>
                ) : (
                  <td key={head} data-head={head} class={classOf(end, minor)}>
                    {cut(cell(row))}
                  </td>
                ),
              )}
              {menu !== undefined && <td class="row-menu-cell">{menu(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SortButton = ({ head, direction, isOn, toggle }: Sorting & { readonly head: string }) => (
  <button type="button" class="sort" title={words.sort(head)} onClick={toggle}>
    {head}
    {isOn() && <Glyph name={direction === "ascending" ? "up" : "down"} />}
  </button>
);

type Chosen = Pick<Selection<never>, "chosen" | "onChoose">;

function ChooseAll({ keys, selection: { chosen, onChoose } }: { keys: readonly string[]; selection: Chosen }) {
  const isAll = keys.length > 0 && keys.every((key) => chosen.has(key));
  return (
    <th scope="col" class="choose">
      <label>
        <input type="checkbox" aria-label={words.selectAll} checked={isAll} onChange={() => onChoose(new Set(isAll ? [] : keys))} />
      </label>
    </th>
  );
}

function ChooseRow({ id, name, selection: { chosen, onChoose } }: { id: string; name: string; selection: Chosen }) {
  const isChosen = chosen.has(id);
  const others = [...chosen].filter((one) => one !== id);
  return (
    <td class="choose">
      <label>
        <input
          type="checkbox"
          aria-label={words.select(name)}
          checked={isChosen}
          onChange={() => onChoose(new Set(isChosen ? others : [...others, id]))}
        />
      </label>
    </td>
  );
}

const classOf = (end = false, minor = false): string | undefined => [end && "end", minor && "minor"].filter(Boolean).join(" ") || undefined;

interface PagedTableProps<T> extends Omit<TableProps<T>, "rows" | "isBusy"> {
  readonly loaded: Loadable<Page<T>>;
  /** shown if the list is empty */
  readonly empty: ComponentChildren;
  /** the query parameter for the page, if a screen has two lists */
  readonly pageName?: string;
}

/** A list from the API: a skeleton, an error, the empty state, or one page of rows with buttons for the others. */
export function PagedTable<T>({ loaded, empty, pageName = "page", ...table }: PagedTableProps<T>) {
  const { data, error, isLoading, isSlow, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (data === null) return isSlow ? <Skeleton /> : null;
  if (data.meta.total === 0) return <>{empty}</>;
  return (
    <>
      <Table {...table} rows={data.data} isBusy={isLoading} />
      <Pager {...data.meta} name={pageName} />
    </>
  );
}

interface PagerProps extends Readonly<Meta> {
  readonly name: string;
}

export function Pager({ page, limit, total, total_capped = false, name }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit));
  const first = (page - 1) * limit + 1;
  const to = (wanted: number) => {
    setQuery({ [name]: wanted === 1 ? null : String(wanted) }, { replace: false });
    scrollTo(0, 0);
  };
  return (
    <nav class="pager" aria-label={words.pages}>
      <p role="status">
        {first > total
          ? words.empty(page, formatNumber(total), total_capped)
          : words.rows(formatNumber(first), formatNumber(Math.min(total, page * limit)), formatNumber(total), total_capped)}
      </p>
      {(last > 1 || page > last) && (
        <div class="buttons">
          <button type="button" class="button" disabled={page <= 1} onClick={() => to(Math.min(page - 1, last))}>
            {words.previous}
          </button>
          <button type="button" class="button" disabled={page >= last} onClick={() => to(page + 1)}>
            {words.next}
          </button>
        </div>
      )}
    </nav>
  );
}

// The API's limit.
const LAST_PAGE = 1_000_000;

/** The page number in the address. */
export const pageOf = (name = "page"): number => Math.min(LAST_PAGE, Math.max(1, Math.trunc(Number(query.value.get(name) ?? "1")) || 1));
