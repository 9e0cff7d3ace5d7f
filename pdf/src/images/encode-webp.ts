// Encodes scans and photographs as WebP, with libwebp in WebAssembly. The package would fetch its wasm over HTTP, which fails in Node, so
// the file is read and passed as a module. Uses the SIMD build, which every supported Node runs.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import encode, { init } from "@jsquash/webp/encode.js";
import type { Pixels } from "./encode-png.ts";

// Scanned text stays clean; at 60, edges begin to ring; at 80, files are a third larger.
const QUALITY = 70;
// libwebp's effort, 0-6. Measured on a scanned page: 223 KB in 252 ms; its default, 4, gives 222 KB in 627 ms.
const METHOD = 2;
// The limit of VP8.
const MAX_SIDE_PX = 16_383;

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

let started: Promise<unknown> | undefined;

function start(): Promise<unknown> {
  started ??= readFile(createRequire(import.meta.url).resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm")).then((wasm) =>
    // The types omit the first argument, which the code and the documentation have.
    (init as (module: object) => Promise<unknown>)(new WebAssembly.Module(wasm)),
  );
  return started;
}

/** Null if a side is too long for WebP. */
export async function encodeWebp({ w, h, rgba }: Pixels): Promise<Uint8Array | null> {
  if (w > MAX_SIDE_PX || h > MAX_SIDE_PX) return null;
  await start();
  const image = { data: new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length), width: w, height: h };
  return new Uint8Array(await encode(image as Parameters<typeof encode>[0], { quality: QUALITY, method: METHOD }));
}
