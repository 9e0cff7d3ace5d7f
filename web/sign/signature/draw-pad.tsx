import { batch, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { type Drawn, pathOf, viewBoxOf } from "./stroke-path.ts";
import { begin, extend, isFull, lastTime, type Point, undo, viewOf } from "./strokes.ts";

interface DrawPadProps {
  readonly drawing: Signal<Drawn | null>;
  /** Called after each stroke, not at its start, so that nothing moves under the pen. */
  readonly onStroke: () => void;
}

interface Pen {
  readonly pointerId: number;
  /** The number of strokes including this one; null while the pen is outside the pad. */
  stroke: number | null;
  /** The position of the pad when the pen last moved. */
  pad: DOMRect;
}

/** Strokes are vectors in the coordinates of the first stroke, so rotating the phone only scales them. */
export function DrawPad({ drawing, onStroke }: DrawPadProps) {
  const pad = useRef<SVGSVGElement>(null);
  const pen = useRef<Pen | null>(null);
  const startedAt = useRef<number | null>(null);
  const view = useSignal<string | null>(null);
  const drawn = drawing.value;

  // Only when the pad is resized: moving the drawing under the pen would distort the stroke.
  useEffect(() => {
    if (pad.current === null) return;
    const resized = new ResizeObserver(() => {
      const now = drawing.peek();
      view.value = now === null ? null : viewBoxOf(viewOf(now));
    });
    resized.observe(pad.current);
    return () => resized.disconnect();
  }, [drawing]);

  const pointOf = (event: PointerEvent): Point => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(pad.current?.getScreenCTM()?.inverse());
    return [tenths(place.x), tenths(place.y), Math.round(event.timeStamp - (startedAt.current ?? 0))];
  };
  const draw = (event: PointerEvent, holding: Pen) => {
    const before = drawing.value;
    // A new stroke starts when the pen returns to the pad, or after its stroke was undone.
    if (!isOn(holding.pad, event)) holding.stroke = null;
    else if (before !== null && holding.stroke === before.strokes.length) drawing.value = extend(before, pointOf(event));
    else {
      drawing.value = begin(before, { w: tenths(holding.pad.width), h: tenths(holding.pad.height) }, pointOf(event));
      holding.stroke = drawing.value.strokes.length;
    }
  };
  const press = (event: PointerEvent) => {
    if (pad.current === null || pen.current !== null || event.button !== 0) return;
    event.preventDefault();
    pad.current.setPointerCapture(event.pointerId);
    if (drawing.value === null) view.value = null;
    // All strokes share one clock. An existing drawing continues at the time of its last point.
    if (drawing.value === null || startedAt.current === null) startedAt.current = event.timeStamp - lastTime(drawing.value);
    pen.current = { pointerId: event.pointerId, stroke: null, pad: pad.current.getBoundingClientRect() };
    draw(event, pen.current);
  };
  const move = (event: PointerEvent) => {
    const holding = pen.current;
    if (pad.current === null || holding?.pointerId !== event.pointerId) return;
    const at = pad.current.getBoundingClientRect();
    if (at.x !== holding.pad.x || at.y !== holding.pad.y || at.width !== holding.pad.width) holding.stroke = null;
    holding.pad = at;
    const steps = event.getCoalescedEvents?.() ?? [];
    batch(() => {
      for (const step of steps.length > 0 ? steps : [event]) draw(step, holding);
    });
  };
  const lift = (event: PointerEvent) => {
    if (pen.current?.pointerId !== event.pointerId) return;
    pen.current = null;
    onStroke();
  };

  return (
    <div class="adopt-paper adopt-pad" data-full={drawn !== null && isFull(drawn)}>
      {drawn === null && <span aria-hidden="true">{words.value.drawHere}</span>}
      <svg
        ref={pad}
        role="img"
        aria-label={`${words.value.drawHere}. ${words.value.drawByKeyboard}`}
        viewBox={drawn === null ? undefined : (view.value ?? `0 0 ${drawn.w} ${drawn.h}`)}
        onPointerDown={press}
        onPointerMove={move}
        onLostPointerCapture={lift}
      >
        <path d={drawn?.strokes.slice(0, -1).map(pathOf).join("") ?? ""} />
        <path d={drawn?.strokes.slice(-1).map(pathOf).join("") ?? ""} />
      </svg>
    </div>
  );
}

const isOn = ({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: PointerEvent): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** `aria-disabled` instead of `disabled`, which would lose the focus. */
export function DrawTools({ drawing }: { drawing: Signal<Drawn | null> }) {
  const isEmpty = drawing.value === null;
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-disabled={isEmpty}
        onClick={() => {
          drawing.value = drawing.value && undo(drawing.value);
        }}
      >
        {words.value.undo}
      </button>
      <button
        type="button"
        class="button quiet"
        aria-disabled={isEmpty}
        onClick={() => {
          drawing.value = null;
        }}
      >
        {words.value.clear}
      </button>
    </>
  );
}

const tenths = (px: number): number => Math.round(px * 10) / 10;
