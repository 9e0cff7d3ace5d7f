import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Whether an element has at least this width, in pixels. The same window is wider without the menu. */
export function useIsWide(of: RefObject<HTMLElement>, least: number): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = of;
    if (current === null) return;
    const measure = () => setWide(current.clientWidth >= least);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return isWide;
}
