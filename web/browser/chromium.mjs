// Finds and starts the Chromium for browser tests, screenshots and page measurements.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, "../../node_modules/.cache");
const packed = join(here, "node_modules/@sparticuz/chromium");
// The headless shell comes first: it is the same engine, and a page needs half of the CPU time.
const SYSTEM_PATHS = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/**
 * @typedef {object} Found
 * @property {string} executablePath
 * @property {Record<string, string>} env variables that it needs in addition to our environment
 */

/**
 * Starts the first Chromium that starts, by `chromium.launch` or `chromium.launchServer`: the one that CHROMIUM_PATH names and no other;
 * else ours (Linux x64), then the system's. If none starts, says why each did not.
 * @template T
 * @param {(options: import("./chromium.d.mts").LaunchOptions) => Promise<T>} start
 * @param {AsyncIterable<Found | { missing: string }> | Iterable<Found | { missing: string }>} candidates
 * @returns {Promise<{ started: T } | { missing: string }>}
 */
export async function startChromium(start, candidates = candidatesHere()) {
  const reasons = [];
  for await (const found of candidates) {
    if ("missing" in found) {
      reasons.push(found.missing);
      continue;
    }
    try {
      return { started: await launch(found, start) };
    } catch (error) {
      reasons.push(`${found.executablePath} does not start: ${firstLine(error)}`);
    }
  }
  return { missing: reasons.join("; ") || `no Chromium for ${process.platform}-${process.arch}; set CHROMIUM_PATH` };
}

/** @returns {AsyncGenerator<Found | { missing: string }>} */
async function* candidatesHere() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    yield existsSync(named) ? { executablePath: named, env: {} } : { missing: `CHROMIUM_PATH is ${named}, which does not exist` };
    return;
  }
  if (process.platform === "linux" && process.arch === "x64") yield ownChromium();
  for (const executablePath of SYSTEM_PATHS) if (existsSync(executablePath)) yield { executablePath, env: {} };
}

/** Playwright's errors go on with a log of the browser. @param {unknown} error */
function firstLine(error) {
  const lines = String(error instanceof Error ? error.message : error).split("\n");
  // The loader's or the browser's own sentence tells more than that the process ended.
  return (lines.find((line) => /error while loading|cannot open|No such file|Exec format/.test(line)) ?? lines[0] ?? "").trim();
}

// Unlike the headless shell, a full Chromium loads the pages of its address bar for every window and keeps a spare process. That is more work
// than one of our pages, at the same time.
const UNNEEDED_FEATURES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess"];
// Only the last --disable-features counts, so the features that Playwright disables are repeated.
const DISABLED_BY_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "BoundaryEventDispatchTracksNodeRemoval",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "Translate",
  "AutoDeElevate",
  "RenderDocument",
  "OptimizationHints",
];

// Neither the browser nor a page can send anything to other machines: all other host names do not resolve. Web security, site isolation and
// the content security policy are the same as for users.
const ARGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
  `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNNEEDED_FEATURES].join(",")}`,
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
];

/**
 * Root has no sandbox, and some containers allow none; the pages that it is shown are our own.
 * @template T
 * @param {Found} found
 * @param {(options: import("./chromium.d.mts").LaunchOptions) => Promise<T>} start
 * @returns {Promise<T>}
 */
async function launch({ executablePath, env }, start) {
  const own = /** @type {Record<string, string>} */ (process.env);
  const options = { executablePath, env: { ...own, ...env }, args: ARGS };
  if (process.getuid?.() === 0) return start({ ...options, chromiumSandbox: false });
  try {
    return await start({ ...options, chromiumSandbox: true });
  } catch (error) {
    if (!(error instanceof Error) || !/sandbox/i.test(error.message)) throw error;
    return start({ ...options, chromiumSandbox: false });
  }
}

/** @returns {Promise<Found | { missing: string }>} */
async function ownChromium() {
  const fault = await install();
  if (fault !== null) return { missing: `Chromium could not be installed: ${fault}` };
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  let folder;
  try {
    folder = await unpack(join(cache, `chromium-${version}`));
  } catch (error) {
    return { missing: `Chromium could not be unpacked: ${firstLine(error)}` };
  }
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: [...systemLibraries(), join(folder, "lib"), folder].join(":"),
      ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: folder }),
    },
  };
}

/** Installs the package from the lock file in this folder, once. Its install scripts are skipped, because only its archives are needed. */
async function install() {
  const stamp = join(here, "node_modules/.countersign-lock");
  const lock = createHash("sha256")
    .update(readFileSync(join(here, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return null;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const [program, given] = npm?.endsWith(".js") ? [process.execPath, [npm, ...args]] : ["npm", args];
  const { status, error, stderr } = spawnSync(program, given, { cwd: here, encoding: "utf8" });
  if (status !== 0) return (error?.message ?? stderr).trim().split("\n")[0] ?? `npm exited with ${status}`;
  await writeFile(stamp, lock);
  return null;
}

/**
 * Unpacks into a temporary folder and renames it, so that the folder is complete or absent. Two runs may unpack at the same time; the first
 * to rename wins.
 * @param {string} folder
 */
export async function unpack(folder) {
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const own = await mkdtemp(`${folder}.`);
  // Other users of this machine must be able to start it.
  await chmod(own, 0o755);
  const archive = (/** @type {string} */ name) => createReadStream(join(packed, "bin", name)).pipe(createBrotliDecompress());
  await pipeline(archive("chromium.br"), createWriteStream(join(own, "chromium")));
  await chmod(join(own, "chromium"), 0o755);
  for (const name of ["al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]) {
    const tar = spawn("tar", ["-x", "--no-same-owner", "-C", own], { stdio: ["pipe", "ignore", "inherit"] });
    const ended = new Promise((resolve, reject) => tar.once("error", reject).once("exit", resolve));
    const fault = await pipeline(archive(name), tar.stdin).then(() => null, faultOfPipe);
    if ((await ended) !== 0 || fault !== null) throw new Error(`${name} could not be unpacked`, { cause: fault });
  }
  await writeFile(join(own, "fonts.conf"), fontsConf(folder));
  try {
    await rename(own, folder);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    await rm(own, { recursive: true });
  }
  return folder;
}

// tar stops reading at the end mark of the archive, before the padding behind it. Its exit code tells whether it succeeded.
const CLOSED_EARLY = ["ERR_STREAM_PREMATURE_CLOSE", "EPIPE"];

/** @param {NodeJS.ErrnoException} error @returns {Error | null} */
const faultOfPipe = (error) => (CLOSED_EARLY.includes(error.code ?? "") ? null : error);

/** Replaces the package's fonts.conf, whose folder does not exist: text would be invisible. @param {string} folder */
const fontsConf = (folder) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** The libraries of the system come before those of the package, because they are newer. */
function systemLibraries() {
  const folders = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"];
  return [...(process.env.LD_LIBRARY_PATH?.split(":").filter(Boolean) ?? []), ...folders.filter((folder) => existsSync(folder))];
}
