import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startS3Peer } from "../../test/s3-peer.ts";
import { testService } from "../../test/service.ts";
import { ConfigError, readConfig } from "../config.ts";
import { filesystemObjects } from "./filesystem.ts";
import { plainStore } from "./plain.ts";
import { storageReadiness } from "./readiness.ts";
import { s3Objects } from "./s3.ts";

const service = testService();

test("a service whose blob store accepts files is ready", async () => {
  const answer = await fetch(`${service.url}/readyz`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { checks: { storage: "ok" } }]);
});

test("a folder that is not writable makes the service not ready and is logged; it is checked again after five seconds", async () => {
  const folder = join(service.config.dataDir, "readiness");
  await mkdir(folder);
  await writeFile(join(folder, "blobs"), "a file, where a folder should be");
  let now = 0;
  const logged: Error[] = [];
  const reason = storageReadiness(
    plainStore(filesystemObjects(join(folder, "blobs"))),
    (error) => logged.push(error),
    () => now,
  );
  for (now of [0, 1_000, 4_999]) expect(await reason()).toBe("the blob store cannot be reached or written to");
  expect(logged.map(({ message }) => message)).toEqual(["blob store away: EEXIST"]);
  await rm(join(folder, "blobs"));
  now = 5_000;
  expect(await reason()).toBeNull();
});

test("simultaneous readiness requests check a bucket once", async () => {
  const peer = await startS3Peer();
  const reason = storageReadiness(plainStore(s3Objects(peer.settings)), () => undefined);
  expect(await Promise.all([reason(), reason(), reason()])).toEqual([null, null, null]);
  expect(peer.requests).toEqual([`HEAD /${peer.settings.bucket}`]);
  await peer.close();
});

describe("the settings of the bucket", () => {
  const all = {
    S3_ENDPOINT: "https://s3.example.com",
    S3_BUCKET: "documents",
    S3_REGION: "eu-central-1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  const s3With = (env: Record<string, string>) => readConfig({ APP_SECRET: "x".repeat(32), ...env }).s3;

  test("are either all set or none", () => {
    expect(s3With({})).toBeNull();
    expect(s3With(all)).toEqual({
      endpoint: "https://s3.example.com",
      bucket: "documents",
      region: "eu-central-1",
      accessKeyId: "key",
      secretAccessKey: "secret",
    });
    for (const name of Object.keys(all)) {
      expect(() => s3With({ ...all, [name]: "" }), name).toThrow(/belong together. Set all five or none/);
    }
  });

  test.each([
    ["S3_ENDPOINT", "s3.example.com"],
    ["S3_ENDPOINT", "https://s3.example.com/documents"],
    ["S3_BUCKET", "documents/2024"],
    ["S3_BUCKET", ".."],
    ["S3_REGION", "eu central"],
  ])("reject %s=%s with an error that has the name but not the value", (name, value) => {
    const read = () => s3With({ ...all, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} must be `));
  });
});
