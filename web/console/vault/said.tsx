import { useEffect, useRef } from "preact/hooks";

/** What an act led to. `plain`: it was done, and is nothing to be glad of. */
export interface Saying {
  readonly words: string;
  readonly tone?: "good" | "plain";
}

export const nothingSaid: Saying = { words: "" };

/** What happened, for those who see it and those who hear it. The place is there before the words are: only then they are read out. */
export function Said({ words, tone = "good" }: Saying) {
  const place = useRef<HTMLDivElement>(null);
  // The act may be far down the screen.
  useEffect(() => {
    if (words !== "") place.current?.scrollIntoView({ block: "nearest" });
  }, [words]);
  return (
    <div ref={place} class="said" role="status">
      {words !== "" && <p class={tone === "good" ? "notice good" : "notice"}>{words}</p>}
    </div>
  );
}
