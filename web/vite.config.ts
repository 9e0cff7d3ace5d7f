import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin } from "vite";
import * as fieldTypes from "../fields/src/pages.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
// Where `dvh`, container units, native dialogs and oklch() are all there.
const TARGET = ["chrome111", "firefox114", "safari16.4"];

/** Puts the boot script into each page itself: it takes the token out of the address before any other script runs, and asks for page 1 at once. */
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

/** Parts that come later have no styles and no parts of their own, so they need no help to load: a kilobyte less on the page. */
function plainImports(): Plugin {
  return {
    name: "plain-imports",
    enforce: "pre",
    load: (id) => (id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null),
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
  if (text.includes("</script")) throw new Error("the boot script would end itself");
  return text;
}

/** Each page is built for itself, so that what one of them needs makes no other one heavier: `build.mjs` says which. */
export default defineConfig({
  root: here,
  base: "/",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: { alias },
  plugins: [inlineBoot(), fieldTypeData(), plainImports()],
  build: {
    outDir: "dist",
    // `build.mjs` keeps what the build before named: a page that is still open may ask for a part of it.
    emptyOutDir: false,
    target: TARGET,
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
