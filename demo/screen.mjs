// The output of the demo: a line for each step with its duration, and its results below. Plain text if there is no terminal or NO_COLOR is
// set.

const WIDTH = 76;
// Longer lines are hard to read, even in a wide window.
const WIDEST = 110;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

/** @typedef {(text: string) => string} Paint */
/**
 * @typedef {object} Screen
 * @property {(text?: string) => void} say a line as it is
 * @property {(text: string) => void} head
 * @property {<T>(title: string, act: (tell: (line: string) => void) => Promise<T>) => Promise<T>} step `tell` adds a line below it
 * @property {(rows: [name: string, value: string][]) => void} list
 * @property {Paint} dim
 */

/** @param {NodeJS.WriteStream} out @param {Record<string, string | undefined>} env @returns {Screen} */
export function openScreen(out, env) {
  const isWatched = out.isTTY === true && env.TERM !== "dumb";
  const hasColour = isWatched && (env.NO_COLOR ?? "") === "";
  /** @param {number} code @returns {Paint} */
  const paint = (code) => (text) => (hasColour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const [bold, dim, red, green, cyan] = [paint(1), paint(2), paint(31), paint(32), paint(36)];
  const say = (text = "") => void out.write(`${text}\n`);

  /** Indents a line below a step and wraps it to the window. Without a terminal it is not wrapped. @param {string} text */
  function wrapped(text) {
    const width = isWatched ? Math.min(out.columns ?? WIDEST, WIDEST) : Number.POSITIVE_INFINITY;
    const lines = [`  ${text}`];
    for (let last = lines.at(-1) ?? ""; last.length > width; last = lines.at(-1) ?? "") {
      const space = last.lastIndexOf(" ", width);
      const at = space > width / 2 ? space : width;
      lines.splice(-1, 1, last.slice(0, at), `    ${last.slice(at).trimStart()}`);
    }
    return lines;
  }

  /** A spinner while the step runs. @param {string} title */
  function spin(title) {
    if (!isWatched) return () => undefined;
    let turn = 0;
    const draw = () => void out.write(`\r\x1b[K${cyan(FRAMES[turn++ % FRAMES.length] ?? "")} ${title}`);
    draw();
    const timer = setInterval(draw, FRAME_MS);
    return () => {
      clearInterval(timer);
      out.write("\r\x1b[K");
    };
  }

  return {
    say,
    dim,
    head: (text) => say(`\n${bold(text)}\n`),
    async step(title, act) {
      /** @type {string[]} */
      const told = [];
      const began = performance.now();
      const stop = spin(title);
      const line = (/** @type {string} */ mark) => {
        stop();
        const time = `${((performance.now() - began) / 1000).toFixed(1)} s`;
        say(`${mark} ${title}${dim(time.padStart(Math.max(WIDTH - title.length, time.length + 1)))}`);
        for (const text of told) for (const part of wrapped(text)) say(dim(part));
      };
      try {
        const result = await act((text) => void told.push(text));
        line(green("✓"));
        return result;
      } catch (error) {
        line(red("✗"));
        throw error;
      }
    },
    list(rows) {
      const width = Math.max(...rows.map(([name]) => name.length));
      for (const [name, value] of rows) say(`  ${name.padEnd(width)}  ${cyan(value)}`);
    },
  };
}
