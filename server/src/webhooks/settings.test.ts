import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError, type Environment, readConfig } from "../config.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (env: Environment) => readConfig({ DATA_DIR: folder, ...env }).webhooks;

test("by default the schedule is the product's own, deliveries are kept for 30 days and no private network is allowed", () => {
  expect(read({})).toEqual({ retrySchedule: null, retentionDays: 30, allowHttp: false, allowedNetworks: [] });
});

test("settings are read", () => {
  const env = {
    WEBHOOK_RETRY_SCHEDULE: "1, 2,3",
    WEBHOOK_RETENTION_DAYS: "7",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_PRIVATE_CIDRS: "10.1.0.0/16, fd00:1::/32",
  };
  expect(read(env)).toEqual({
    retrySchedule: [1, 2, 3],
    retentionDays: 7,
    allowHttp: true,
    allowedNetworks: ["10.1.0.0/16", "fd00:1::/32"],
  });
});

test.each([
  ["WEBHOOK_RETRY_SCHEDULE", ["5,", "five", "-1", "1.5", "2592001", Array.from({ length: 51 }, () => "1").join(",")]],
  ["WEBHOOK_RETENTION_DAYS", ["0", "x", "4000"]],
  ["WEBHOOK_ALLOW_HTTP", ["yes", "1", "TRUE"]],
  ["WEBHOOK_ALLOWED_PRIVATE_CIDRS", ["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "intranet/8", "fd00::/129", "10.0.0.0/"]],
])("an invalid %s stops the start and is named", (name, values) => {
  for (const value of values) {
    expect(() => read({ [name]: value }), value).toThrow(ConfigError);
    expect(() => read({ [name]: value }), value).toThrow(name);
  }
});
