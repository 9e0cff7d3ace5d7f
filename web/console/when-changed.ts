import { useEffect, useRef } from "preact/hooks";

/**
 * Runs `act` when the value changes, but not on mount: effects run a moment after the first render and would undo what the user typed or
 * opened by then.
 */
export function useWhenChanged<T>(value: T, act: (value: T) => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    act(value);
  }, [value]);
}
