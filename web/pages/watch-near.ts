// Pages this far above and below the window are loaded ahead, so that fast scrolling finds them ready.
const AHEAD = "150% 0px";

/** Reports the pages near the window, the nearest first. `column`: an element whose children have `data-page`. */
export function watchNear(column: HTMLElement | null, tell: (pages: readonly number[]) => void): () => void {
  if (column === null) return () => undefined;
  const near = new Map<number, Element>();
  const report = () => {
    const middle = window.innerHeight / 2;
    const distance = (sheet: Element) => {
      const { top, bottom } = sheet.getBoundingClientRect();
      return top > middle ? top - middle : Math.max(0, middle - bottom);
    };
    tell(
      [...near]
        .map(([n, sheet]) => ({ n, far: distance(sheet) }))
        .sort((a, b) => a.far - b.far || a.n - b.n)
        .map(({ n }) => n),
    );
  };
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const n = Number((target as HTMLElement).dataset.page);
        if (isIntersecting) near.set(n, target);
        else near.delete(n);
      }
      report();
    },
    { rootMargin: AHEAD },
  );
  for (const sheet of column.children) observer.observe(sheet);
  // Pages move without scrolling when what is beside them changes.
  const resized = new ResizeObserver(report);
  resized.observe(column);
  // While scrolling among the same pages, the nearest one changes.
  let isDue = false;
  const scrolled = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      report();
    });
  };
  addEventListener("scroll", scrolled, { passive: true, capture: true });
  return () => {
    observer.disconnect();
    resized.disconnect();
    removeEventListener("scroll", scrolled, { capture: true });
  };
}
