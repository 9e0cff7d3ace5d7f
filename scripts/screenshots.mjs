// npm run screenshots: takes a screenshot of every screen, on desktop and phone, light and dark, and creates one sheet with all of them.
// MOCKUPS=<folder> puts the pictures of the design beside them. The sheet only links to them.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sheetOf } from "./screens-sheet.mjs";

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

const pictures = (/** @type {string} */ folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".png"))
        .sort()
    : [];
const mockups = process.env.MOCKUPS === undefined ? null : resolve(process.env.MOCKUPS);
if (existsSync(screens)) {
  const [desktop, phone] = [pictures(join(screens, "desktop")), pictures(join(screens, "phone"))];
  const design = mockups === null ? null : { folder: mockups, files: pictures(mockups) };
  writeFileSync(join(screens, "index.html"), sheetOf({ desktop, phone }, design));
  console.log(`${desktop.length + phone.length} pictures: ${join(screens, "index.html")}`);
}
process.exit(status ?? 1);
