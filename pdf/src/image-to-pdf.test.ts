import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { adobe, exif, type JpegRequest, jfif, makeJpeg, segment } from "../fixtures/jpeg.ts";
import { colorAt, type Pixels, pixelsOf } from "../fixtures/pixels.ts";
import { chunk, makePng, type PngRequest } from "../fixtures/png.ts";
import { concat, latin1 } from "../fixtures/writer.ts";
import { imageToPdf } from "./image-to-pdf.ts";

type Color = readonly [number, number, number];

const RED: Color = [255, 0, 0];
const GREEN: Color = [0, 255, 0];
const BLUE: Color = [0, 0, 255];
const WHITE: Color = [255, 255, 255];

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const mediaBox = (bytes: Uint8Array): number[] => /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(textOf(bytes))?.slice(1).map(Number) ?? [];

/** `length` bytes of compressed rows, each starting with `filter`. */
const compressed = (length: number, filter = 0): Uint8Array => new Uint8Array(deflateSync(Buffer.alloc(length, filter)));

/** The colour in the middle of cell (x, y) of a page divided into columns and rows. */
function cell(page: Pixels, columns: number, rows: number, x: number, y: number): Color {
  return colorAt(page, Math.floor(((x + 0.5) * page.width) / columns), Math.floor(((y + 0.5) * page.height) / rows));
}

function expectNear(found: Color, expected: Color, where: string, tolerance = 3): void {
  const far = found.some((value, i) => Math.abs(value - (expected[i] ?? 0)) > tolerance);
  if (far) expect(`${where}: ${found}`).toBe(`${where}: ${expected}`);
}

