// In Thai and Devanagari, letters stack, change places and form conjuncts, by rules in the font. HarfBuzz applies them. Its WebAssembly is
// loaded when the first such text is drawn, and at once: a value is judged while its request waits. It only sees our own fonts.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Face } from "./face.ts";

/** Lengths in ems; `x` and `y` move the glyph from the pen. */
export type RunGlyph = {
  readonly glyph: number;
  /** Where its characters begin in the text, in UTF-16 units. Glyphs of characters that cannot be separated have the same. */
  readonly at: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
};

/** The functions of harfbuzz.h that are used here. Pointers are numbers. */
type HarfBuzz = {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly __wasm_call_ctors: () => void;
  readonly malloc: (size: number) => number;
  readonly free: (at: number) => void;
  readonly hb_blob_create: (data: number, length: number, mode: number, user: number, destroy: number) => number;
  readonly hb_face_create: (blob: number, index: number) => number;
  readonly hb_face_get_upem: (face: number) => number;
  readonly hb_font_create: (face: number) => number;
  readonly hb_buffer_create: () => number;
  readonly hb_buffer_destroy: (buffer: number) => void;
  readonly hb_buffer_add_utf16: (buffer: number, text: number, length: number, from: number, count: number) => void;
  readonly hb_buffer_guess_segment_properties: (buffer: number) => void;
  readonly hb_shape: (font: number, buffer: number, features: number, count: number) => void;
  readonly hb_buffer_get_length: (buffer: number) => number;
  readonly hb_buffer_get_glyph_infos: (buffer: number, count: number) => number;
  readonly hb_buffer_get_glyph_positions: (buffer: number, count: number) => number;
};

// Part of the runtime, but not of the language's types.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const READ_ONLY = 1;
// hb_glyph_info_t and hb_glyph_position_t: five 32-bit numbers each.
const RECORD = 20;
const PAGE = 65_536;

let library: HarfBuzz | null = null;

function load(): HarfBuzz {
  const path = createRequire(import.meta.url).resolve("harfbuzzjs/dist/harfbuzz.wasm");
  const stop = (): never => {
    throw new Error("HarfBuzz stopped");
  };
  const imports = {
    env: {
      _abort_js: stop,
      _emscripten_runtime_keepalive_clear: () => undefined,
      _setitimer_js: () => 0,
      emscripten_resize_heap(wanted: number): number {
        const { memory } = exports;
        memory.grow(Math.ceil((wanted - memory.buffer.byteLength) / PAGE));
        return 1;
      },
    },
    wasi_snapshot_preview1: { proc_exit: stop },
  };
  const exports = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), imports).exports as HarfBuzz;
  exports.__wasm_call_ctors();
  return exports;
}

type Font = { readonly at: number; readonly em: number };

// Fonts are few and kept as long as the thread.
const fonts = new WeakMap<Face, Font>();

function fontOf(hb: HarfBuzz, face: Face): Font {
  const known = fonts.get(face);
  if (known !== undefined) return known;
  const file = face.file();
  const data = hb.malloc(file.length);
  new Uint8Array(hb.memory.buffer, data, file.length).set(file);
  const made = hb.hb_face_create(hb.hb_blob_create(data, file.length, READ_ONLY, 0, 0), 0);
  const font = { at: hb.hb_font_create(made), em: hb.hb_face_get_upem(made) };
  fonts.set(face, font);
  return font;
}

/** The glyphs of a text in one script, from left to right. */
export function shapeRun(face: Face, text: string): RunGlyph[] {
  library ??= load();
  const hb = library;
  const { at: font, em } = fontOf(hb, face);
  const units = hb.malloc(2 * text.length);
  Buffer.from(hb.memory.buffer, units, 2 * text.length).write(text, "utf16le");
  const buffer = hb.hb_buffer_create();
  try {
    hb.hb_buffer_add_utf16(buffer, units, text.length, 0, text.length);
    hb.hb_buffer_guess_segment_properties(buffer);
    hb.hb_shape(font, buffer, 0, 0);
    return glyphsIn(hb, buffer, em);
  } finally {
    hb.hb_buffer_destroy(buffer);
    hb.free(units);
  }
}

function glyphsIn(hb: HarfBuzz, buffer: number, em: number): RunGlyph[] {
  const count = hb.hb_buffer_get_length(buffer);
  const [infos, positions] = [hb.hb_buffer_get_glyph_infos(buffer, 0), hb.hb_buffer_get_glyph_positions(buffer, 0)];
  const view = new DataView(hb.memory.buffer);
  return Array.from({ length: count }, (_, index) => {
    const [info, position] = [infos + RECORD * index, positions + RECORD * index];
    const length = (at: number): number => view.getInt32(position + at, true) / em;
    return { glyph: view.getUint32(info, true), at: view.getUint32(info + 8, true), advance: length(0), x: length(8), y: length(12) };
  });
}
