// A line on stderr every few seconds, and one at the end.

const EVERY_MS = 5_000;

/** Prints `line()` until the returned function is called. @param {() => string} line */
export function showEvery(line, every_ms = EVERY_MS) {
  const began = performance.now();
  const show = () => console.error(`${line()}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const timer = setInterval(show, every_ms);
  return () => {
    clearInterval(timer);
    show();
  };
}