describe("a PNG", () => {
  const W = 13;
  const H = 11;
  const palette = Array.from({ length: 256 }, (_, i) => [(i * 37) & 255, (i * 91) & 255, (i * 151) & 255]);
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

  /** Samples that differ by pixel and channel, over the whole range of the depth. */
  const pattern = (depth: number, count: number) => (x: number, y: number) =>
    Array.from({ length: count }, (_, c) => ((x * 7 + y * 29 + c * 53) * 2654435761) % 2 ** depth);

  function shown(request: PngRequest, x: number, y: number): Color {
    const samples = request.pixel(x, y);
    const scaled = samples.map((sample) => (sample * 255) / (2 ** request.depth - 1));
    const [first = 0] = samples;
    const color =
      request.color === 3
        ? (palette[first] ?? [])
        : request.color === 2 || request.color === 6
          ? scaled.slice(0, 3)
          : [scaled[0], scaled[0], scaled[0]];
    const key = request.transparency ?? [];
    const isKey = key.length > 0 && samples.every((sample, c) => sample === ((key[2 * c] ?? 0) << 8) + (key[2 * c + 1] ?? 0));
    const stated = request.color === 3 ? (key[first] ?? 255) : isKey ? 0 : 255;
    const alpha = (request.color === 4 || request.color === 6 ? (scaled.at(-1) ?? 0) : stated) / 255;
    return [0, 1, 2].map((i) => (color[i] ?? 0) * alpha + 255 * (1 - alpha)) as unknown as Color;
  }

  async function expectShown(request: PngRequest): Promise<string> {
    const pdf = await imageToPdf(makePng(request));
    const page = await pixelsOf(pdf);
    for (let y = 0; y < H; y++) {
      for (let x = 0; x < W; x++) expectNear(cell(page, W, H, x, y), shown(request, x, y), `pixel ${x},${y}`);
    }
    return textOf(pdf);
  }

  const kinds = (
    [
      [0, [1, 2, 4, 8, 16]],
      [2, [8, 16]],
      [3, [1, 2, 4, 8]],
      [4, [8, 16]],
      [6, [8, 16]],
    ] as const
  ).flatMap(([color, depths]) => depths.flatMap((depth) => [false, true].map((interlaced) => ({ color, depth, interlaced }))));

  test.each(kinds)("of colour type $color, $depth bit, interlaced $interlaced shows its pixels", async ({ color, depth, interlaced }) => {
    const colors = color === 3 ? { palette: palette.slice(0, 2 ** depth).flat() } : {};
    const request: PngRequest = { width: W, height: H, depth, color, interlaced, pixel: pattern(depth, channels[color]), ...colors };
    const text = await expectShown(request);
    expect(text.includes("/SMask")).toBe(color >= 4);
  });

  test.each([0, 1, 2, 3, 4] as const)("with filter %d is copied, and decoded the same when transparent", async (filter) => {
    await expectShown({ width: W, height: H, depth: 8, color: 2, filter, pixel: pattern(8, 3) });
    await expectShown({ width: W, height: H, depth: 16, color: 6, filter, pixel: pattern(16, 4) });
    await expectShown({ width: W, height: H, depth: 2, color: 0, filter, interlaced: true, pixel: pattern(2, 1) });
  });

  test("with one transparent colour is transparent exactly there", async () => {
    const near = (x: number) => [0x1200 + (x % 3), 0x3400, 0x5600];
    await expectShown({ width: W, height: H, depth: 16, color: 2, pixel: near, transparency: [0x12, 1, 0x34, 0, 0x56, 0] });
    await expectShown({ width: W, height: H, depth: 4, color: 0, pixel: pattern(4, 1), transparency: [0, 9] });
  });

  test("with alpha by palette entry shows it, and entries without alpha are opaque", async () => {
    const colors = { palette: palette.slice(0, 16).flat(), transparency: [0, 128, 255, 64] };
    await expectShown({ width: W, height: H, depth: 4, color: 3, pixel: pattern(4, 1), ...colors });
  });

  test("with fully opaque alpha has no mask", async () => {
    const text = await expectShown({ width: W, height: H, depth: 8, color: 4, pixel: (x, y) => [x * y, 255] });
    expect(text).not.toContain("/SMask");
  });

  test("that is opaque keeps its compressed data byte for byte", async () => {
    let data = new Uint8Array();
    const keep = (idat: Uint8Array) => {
      data = Uint8Array.from(idat);
      return idat;
    };
    const pdf = await imageToPdf(makePng({ width: W, height: H, depth: 8, color: 2, pixel: pattern(8, 3), data: keep }));
    expect(textOf(pdf)).toContain(textOf(data));
  });

  const simple: PngRequest = { width: W, height: H, depth: 8, color: 0, pixel: pattern(8, 1) };

  test("loses comments, profiles, EXIF and everything after its end", async () => {
    const before = concat(chunk("tEXt", latin1("Comment\0SECRET")), chunk("eXIf", latin1("SECRET")), chunk("iCCP", latin1("SECRET")));
    const hidden = (idat: Uint8Array) => concat(idat, latin1("SECRET"));
    const pdf = await imageToPdf(concat(makePng({ ...simple, before, data: hidden }), latin1("<script>SECRET</script>")));
    expect(textOf(pdf)).not.toContain("SECRET");
  });

  test("of an animation shows the first frame", async () => {
    const png = makePng({ ...simple, before: concat(chunk("acTL", new Uint8Array(8)), chunk("fcTL", new Uint8Array(26))) });
    expect(await imageToPdf(png)).toEqual(await imageToPdf(makePng(simple)));
  });

  test.each<[string, Partial<PngRequest>]>([
    ["more data than its size says", { data: () => compressed(H * (W + 1) + 1) }],
    ["less data than its size says", { data: () => compressed(H * (W + 1) - 1) }],
    ["data that is not compressed", { data: () => latin1("nonsense") }],
    ["an unknown filter", { data: () => compressed(H * (W + 1), 5) }],
    ["an unknown critical chunk", { before: chunk("ABCD", new Uint8Array(4)) }],
    ["a second header", { before: chunk("IHDR", new Uint8Array(13)) }],
    ["no palette", { color: 3 }],
    ["half a palette entry", { color: 3, palette: [1, 2, 3, 4] }],
    ["a depth that its colour type does not have", { color: 2, depth: 4, pixel: () => [1, 2, 3] }],
  ])("with %s is rejected", async (_name, odd) => {
    const png = makePng({ ...simple, ...odd });
    await expect(imageToPdf(png)).rejects.toMatchObject({ fault: "unparseable" });
    const interlaced = makePng({ ...simple, ...odd, interlaced: true });
    await expect(imageToPdf(interlaced)).rejects.toMatchObject({ fault: "unparseable" });
  });

  test("with a wrong checksum, or truncated anywhere, is rejected", async () => {
    const png = makePng(simple);
    for (let at = 33; at < png.length - 1; at += 5) {
      const flipped = Uint8Array.from(png);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await expect(imageToPdf(flipped)).rejects.toMatchObject({ fault: "unparseable" });
      await expect(imageToPdf(png.subarray(0, at))).rejects.toMatchObject({ fault: "unparseable" });
    }
  });

  test.each([
    [20_001, 1, false, "20,000 pixels"],
    [1, 20_001, false, "20,000 pixels"],
    [8_001, 8_000, false, "64 megapixels"],
    [4_900, 4_900, true, "24 megapixels"],
  ])("of %d × %d pixels is rejected by its header alone", async (width, height, interlaced, limit) => {
    const flood = makePng({ ...simple, width: 1, height: 1, interlaced });
    const view = Buffer.from(flood);
    view.writeUInt32BE(width, 16);
    view.writeUInt32BE(height, 20);
    const header = chunk("IHDR", view.subarray(16, 29));
    const png = concat(flood.subarray(0, 8), header, flood.subarray(33));
    await expect(imageToPdf(png)).rejects.toMatchObject({ fault: "too_complex", limit: expect.stringContaining(limit) });
  });

  test("that is small but inflates to gigabytes stops at its stated size", async () => {
    const bomb = makePng({ ...simple, data: () => compressed(40_000_000) });
    const before = process.memoryUsage().rss;
    await expect(imageToPdf(bomb)).rejects.toMatchObject({ fault: "unparseable" });
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000);
  });

  test.each([
    [11_811, 11_811, 1, [(W * 72) / 300, (H * 72) / 300]],
    [11_811, 5_906, 1, [(W * 72) / 300, (H * 72) / 150]],
    [3_780, 3_780, 1, [792, (H * 792) / W]], // 96 dpi: a screen
    [99_999, 99_999, 1, [792, (H * 792) / W]],
    [11_811, 11_811, 0, [792, (H * 792) / W]], // no unit
  ])("of %d × %d dots, unit %d, has the right page size", async (x, y, unit, size) => {
    const dots = Buffer.alloc(9);
    dots.writeUInt32BE(x, 0);
    dots.writeUInt32BE(y, 4);
    dots[8] = unit;
    const box = mediaBox(await imageToPdf(makePng({ ...simple, before: chunk("pHYs", dots) })));
    for (const [i, side] of size.entries()) expect(box[i]).toBeCloseTo(Math.max(3, side), 2);
  });

  test("of one pixel height has a page that can be opened", async () => {
    const [w = 0, h = 0] = mediaBox(await imageToPdf(makePng({ ...simple, width: 5_000, height: 1 })));
    expect([w, h]).toEqual([792, 3]);
  });
});

