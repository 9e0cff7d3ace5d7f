// Reads the two EXIF values that affect display: the orientation and the resolution (Exif 2.32, 4.6). Nothing else is read or kept.

import type { Orientation, Resolution } from "./image.ts";

const ORIENTATION = 0x0112;
const X_RESOLUTION = 0x011a;
const Y_RESOLUTION = 0x011b;
const RESOLUTION_UNIT = 0x0128;

const SHORT = 3;
const RATIONAL = 5;
const ENTRY_BYTES = 12;

const inchesPerUnit: Readonly<Record<number, number>> = { 2: 1, 3: 2.54 };

/** Starts at the TIFF header. A damaged block is ignored, as in viewers. */
export function readExif(tiff: Buffer): { orientation: Orientation; resolution: Resolution | null } {
  const entries = readDirectory(tiff);
  const turned = entries.get(ORIENTATION) ?? 1;
  const [x, y] = [entries.get(X_RESOLUTION), entries.get(Y_RESOLUTION)];
  const unit = inchesPerUnit[entries.get(RESOLUTION_UNIT) ?? 2];
  return {
    orientation: isOrientation(turned) ? turned : 1,
    resolution: x === undefined || y === undefined || unit === undefined ? null : { x: x * unit, y: y * unit },
  };
}

const isOrientation = (value: number): value is Orientation => Number.isInteger(value) && value >= 1 && value <= 8;

// The numbers of the first directory, by tag.
function readDirectory(tiff: Buffer): Map<number, number> {
  const found = new Map<number, number>();
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return found;
  const [short, long] =
    order === "II"
      ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
      : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)];
  const start = long(4);
  if (start + 2 > tiff.length) return found;
  const count = Math.min(short(start), Math.floor((tiff.length - start - 2) / ENTRY_BYTES));
  for (let i = 0; i < count; i++) {
    const at = start + 2 + i * ENTRY_BYTES;
    const [tag, type, place] = [short(at), short(at + 2), long(at + 8)];
    if (type === SHORT) found.set(tag, short(at + 8));
    if (type === RATIONAL && place + 8 <= tiff.length && long(place + 4) > 0) found.set(tag, long(place) / long(place + 4));
  }
  return found;
}
