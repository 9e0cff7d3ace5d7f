import type { SigningArea, SigningField } from "@countersign/client/pages";
import { crossIn, discIn, fitLines, PADDING_PT } from "@countersign/fields/fit";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageSize } from "../../pages/viewer.tsx";
import { controlOf, type Value } from "../ceremony.ts";
import { type Extent, pitchOf, type ShownUnit, unitsOf } from "./units.ts";

/** Values as they are drawn in the document: the same lines, cross and disc, at the same place. */

// Declared in sign.css; the browser loads the parts that a text needs.
const FAMILY = "values, system-ui, sans-serif";
// Large enough that rounding to whole pixels is not visible.
const MEASURED_PX = 200;
const FONT = `16px ${FAMILY}`;

/** Counts the fonts that arrived, so that texts are measured again. */
const loaded = signal(0);
let context: CanvasRenderingContext2D | null = null;

function measureAnew(text: string): Extent {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) return { width: 0.5 * text.length, above: 0, below: 0 };
  context.font = `${MEASURED_PX}px ${FAMILY}`;
  // Letters are stamped without kerning.
  context.fontKerning = "none";
  const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = context.measureText(text);
  return {
    width: width / MEASURED_PX,
    above: actualBoundingBoxAscent / MEASURED_PX,
    below: actualBoundingBoxDescent / MEASURED_PX,
  };
}

/** Only what was measured with its font. */
const known = new Map<string, Extent>();

function measure(text: string): Extent {
  const extent = known.get(text) ?? measureAnew(text);
  known.set(text, extent);
  return extent;
}

async function loadFor(text: string): Promise<void> {
  await document.fonts.load(FONT, text);
  loaded.value++;
}

interface DrawnProps {
  readonly field: Pick<SigningField, "type" | "options"> & { readonly areas: readonly SigningArea[]; readonly value: Value };
  readonly index: number;
  readonly page: PageSize;
}

/** A value in one of its areas; nothing if it leaves no trace there. */
export function Drawn({ field: { type, options, areas, value }, index, page }: DrawnProps) {
  const area = areas[index];
  const control = controlOf(type);
  if (area === undefined || value === null || control === "mark") return null;
  const [w, h] = [area.w * page.w, area.h * page.h];
  if (control === "checkbox") return value === true ? <Cross w={w} h={h} /> : null;
  if (control === "radio" && options?.length === areas.length) return options[index] === value ? <Disc w={w} h={h} /> : null;
  return <Written text={String(value)} w={w} h={h} />;
}

const viewBox = (w: number, h: number): string => `0 0 ${w} ${h}`;

function Cross({ w, h }: { w: number; h: number }) {
  const { lines, pen } = crossIn(w, h);
  return (
    <svg class="drawn" viewBox={viewBox(w, h)} aria-hidden="true">
      <path
        d={lines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("")}
        stroke="#000"
        stroke-width={pen}
        stroke-linecap="round"
      />
    </svg>
  );
}

function Disc({ w, h }: { w: number; h: number }) {
  const { x, y, r } = discIn(w, h);
  return (
    <svg class="drawn" viewBox={viewBox(w, h)} aria-hidden="true">
      <circle cx={x} cy={y} r={r} />
    </svg>
  );
}

function Written({ text, w, h }: { text: string; w: number; h: number }) {
  // Read, so that the text is measured again when its font has arrived.
  void loaded.value;
  // Asked when the text is measured. In the effect, the font may have arrived in the meantime, and the text would stay as it was measured.
  const isReady = document.fonts.check(FONT, text);
  useEffect(() => {
    if (!isReady) void loadFor(text).catch(() => undefined);
  }, [text, isReady]);
  const measured = isReady ? measure : measureAnew;
  const paragraphs = unitsOf(text, measured);
  const { line_em, baseline_em } = pitchOf(paragraphs, measured);
  const fitted = fitLines(paragraphs, { w_pt: w, h_pt: h }, { line_em });
  // Too long. The field says so.
  if (fitted === null) return null;
  const { size_pt: size, lines } = fitted;
  const top = (h - lines.length * line_em * size) / 2;
  return (
    <svg class="drawn" viewBox={viewBox(w, h)} aria-hidden="true">
      {lines.map(({ letters, rightToLeft }, index) => (
        <text
          key={index}
          x={rightToLeft ? w - PADDING_PT : PADDING_PT}
          y={top + (index * line_em + baseline_em) * size}
          font-size={size}
          direction={rightToLeft ? "rtl" : "ltr"}
          {...(letters.length > 0 && { textLength: widthOf(letters) * size, lengthAdjust: "spacingAndGlyphs" })}
        >
          {letters.map((letter) => letter.text).join("")}
        </text>
      ))}
    </svg>
  );
}

const widthOf = (letters: readonly ShownUnit[]): number => letters.reduce((sum, { width }) => sum + width, 0);
