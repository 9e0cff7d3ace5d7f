// The colour space sRGB as an ICC profile (ICC.1:2001-04, a matrix profile with one tone curve), for documents that must say what their
// colours mean (ISO 19005-2, 6.2.3). Written here because it is small: 3 KB with a curve of 1,024 steps.

const VERSION = 0x02100000;
const CURVE_STEPS = 1_024;
const HEADER_BYTES = 128;

// The primaries of sRGB, adapted to the D50 white of profiles (IEC 61966-2-1).
const WHITE = [0.9642, 1, 0.8249] as const;
const PRIMARIES = { r: [0.4361, 0.2225, 0.0139], g: [0.3851, 0.7169, 0.0971], b: [0.1431, 0.0606, 0.7141] } as const;

let made: Uint8Array | null = null;

/** The bytes of the profile. */
export function srgbProfile(): Uint8Array {
  made ??= makeProfile();
  return made;
}

function makeProfile(): Uint8Array {
  const curve = toneCurve();
  const tags: readonly (readonly [string, Buffer])[] = [
    ["desc", description("sRGB")],
    ["cprt", Buffer.concat([signature("text"), Buffer.from("No copyright, use freely\0")])],
    ["wtpt", xyz(WHITE)],
    ["rXYZ", xyz(PRIMARIES.r)],
    ["gXYZ", xyz(PRIMARIES.g)],
    ["bXYZ", xyz(PRIMARIES.b)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const bodies: Buffer[] = [];
  const placed = new Map<Buffer, number>();
  let offset = HEADER_BYTES + table.length;
  for (const [index, [tag, body]] of tags.entries()) {
    const at = placed.get(body) ?? offset;
    if (!placed.has(body)) {
      const padded = Buffer.concat([body], (body.length + 3) & ~3);
      bodies.push(padded);
      offset += padded.length;
      placed.set(body, at);
    }
    table.write(tag, 4 + 12 * index, "latin1");
    table.writeUInt32BE(at, 8 + 12 * index);
    table.writeUInt32BE(body.length, 12 + 12 * index);
  }
  return new Uint8Array(Buffer.concat([header(offset), table, ...bodies]));
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(VERSION, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  // Any fixed date: the profile never changes.
  for (const [index, part] of [2000, 1, 1, 0, 0, 0].entries()) bytes.writeUInt16BE(part, 24 + 2 * index);
  bytes.write("acsp", 36, "latin1");
  for (const [index, value] of WHITE.entries()) bytes.writeInt32BE(fixed(value), 68 + 4 * index);
  return bytes;
}

const signature = (type: string): Buffer => Buffer.concat([Buffer.from(type, "latin1")], 8);

/** A number with 16 bits behind the point. */
const fixed = (value: number): number => Math.round(value * 65_536);

function xyz(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(20);
  signature("XYZ ").copy(bytes);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + 4 * index);
  return bytes;
}

// IEC 61966-2-1: linear near black, then a power of 2.4.
function toneCurve(): Buffer {
  const bytes = Buffer.alloc(12 + 2 * CURVE_STEPS);
  signature("curv").copy(bytes);
  bytes.writeUInt32BE(CURVE_STEPS, 8);
  for (let step = 0; step < CURVE_STEPS; step++) {
    const value = step / (CURVE_STEPS - 1);
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    bytes.writeUInt16BE(Math.round(linear * 65_535), 12 + 2 * step);
  }
  return bytes;
}

// ICC.1:2001-04, 6.5.17: an ASCII text, then a Unicode and a ScriptCode one, both empty.
function description(text: string): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(text.length + 1);
  return Buffer.concat([signature("desc"), count, Buffer.from(`${text}\0`, "latin1"), Buffer.alloc(4 + 4 + 2 + 1 + 67)]);
}
