import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin } from "vite";
import * as fieldTypes from "../fields/src/pages.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
// The oldest browsers with `dvh`, container units, native dialogs and oklch().
const TARGET = ["chrome111", "firefox114", "safari16.4"];

/** Inlines the boot script into each page: it takes the token out of the address before any other script runs, and requests page 1 immediately. */
function inlineBoot(): Plugin {
  let script: Promise<string> | undefined;
  let define: Record<string, unknown> = {};
  return {
    name: "inline-boot",
    configResolved: (config) => {
      define = { WIDGET: config.define?.WIDGET };
    },
    transformIndexHtml: {
      order: "post",
      handler: async (html) => {
        script ??= bundledBoot(define);
        const text = await script;
        return html.replace("<script boot></script>", () => `<script>${text}</script>`);
      },
    },
  };
}

// Other workspaces are taken from their source: the pages can be built before those are, and never with an older one.
const alias = [
  { find: /^@countersign\/client\/(lists|operations|pages)$/, replacement: `${here}../client/src/generated/$1.ts` },
  { find: "@countersign/fields/print", replacement: `${here}../fields/src/print-value.ts` },
  { find: "@countersign/fields/fit", replacement: `${here}../fields/src/fit-lines.ts` },
  { find: "@countersign/csv", replacement: `${here}../csv/src/index.ts` },
];

const FIELD_TYPES = "@countersign/fields/pages";

/** What pages need to know of each field type is read from the table now and put in as plain data: no page loads the table. */
function fieldTypeData(): Plugin {
  const text = Object.entries(fieldTypes).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
  return {
    name: "field-type-data",
    enforce: "pre",
    resolveId: (id) => (id === FIELD_TYPES ? `\0${id}` : null),
    load: (id) => (id === `\0${FIELD_TYPES}` ? text.join("\n") : null),
  };
}

/** The preview is the signing page with another session: everything comes from the console that frames it. */
function previewSession(): Plugin {
  let isPreview = false;
  return {
    name: "preview-session",
    enforce: "pre",
    configResolved: (config) => {
      isPreview = config.define?.WIDGET === '"preview"';
    },
    async resolveId(id, importer) {
      if (!isPreview || !id.endsWith("/session.ts")) return null;
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      return resolved?.id === `${here}session.ts` ? `${here}preview/session.ts` : null;
    },
  };
}

/** Leaves out the operations that the console does not name: the table is part of its first page, and grows with the API. */
function usedOperations(): Plugin {
  const folder = `${here}console/`;
  let text = "";
  return {
    name: "used-operations",
    enforce: "pre",
    configResolved: (config) => {
      if (config.define?.WIDGET !== '"console"') return;
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
      text = files.map((file) => readFileSync(folder + file, "utf8")).join("\n");
    },
    transform: {
      filter: { id: /\/client\/src\/generated\/(operations|pages)\.ts$/ },
      handler: (code) => {
        const keep = (entry: string, name: string) => (text === "" || text.includes(`"${name}"`) ? entry : "");
        return { code: code.replace(/^ {2}(\w+): \["[A-Z]+", .*\n/gm, keep), map: null };
      },
    },
  };
}

/** Removes Vite's preload helper, which saves a kilobyte: dynamic imports here have no styles or imports of their own to preload. */
function plainImports(): Plugin {
  return {
    name: "plain-imports",
    enforce: "pre",
    load: (id) => (id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null),
  };
}

/** Calls of `createElement` are shorter than those of the automatic runtime, which would also be code of its own. */
function importElements(): Plugin {
  return {
    name: "import-elements",
    enforce: "pre",
    transform: {
      filter: { id: /\.tsx$/ },
      handler: (code) => ({ code: `import { createElement, Fragment } from "preact";${code}`, map: null }),
    },
  };
}

async function bundledBoot(define: Record<string, unknown>): Promise<string> {
  const built = await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    define,
    build: {
      write: false,
      target: TARGET,
      modulePreload: false,
      lib: { entry: `${here}boot.ts`, formats: ["iife"], name: "boot", fileName: "boot" },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error("the boot script was not built");
  const text = output.output[0].code.trim();
  if (text.includes("</script")) throw new Error("the boot script contains </script");
  return text;
}

/** Each page is built separately, so that no page carries code of another. `build.mjs` lists the pages. */
export default defineConfig({
  root: here,
  base: "/",
  publicDir: false,
  oxc: { jsx: { runtime: "classic", pragma: "createElement", pragmaFrag: "Fragment" } },
  resolve: { alias },
  plugins: [inlineBoot(), fieldTypeData(), previewSession(), usedOperations(), plainImports(), importElements()],
  build: {
    outDir: "dist",
    // `build.mjs` keeps the files of the previous build, because open pages may still request them.
    emptyOutDir: false,
    target: TARGET,
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
