import { formatShortDay } from "../format.ts";
import { formatNumber } from "../format-number.ts";
import { en as words } from "../words/bars/en.ts";

interface Series {
  readonly name: string;
  readonly tone: "accent" | "good" | "bad" | "plain";
  readonly values: readonly number[];
  /** starts a new column beside the previous one instead of stacking on top of it */
  readonly beside?: boolean;
  /** a figure and a column of the table, without bars */
  readonly isUndrawn?: boolean;
}

interface BarsProps {
  /** describes the chart for screen readers */
  readonly caption: string;
  /** YYYY-MM-DD */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** figures beside the totals of the series */
  readonly more?: readonly (readonly [name: string, value: string])[];
}

const HEIGHT = 120;
const WIDTH = 600;
export const dayOf = (day: string): string => formatShortDay(`${day}T00:00:00Z`);

/** Groups the series into columns of stacked bars. */
function columnsOf(series: readonly Series[]): readonly (readonly Series[])[] {
  const columns: Series[][] = [];
  for (const one of series) {
    const last = columns.at(-1);
    if (last === undefined || one.beside) columns.push([one]);
    else last.push(one);
  }
  return columns;
}

const sumOf = (column: readonly Series[], index: number): number => column.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);

/** A bar chart by day. Screen readers get the same figures as a table. */
export function Bars({ caption, days, series, more = [] }: BarsProps) {
  const columns = columnsOf(series.filter(({ isUndrawn }) => isUndrawn !== true));
  const most = Math.max(0, ...days.flatMap((_, index) => columns.map((column) => sumOf(column, index))));
  const step = WIDTH / Math.max(1, days.length);
  const width = (step * 0.76) / Math.max(1, columns.length);
  const tooltipOf = (day: string, index: number) =>
    [dayOf(day), ...series.map(({ name, values }) => `${name} ${values[index] ?? 0}`)].join("\n");
  return (
    <figure class="bars">
      <figcaption>
        <dl class="bars-figures">
          {series.map(({ name, tone, values, isUndrawn }) => (
            <div key={name}>
              <dt>
                {isUndrawn !== true && <i class={`swatch ${tone}`} aria-hidden="true" />}
                {name}
              </dt>
              <dd>{formatNumber(values.reduce((sum, one) => sum + one, 0))}</dd>
            </div>
          ))}
          {more.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </figcaption>
      {most === 0 ? (
        <p class="quiet">{words.nothing}</p>
      ) : (
        <>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path class="bars-grid" d={`M0 4H${WIDTH}M0 ${(HEIGHT + 4) / 2}H${WIDTH}`} />
            {days.map((day, index) => (
              <g key={day} class="bars-day">
                <title>{tooltipOf(day, index)}</title>
                <rect class="bars-ground" x={index * step} y={0} width={step} height={HEIGHT} />
                {columns.map((column, at) => (
                  <Column key={at} column={column} index={index} most={most} x={(index + 0.12) * step + at * width} width={width} />
                ))}
              </g>
            ))}
          </svg>
          <div class="bars-axis" aria-hidden="true">
            <span>{days[0] === undefined ? "" : dayOf(days[0])}</span>
            <span>{words.peak(most)}</span>
            <span>{days.length === 0 ? "" : dayOf(days[days.length - 1] ?? "")}</span>
          </div>
        </>
      )}
      {/* A table cannot be narrower than its text, so the element around it is hidden instead. */}
      <div class="hidden-visually">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{dayOf(day)}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{values[index] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

interface ColumnProps {
  readonly column: readonly Series[];
  readonly index: number;
  readonly most: number;
  readonly x: number;
  readonly width: number;
}

function Column({ column, index, most, x, width }: ColumnProps) {
  let top = HEIGHT;
  return (
    <>
      {column.map(({ name, tone, values }) => {
        const height = most === 0 ? 0 : ((values[index] ?? 0) / most) * (HEIGHT - 4);
        top -= height;
        return <rect key={name} class={`bar ${tone}`} x={x} y={top} width={width} height={height} />;
      })}
    </>
  );
}
