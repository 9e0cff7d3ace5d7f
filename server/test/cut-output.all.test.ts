import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../bin/countersign.js", import.meta.url));

test("a command whose reader has enough ends with 0 and says nothing", () => {
  // `true` never reads, so the pipe is closed by the time the command, which has to load first, prints.
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", `"${process.execPath}" "${PROGRAM}" openapi | true; echo "\${PIPESTATUS[0]}"`],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH ?? "" },
    },
  );
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});
