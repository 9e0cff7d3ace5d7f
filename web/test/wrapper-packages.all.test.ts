import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentedReact, documentedVue } from "./documented.ts";

/** The elements and their components as partners get them: packed, installed without a network in a separate project, imported and compiled. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const names = ["embed", "react", "vue"] as const;
const OFFLINE = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
// What an application brings along.
const OF_THE_PROJECT = ["react", "react-dom", "scheduler", "@types/react", "csstype", "vue", "@vue", "@babel"];

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "countersign-project-"));
  const workspaces = names.flatMap((name) => ["--workspace", `@countersign/${name}`]);
  npm(root, "pack", ...workspaces, "--pack-destination", project, "--silent");
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "integration", type: "module" }));
  const packed = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  expect(packed).toHaveLength(names.length);
  // Without the frameworks, which no test can download.
  npm(project, "install", "--legacy-peer-deps", ...packed.map((name) => `./${name}`));
  for (const name of OF_THE_PROJECT) {
    const path = join(project, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, "node_modules", name), path);
  }
});
afterAll(() => rmSync(project, { recursive: true }));

function npm(cwd: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("npm", [...args, ...OFFLINE], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
}

const installed = (name: string) => join(project, "node_modules/@countersign", name);
const manifestOf = (name: string) => JSON.parse(readFileSync(join(installed(name), "package.json"), "utf8"));
const filesOf = (name: string) =>
  readdirSync(installed(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed(name).length + 1))
    .sort();

test.each(["react", "vue"])("@countersign/%s has one module with its types, and nothing else", (name) => {
  expect(filesOf(name)).toEqual(["LICENSE", "README.md", "dist/index.d.ts", "dist/index.js", "package.json"]);
  const { dependencies, peerDependencies, scripts, version, private: isPrivate } = manifestOf(name);
  expect({ dependencies, scripts, isPrivate }).toEqual({ dependencies: { "@countersign/embed": version } });
  expect(Object.keys(peerDependencies)).toContain(name);
  expect(readFileSync(join(installed(name), "dist/index.js"), "utf8").match(/from "[^"]+"/g)).toEqual([
    'from "@countersign/embed"',
    `from "${name}"`,
  ]);
});

test("@countersign/embed has the script of the service, types for every module, and no dependencies", () => {
  const files = filesOf("embed");
  expect(files.filter((file) => !/^dist\/[\w-]+\.d\.ts$/.test(file))).toEqual(["LICENSE", "README.md", "dist/embed.js", "package.json"]);
  expect(files).toContain("dist/index.d.ts");
  const { dependencies, peerDependencies, scripts, private: isPrivate } = manifestOf("embed");
  expect({ dependencies, peerDependencies, scripts, isPrivate }).toEqual({});
  expect(readFileSync(join(installed("embed"), "dist/embed.js"))).toEqual(readFileSync(`${root}web/dist/embed.js`));
});

test("a server imports the components and renders them", async () => {
  const program = `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { h } from "vue";
import { renderToString as renderVue } from "vue/server-renderer";
import * as ofReact from "@countersign/react";
import * as ofVue from "@countersign/vue";
const src = "https://sign.example.com/sign/env_1#token=x";
console.log(renderToString(createElement(ofReact.CountersignSign, { src })), await renderVue(h(ofVue.CountersignVault, { src })));`;
  writeFileSync(join(project, "server.js"), program);
  const { stdout, stderr } = await run(process.execPath, [join(project, "server.js")]);
  expect([stdout, stderr]).toEqual(["<countersign-sign></countersign-sign> <countersign-vault></countersign-vault>\n", ""]);
});

// Each mistake is one that the types must find.
const VUE = `
import { CountersignSign, CountersignVault, type SignElement } from "@countersign/vue";
import { h, ref } from "vue";
const shown = ref<InstanceType<typeof CountersignSign> | null>(null);
export const element = (): SignElement | null | undefined => shown.value?.element;
export const good = () => h(CountersignSign, { src: "x", hide: ["header"], theme: { accent: "#036" }, onCompleted: ({ detail }) => void detail.signed_at.length, class: "wide" });
// @ts-expect-error an unknown part
export const part = () => h(CountersignSign, { hide: ["footer"] });
// @ts-expect-error progress has no code
export const detail = () => h(CountersignSign, { onProgress: ({ detail }) => void detail.code });
// @ts-expect-error the vault has no fields
export const vault: InstanceType<typeof CountersignVault>["$props"] = { onProgress: () => undefined };
`;
const REACT = `
import { CountersignSign, CountersignVault, type SignElement } from "@countersign/react";
import { useRef } from "react";
export function Good() {
  const element = useRef<SignElement>(null);
  return <CountersignSign ref={element} src="x" style={{ maxHeight: 600 }} onProgress={({ detail }) => void detail.done.toFixed()} />;
}
// @ts-expect-error an unknown method
export const method = <CountersignSign methods={["stamp"]} />;
// @ts-expect-error a field with a number
export const value = <CountersignSign prefill={{ Rent: 7 }} />;
// @ts-expect-error the vault has no fields
export const vault = <CountersignVault prefill={{}} />;
// @ts-expect-error the element has no children
export const child = <CountersignSign>x</CountersignSign>;
`;

// The compiler also reads the types of both frameworks, which takes longest.
test("the documented code and the types compile against the packages", async () => {
  const files = { "SigningOfReact.tsx": documentedReact(), "SigningOfVue.ts": documentedVue(), "react.tsx": REACT, "vue.ts": VUE };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    jsx: "react-jsx",
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: [],
    module: "ESNext",
    moduleResolution: "bundler",
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { stdout } = await run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", project]).catch((error) => error);
  expect(stdout).toBe("");
}, 120_000);
