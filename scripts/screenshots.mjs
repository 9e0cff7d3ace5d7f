// npm run screenshots: takes a screenshot of every screen, on desktop and phone, light and dark, and creates one sheet with all of them.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const screens = join(root, "test-results/screens");
rmSync(screens, { recursive: true, force: true });
const tours = [
  "web/test/screens.all.test.ts",
  "web/test/vault.test.ts",
  "web/test/party.test.ts",
  "web/test/forms.all.test.ts",
  "web/test/console-",
];
const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...tours], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: screens },
});

const pictures = (/** @type {string} */ device) => (existsSync(join(screens, device)) ? readdirSync(join(screens, device)).sort() : []);
const figure = (/** @type {string} */ device, /** @type {string} */ file) =>
  `<figure><a href="${device}/${file}"><img src="${device}/${file}" alt=""></a><figcaption>${file}</figcaption></figure>`;
const section = (/** @type {string} */ device) =>
  `<h2>${device}</h2><div>${pictures(device)
    .map((file) => figure(device, file))
    .join("")}</div>`;
if (existsSync(screens)) {
  const sheet = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px sans-serif;margin:2rem}div{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{height:22rem;border:1px solid #999}</style>
<h1>Screens</h1>${["desktop", "phone"].map(section).join("")}</html>\n`;
  writeFileSync(join(screens, "index.html"), sheet);
  console.log(`${pictures("desktop").length + pictures("phone").length} pictures: ${join(screens, "index.html")}`);
}
process.exit(status ?? 1);