describe("a JPEG", () => {
  const gray: JpegRequest["blocks"] = [
    [[10], [200]],
    [[90], [250]],
    [[0], [128]],
  ];
  // YCbCr of red, green, blue and white.
  const ycc = { red: [76, 85, 255], green: [150, 44, 21], blue: [29, 255, 107], white: [255, 128, 128] } as const;
  const colors: JpegRequest["blocks"] = [
    [ycc.red, ycc.green],
    [ycc.blue, ycc.white],
  ];
  const segments = [jfif(0, 1)];

  async function expectQuadrants(jpeg: Uint8Array, expected: readonly Color[], tolerance = 3): Promise<void> {
    const page = await pixelsOf(await imageToPdf(jpeg));
    for (const [i, color] of expected.entries()) expectNear(cell(page, 2, 2, i % 2, i >> 1), color, `quadrant ${i}`, tolerance);
  }

  test.each([false, true])("of greys, progressive %s, shows its blocks", async (progressive) => {
    const page = await pixelsOf(await imageToPdf(makeJpeg({ blocks: gray, progressive })));
    for (const [i, [value = 0]] of gray.flat().entries()) expectNear(cell(page, 2, 3, i % 2, i >> 1), [value, value, value], `block ${i}`);
  });

  test.each([
    ["with a JFIF header", { segments }],
    ["without one", {}],
    ["progressive", { segments, progressive: true }],
    ["extended (SOF1)", { segments, frameCode: 0xc1 }],
    ["with an Adobe marker", { segments: [adobe(1)] }],
    ["with JFIF, although its components are named R, G, B", { segments, ids: [82, 71, 66] }],
    ["with components 0, 1, 2", { ids: [0, 1, 2] }],
  ])("of YCbCr %s shows its colours", async (_name, odd: Partial<JpegRequest>) => {
    await expectQuadrants(makeJpeg({ blocks: colors, ...odd }), [RED, GREEN, BLUE, WHITE]);
  });

  test.each([
    ["components named R, G, B", { ids: [82, 71, 66] }],
    ["Adobe's marker with transform 0", { segments: [adobe(0)] }],
  ])("of plain RGB, by %s, shows its colours", async (_name, odd: Partial<JpegRequest>) => {
    const blocks = [
      [RED, GREEN],
      [BLUE, WHITE],
    ];
    await expectQuadrants(makeJpeg({ blocks, ...odd }), [RED, GREEN, BLUE, WHITE]);
  });

  test("of CMYK is inverted if and only if it has Adobe's marker", async () => {
    const inks: JpegRequest["blocks"] = [
      [
        [0, 0, 0, 0],
        [0, 0, 0, 255],
      ],
      [
        [0, 255, 255, 0],
        [255, 0, 255, 0],
      ],
    ];
    const turned = inks.map((row) => row.map((block) => block.map((ink) => 255 - ink)));
    const [plain, upsideDown] = await Promise.all(
      [makeJpeg({ blocks: inks }), makeJpeg({ blocks: turned, segments: [adobe(0)] })].map(async (jpeg) =>
        pixelsOf(await imageToPdf(jpeg)),
      ),
    );
    const quadrants = (page: Pixels | undefined) => [0, 1, 2, 3].map((i) => cell(page as Pixels, 2, 2, i % 2, i >> 1));
    expect(quadrants(upsideDown)).toEqual(quadrants(plain));
    const [white, black, red, green] = quadrants(plain);
    expectNear(white as Color, WHITE, "no ink", 6);
    expect(Math.max(...(black as Color))).toBeLessThan(60);
    expect((red as Color)[0]).toBeGreaterThan((red as Color)[1] + 100);
    expect((green as Color)[1]).toBeGreaterThan((green as Color)[0] + 100);
  });

  // The positions of red, green, blue and white in the displayed file.
  test.each<[number, readonly Color[]]>([
    [1, [RED, GREEN, BLUE, WHITE]],
    [2, [GREEN, RED, WHITE, BLUE]],
    [3, [WHITE, BLUE, GREEN, RED]],
    [4, [BLUE, WHITE, RED, GREEN]],
    [5, [RED, BLUE, GREEN, WHITE]],
    [6, [BLUE, RED, WHITE, GREEN]],
    [7, [WHITE, GREEN, BLUE, RED]],
    [8, [GREEN, WHITE, RED, BLUE]],
    [9, [RED, GREEN, BLUE, WHITE]],
  ])("with EXIF orientation %d is shown upright, its data unchanged", async (orientation, expected) => {
    const tall: JpegRequest["blocks"] = colors.flatMap((row) => [row, row]);
    for (const order of ["MM", "II"] as const) {
      const pdf = await imageToPdf(makeJpeg({ blocks: tall, segments: [exif(orientation, 72, order)] }));
      const page = await pixelsOf(pdf);
      for (const [i, color] of expected.entries()) expectNear(cell(page, 2, 2, i % 2, i >> 1), color, `quadrant ${i}`);
      expect(mediaBox(pdf)).toEqual(orientation >= 5 && orientation <= 8 ? [792, 396] : [396, 792]);
    }
  });

  test.each([
    ["JFIF, dots per inch", [jfif(1, 200)], 200, 200],
    ["JFIF, dots per centimetre", [jfif(2, 118)], 299.72, 299.72],
    ["JFIF, with different horizontal and vertical values", [jfif(1, 200, 100)], 200, 100],
    ["EXIF", [exif(1, 240)], 240, 240],
    ["JFIF before EXIF", [jfif(1, 300), exif(1, 240)], 300, 300],
  ])("with a resolution from %s has the right page size", async (_name, stated, x, y) => {
    const [w = 0, h = 0] = mediaBox(await imageToPdf(makeJpeg({ blocks: gray, segments: stated })));
    expect(w).toBeCloseTo((16 * 72) / x, 2);
    expect(h).toBeCloseTo((24 * 72) / y, 2);
  });

  test("loses comments, EXIF, thumbnails and everything after its end, and keeps the colour profile", async () => {
    const jpeg = makeJpeg({
      blocks: colors,
      segments: [
        jfif(1, 300),
        exif(1, 300),
        segment(0xfe, latin1("SECRET")),
        segment(0xe1, latin1("http://ns.adobe.com/xap/1.0/\0SECRET")),
        segment(0xed, latin1("Photoshop SECRET")),
        segment(0xe2, latin1("MPF\0SECRET")),
        segment(0xe2, latin1("ICC_PROFILE\0\x01\x01profile")),
        adobe(1, "SECRET"),
      ],
      after: latin1("SECRET"),
    });
    const text = textOf(await imageToPdf(jpeg));
    expect(text).not.toMatch(/SECRET|GPS|Exif/);
    expect(text).toContain("ICC_PROFILE");
  });

  test("with bytes between its segments is read, and they are dropped", async () => {
    const jpeg = makeJpeg({ blocks: colors, segments: [jfif(0, 1), latin1("SECRET"), Uint8Array.of(0xff, 0xff)] });
    await expectQuadrants(jpeg, [RED, GREEN, BLUE, WHITE]);
    expect(textOf(await imageToPdf(jpeg))).not.toContain("SECRET");
  });

  test.each<[string, Partial<JpegRequest>, string]>([
    ["lossless (SOF3)", { frameCode: 0xc3 }, "unparseable"],
    ["arithmetic (SOF9)", { frameCode: 0xc9 }, "unparseable"],
    ["of 12 bits", { precision: 12 }, "unparseable"],
    ["of two components", { blocks: [[[1, 2]]] }, "unparseable"],
    ["with two frames", { segments: [segment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0))] }, "unparseable"],
    ["without height", { size: { width: 8, height: 0 } }, "unparseable"],
    ["of more than 20,000 pixels per side", { size: { width: 20_001, height: 8 } }, "too_complex"],
    ["of more than 64 megapixels", { size: { width: 8_001, height: 8_000 } }, "too_complex"],
  ])("%s is rejected", async (_name, odd, fault) => {
    await expect(imageToPdf(makeJpeg({ blocks: gray, ...odd }))).rejects.toMatchObject({ fault });
  });

  test("truncated anywhere is rejected", async () => {
    const jpeg = makeJpeg({ blocks: colors, segments });
    for (let length = 3; length < jpeg.length; length++) {
      await expect(imageToPdf(jpeg.subarray(0, length))).rejects.toMatchObject({ fault: "unparseable" });
    }
  });

  test("with a damaged EXIF block is shown as if it had none", async () => {
    const whole = exif(6, 300);
    for (let length = 10; length < 70; length += 3) {
      const body = whole.subarray(4, length);
      await imageToPdf(makeJpeg({ blocks: colors, segments: [segment(0xe1, body)] }));
    }
  });
});

test("any other file is rejected", async () => {
  for (const bytes of [latin1("GIF89a"), latin1("%PDF-1.7"), new Uint8Array()]) {
    await expect(imageToPdf(bytes)).rejects.toMatchObject({ name: "NotAPdf" });
  }
});
