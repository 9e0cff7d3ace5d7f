import { useEffect, useRef } from "preact/hooks";

/**
 * Acts when the value is another than before, and not when the screen comes: effects run a moment after the first drawing, and would undo
 * what was typed or opened by then.
 */
export function useWhenChanged<T>(value: T, act: (value: T) => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    act(value);
  }, [value]);
}
