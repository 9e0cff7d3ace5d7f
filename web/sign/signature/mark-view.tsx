import type { MarkFont } from "@countersign/client/pages";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { usePng } from "../../ui/blob-url.ts";
import type { AnyMark } from "../ceremony.ts";
import { faceFor, familyOf, type Ink, lineOf, loadFace, measure } from "./faces.ts";
import { type Drawn, pathOf, viewBoxOf, visibleExtent } from "./stroke-path.ts";

type Typed = Extract<AnyMark, { kind: "typed" }>;

/** A mark as the seal draws it: in proportion, aligned to the lower left corner of its area. */
export function MarkView({ mark, label }: { mark: AnyMark; label: string }) {
  return (
    <span class="mark" role="img" aria-label={label}>
      {mark.kind === "drawn" && <DrawnMark drawn={mark} />}
      {mark.kind === "typed" && <TypedMark typed={mark} />}
      {mark.kind === "uploaded" && <UploadedMark png={mark.png} />}
    </span>
  );
}

const LOWER_LEFT = "xMinYMax meet";

function DrawnMark({ drawn }: { drawn: Drawn }) {
  return (
    <svg class="mark-strokes" viewBox={viewBoxOf(visibleExtent(drawn))} preserveAspectRatio={LOWER_LEFT} aria-hidden="true">
      <path d={drawn.strokes.map(pathOf).join("")} />
    </svg>
  );
}

const EM = 100;
// The size of handwriting, not of a headline. Printed letters look larger than script.
const MAX_SCRIPT_PT = 32;
const MAX_PLAIN_PT = 20;

function TypedMark({ typed }: { typed: Typed }) {
  const text = lineOf(typed.text);
  const font = faceFor(text, typed.font);
  const isLoaded = useFace(font, text);
  const ink = useMemo(() => (isLoaded ? measure(text, font) : null), [isLoaded, text, font]);
  if (ink === null || ink.right <= ink.left) return null;
  return (
    <svg
      class="mark-text"
      viewBox={boxOf(ink)}
      preserveAspectRatio={LOWER_LEFT}
      style={{ maxHeight: tallest(ink, font) }}
      aria-hidden="true"
    >
      <text font-family={familyOf(font)} font-size={EM}>
        {text}
      </text>
    </svg>
  );
}

const boxOf = ({ left, right, top, bottom }: Ink): string =>
  viewBoxOf({ left: left * EM, top: -top * EM, w: (right - left) * EM, h: (top - bottom) * EM });

function tallest({ top, bottom }: Ink, font: MarkFont): string {
  const size_pt = font === "plain" ? MAX_PLAIN_PT : MAX_SCRIPT_PT;
  return `calc(var(--pt, 100vh) * ${(top - bottom) * size_pt})`;
}

/** Whether a font can be measured. Also true if it could not be loaded: a font of the device is used instead. */
function useFace(font: MarkFont, text: string): boolean {
  const wanted = font === "plain" ? `${font} ${text}` : font;
  const loaded = useSignal<string | null>(null);
  useEffect(() => {
    const settle = () => {
      loaded.value = wanted;
    };
    void loadFace(font, text).then(settle, settle);
  }, [wanted]);
  return loaded.value === wanted;
}

function UploadedMark({ png }: { png: string }) {
  const url = usePng(png);
  return url === null ? null : <img src={url} alt="" />;
}
