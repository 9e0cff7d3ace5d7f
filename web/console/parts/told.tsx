import type { ComponentChildren } from "preact";

/** What an act led to, for those who see it and those who hear it. The place is there before the words: only then are they read out. */
export function Told({ children, tone = "good" }: { children: ComponentChildren; tone?: "good" | "plain" }) {
  const isSaid = children !== null && children !== undefined && children !== false && children !== "";
  return (
    <div class="told" role="status">
      {isSaid && <p class={tone === "good" ? "notice good" : "notice"}>{children}</p>}
    </div>
  );
}
