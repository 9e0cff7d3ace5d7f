import { useEffect, useRef } from "preact/hooks";
import { opened } from "../ceremony.ts";

/**
 * The heading of the current task. It takes the focus when it appears, so that screen readers announce the change, and it is the title of the
 * window.
 */
export function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = opened.value?.envelope.name;
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = name === undefined || name === children ? children : `${children} · ${name}`;
  }, [children, name]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
