import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface StatusNoticeProps {
  readonly children: ComponentChildren;
  /** `plain` for results that are neither good nor bad news */
  readonly tone?: "good" | "plain";
}

/** The result of an action. The live region is in the page before its text, because screen readers announce only changes. */
export function StatusNotice({ children, tone = "good" }: StatusNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const isSaid = children !== null && children !== undefined && children !== false && children !== "";
  // The button may be far down the screen.
  useEffect(() => {
    if (isSaid) place.current?.scrollIntoView({ block: "nearest" });
  }, [isSaid, children]);
  return (
    <div ref={place} class="status-notice" role="status">
      {isSaid && <p class={tone === "good" ? "notice good" : "notice"}>{children}</p>}
    </div>
  );
}
