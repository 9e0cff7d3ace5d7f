import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ALL, testInAll } from "../../../../testing/all.ts";
import { chooseAccount, run } from "./account.ts";
import { type Binaries, ensureBinaries, findPackage } from "./binaries.ts";

const isRoot = process.getuid?.() === 0;

let folder: string;
let packageDir: string;
let cacheDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "binaries-"));
  await chmod(folder, 0o755); // as root the programs run as another user, who needs access to the folder
  packageDir = join(folder, "package");
  cacheDir = join(folder, "cache");
});

afterEach(async () => {
  await run("chmod", ["-R", "u+w", folder]);
  await rm(folder, { recursive: true, force: true });
});

const copyPackage = () => cp(findPackage(), packageDir, { recursive: true, verbatimSymlinks: true });

async function makeEmptyPackage(): Promise<void> {
  await mkdir(join(packageDir, "native"), { recursive: true });
  await cp(join(findPackage(), "package.json"), join(packageDir, "package.json"));
}

async function removeLinks(): Promise<string[]> {
  const links: { target: string }[] = JSON.parse(await readFile(join(packageDir, "native/pg-symlinks.json"), "utf8"));
  for (const { target } of links) await rm(join(packageDir, target), { force: true });
  return links.map(({ target }) => target);
}

const versionOf = async ({ postgres }: Binaries) => (await run(postgres, ["-V"], { as: await chooseAccount() })).output;

testInAll("missing library links are created, also by two processes at the same time", async () => {
  await copyPackage();
  const links = await removeLinks();
  const account = await chooseAccount();
  const [first] = await Promise.all([1, 2].map(() => ensureBinaries(account, cacheDir, packageDir)));
  expect(first).toEqual({ initdb: join(packageDir, "native/bin/initdb"), postgres: join(packageDir, "native/bin/postgres") });
  for (const link of links) expect(await readlink(join(packageDir, link))).toMatch(/^lib[^/]+$/);
});

test.skipIf(isRoot)("a read-only package without its links is copied once (not as root, who can write everywhere)", async () => {
  await copyPackage();
  await removeLinks();
  await chmod(join(packageDir, "native/lib"), 0o555);
  const [first, second] = await Promise.all([1, 2].map(() => ensureBinaries(null, cacheDir, packageDir)));
  expect(first?.postgres).toMatch(new RegExp(`^${cacheDir}/18\\.4\\.0-beta\\.17-${process.platform}-${process.arch}/native/bin/postgres$`));
  expect(second).toEqual(first);
});

test.runIf(isRoot && ALL)(
  "a package that PostgreSQL's account cannot reach is copied to a folder that it can reach (needs root)",
  async () => {
    await copyPackage();
    await chmod(packageDir, 0o700);
    await chmod(join(packageDir, "native/share"), 0o700); // like a checkout with a strict umask
    const binaries = await ensureBinaries(await chooseAccount(), cacheDir, packageDir);
    expect(binaries.postgres.startsWith(`${cacheDir}/`)).toBe(true);
    expect(await versionOf(binaries)).toBe("postgres (PostgreSQL) 18.4");
    expect((await stat(binaries.postgres)).uid).toBe(0);
  },
);

test.skipIf(!isRoot)("a cache folder that others can write to is rejected (needs root)", async () => {
  await makeEmptyPackage();
  await mkdir(cacheDir);
  await chmod(cacheDir, 0o777);
  await expect(ensureBinaries(await chooseAccount(), cacheDir, packageDir)).rejects.toThrow(/no one else may write to/);
});

test("programs that do not run are reported with their output", async () => {
  await makeEmptyPackage();
  await expect(ensureBinaries(await chooseAccount(), cacheDir, packageDir)).rejects.toThrow(/do not run on this system.*DATABASE_URL/);
});

test("on a system without a package the error asks for DATABASE_URL", () => {
  expect(() => findPackage("win32-x64")).toThrow(/no embedded PostgreSQL for win32-x64\. Set DATABASE_URL/);
});
