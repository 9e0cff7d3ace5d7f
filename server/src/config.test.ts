import { expect, test } from "vitest";
import { plainConnections, readConfig } from "./config.ts";

const S3 = { S3_BUCKET: "bucket", S3_REGION: "us-east-1", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
const plainIn = (env: Record<string, string>, pgSslMode?: string) =>
  plainConnections(readConfig({ APP_SECRET: "a secret of the tests: 8d1f0c77aa", ...env }), pgSslMode).map((line) => line.split(" ", 1)[0]);

test.each([
  ["postgres://serve:x@db.example.com/countersign", ["DATABASE_APP_URL"]],
  ["postgres://serve:x@10.0.0.5:6432/countersign?sslmode=disable", ["DATABASE_APP_URL"]],
  ["postgres://serve:x@db.example.com/countersign?sslmode=verify-full", []],
  ["postgres://serve:x@db.example.com/countersign?ssl=true", []],
  ["postgres://serve:x@127.0.0.1/countersign", []],
  ["postgres://serve:x@localhost/countersign", []],
  ["postgres:///countersign?host=/var/run/postgresql", []],
])("a start with %s warns of %j", (DATABASE_APP_URL, warned) => {
  expect(plainIn({ DATABASE_APP_URL })).toEqual(warned);
});

test("PGSSLMODE applies to addresses that say nothing", () => {
  const DATABASE_APP_URL = "postgres://serve:x@db.example.com/countersign";
  expect(plainIn({ DATABASE_APP_URL }, "verify-full")).toEqual([]);
  expect(plainIn({ DATABASE_APP_URL: `${DATABASE_APP_URL}?sslmode=disable` }, "verify-full")).toEqual(["DATABASE_APP_URL"]);
});

test("a start warns of a document store on another machine without TLS", () => {
  expect(plainIn({ ...S3, S3_ENDPOINT: "http://store.example.com" })).toEqual(["S3_ENDPOINT"]);
  expect(plainIn({ ...S3, S3_ENDPOINT: "https://store.example.com" })).toEqual([]);
  expect(plainIn({ ...S3, S3_ENDPOINT: "http://127.0.0.1:9000" })).toEqual([]);
});

test("both logins of a worker are looked at", () => {
  const DATABASE_APP_URL = "postgres://serve:x@db.example.com/countersign";
  expect(plainIn({ DATABASE_APP_URL, DATABASE_QUEUE_URL: DATABASE_APP_URL })).toEqual(["DATABASE_APP_URL", "DATABASE_QUEUE_URL"]);
});
