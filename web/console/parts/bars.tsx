interface Series {
  readonly name: string;
  readonly tone: "accent" | "good" | "bad" | "plain";
  readonly values: readonly number[];
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

/** Days as stacked bars. The same figures are a table for those who do not see them. */
export function Bars({ caption, days, series }: BarsProps) {
  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const step = WIDTH / Math.max(1, days.length);
  const width = Math.max(2, step * 0.7);
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          let top = HEIGHT;
          return series.map(({ name, tone, values }) => {
            const height = ((values[index] ?? 0) / most) * (HEIGHT - 4);
            top -= height;
            return (
              <rect
                key={`${day} ${name}`}
                class={`bar ${tone}`}
                x={index * step + (step - width) / 2}
                y={top}
                width={width}
                height={height}
              >
                <title>{`${dayOf(day)}: ${name} ${values[index] ?? 0}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <div class="bars-axis" aria-hidden="true">
        <span>{days[0] === undefined ? "" : dayOf(days[0])}</span>
        <span>most in a day: {Math.max(0, ...totals).toLocaleString()}</span>
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
      <table class="hidden-visually">
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
    </figure>
  );
}
