interface Series {
  readonly name: string;
  readonly tone: "accent" | "good" | "bad" | "plain";
  readonly values: readonly number[];
  /** in a column of its own beside those before it, and not on top of them: it counts something else */
  readonly beside?: boolean;
}

interface BarsProps {
  /** what is shown, as a sentence for those who hear it */
  readonly caption: string;
  /** YYYY-MM-DD */
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

const HEIGHT = 120;
const WIDTH = 600;
const dayWords = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
export const dayOf = (day: string): string => dayWords.format(new Date(`${day}T00:00:00Z`));

/** What stands on top of each other. */
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

/** Days as bars. The same figures are a table for those who do not see them. */
export function Bars({ caption, days, series }: BarsProps) {
  const columns = columnsOf(series);
  const most = Math.max(0, ...days.flatMap((_, index) => columns.map((column) => sumOf(column, index))));
  const step = WIDTH / Math.max(1, days.length);
  const width = (step * 0.76) / Math.max(1, columns.length);
  const told = (day: string, index: number) =>
    [dayOf(day), ...series.map(({ name, values }) => `${name} ${values[index] ?? 0}`)].join("\n");
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => (
          <g key={day} class="bars-day">
            <title>{told(day, index)}</title>
            <rect class="bars-ground" x={index * step} y={0} width={step} height={HEIGHT} />
            {columns.map((column, at) => (
              <Column key={at} column={column} index={index} most={most} x={(index + 0.12) * step + at * width} width={width} />
            ))}
          </g>
        ))}
      </svg>
      <div class="bars-axis" aria-hidden="true">
        <span>{days[0] === undefined ? "" : dayOf(days[0])}</span>
        <span>most in a day: {most.toLocaleString()}</span>
        <span>{days.length === 0 ? "" : dayOf(days[days.length - 1] ?? "")}</span>
      </div>
      <figcaption class="bars-legend">
        {series.map(({ name, tone, values }) => (
          <span key={name}>
            <i class={`swatch ${tone}`} aria-hidden="true" />
            {name} {values.reduce((sum, one) => sum + one, 0).toLocaleString()}
          </span>
        ))}
      </figcaption>
      {/* A table is as wide as its words whatever it is told, so what hides it is around it. */}
      <div class="hidden-visually">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
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
