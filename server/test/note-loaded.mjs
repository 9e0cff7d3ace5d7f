// Preloaded by a test into every thread of a program (NODE_OPTIONS=--import=…): writes the address of each module that is loaded into
// LOADED_FILE.
import { createRequire, register, syncBuiltinESMExports } from "node:module";

const { LOADED_FILE, NODE_OPTIONS } = process.env;
const hooks = `
  import { appendFileSync } from "node:fs";
  let file;
  export const initialize = (data) => { file = data; };
  export async function load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(file, url + "\\n");
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: LOADED_FILE });

// Threads that are started without environment variables would not preload it.
const threads = createRequire(import.meta.url)("node:worker_threads");
const { Worker } = threads;
threads.Worker = class extends Worker {
  /** @param {string | URL} file @param {import("node:worker_threads").WorkerOptions} [options] */
  constructor(file, options = {}) {
    super(file, { ...options, env: { ...Object(options.env ?? process.env), LOADED_FILE, NODE_OPTIONS } });
  }
};
syncBuiltinESMExports();
