import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ToldProps {
  readonly children: ComponentChildren;
  /** `plain`: it was done, and is nothing to be glad of */
  readonly tone?: "good" | "plain";
}

/** What an act led to, for those who see it and those who hear it. The place is there before the words: only then are they read out. */
export function Told({ children, tone = "good" }: ToldProps) {
  const place = useRef<HTMLDivElement>(null);
  const isSaid = children !== null && children !== undefined && children !== false && children !== "";
  // The act may be far down the screen.
  useEffect(() => {
    if (isSaid) place.current?.scrollIntoView({ block: "nearest" });
  }, [isSaid, children]);
  return (
    <div ref={place} class="told" role="status">
      {isSaid && <p class={tone === "good" ? "notice good" : "notice"}>{children}</p>}
    </div>
  );
}
