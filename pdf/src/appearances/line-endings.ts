// The shapes at the ends of lines (ISO 32000-2, table 179).

import { ops } from "../stamp/sheet.ts";
import { ellipse, type Point, polyline } from "./paths.ts";

const SIZE_OF_WIDTH = 6;
const SMALLEST_PT = 6;
const ARROW_ANGLE = Math.PI / 6;
const SLASH_ANGLE = Math.PI / 3;

/** How far an ending reaches from the end of its line. */
export const endingSize = (width: number): number => Math.max(SMALLEST_PT, SIZE_OF_WIDTH * width);

/** The operators of an ending at `tip`; `from` is the previous point of the line, and `close` paints a closed shape. */
export function ending(name: string, tip: Point, from: Point, width: number, close: "B" | "S"): string {
  const size = endingSize(width);
  const [x, y] = tip;
  const angle = Math.atan2(y - from[1], x - from[0]);
  const away = (turn: number, length: number): Point => [x + length * Math.cos(angle + turn), y + length * Math.sin(angle + turn)];
  const arrow = (direction: number): readonly Point[] => [away(direction - ARROW_ANGLE, size), tip, away(direction + ARROW_ANGLE, size)];
  const half = size / 2;
  switch (name) {
    case "OpenArrow":
      return `${polyline(arrow(Math.PI))} S`;
    case "ROpenArrow":
      return `${polyline(arrow(0))} S`;
    case "ClosedArrow":
      return `${polyline(arrow(Math.PI))} h ${close}`;
    case "RClosedArrow":
      return `${polyline(arrow(0))} h ${close}`;
    case "Square":
      return ops(x - half, y - half, size, size, "re", close);
    case "Circle":
      return `${ellipse(x - half, y - half, x + half, y + half)} ${close}`;
    case "Diamond":
      return ops(x, y + half, "m", x + half, y, "l", x, y - half, "l", x - half, y, "l h", close);
    case "Butt":
      return `${polyline([away(Math.PI / 2, half), away(-Math.PI / 2, half)])} S`;
    case "Slash":
      return `${polyline([away(SLASH_ANGLE, half), away(SLASH_ANGLE + Math.PI, half)])} S`;
    default:
      return "";
  }
}
