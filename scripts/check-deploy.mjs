// Checks the files in deploy/ with the tools that read them, as far as they are installed: promtool (Debian: prometheus), systemd-analyze,
// docker-compose (Debian: docker-compose) and helm (not in Debian 12). With --live (npm run check:deploy -- --live) one alert is also seen to
// fire, in a real Prometheus beside a real service.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const deploy = fileURLToPath(new URL("../deploy/", import.meta.url));

/** The third: what becomes of the output. @type {readonly [string, readonly string[], "ignore"?][]} */
const checks = [
  ["promtool", ["check", "rules", "prometheus/alerts.yml"]],
  ["promtool", ["test", "rules", "prometheus/alerts.test.yml"]],
  ["systemd-analyze", ["verify", "systemd/countersign-serve.service", "systemd/countersign-worker.service"]],
  ["docker-compose", ["--env-file", "compose.test.env", "--file", "compose.yaml", "config", "--quiet"]],
  ["helm", ["lint", "--strict", "--values", "helm/values.test.yaml", "helm"]],
  ["helm", ["template", "try", "helm", "--values", "helm/values.test.yaml"], "ignore"],
];

let failed = 0;
for (const [tool, args, output = "inherit"] of checks) {
  const { error, status } = spawnSync(tool, args, { cwd: deploy, stdio: ["ignore", output, "inherit"] });
  const isMissing = error !== undefined && "code" in error && error.code === "ENOENT";
  if (error !== undefined && !isMissing) throw error;
  if (!isMissing && status !== 0) failed++;
  console.log(`${isMissing ? "not checked, because it is not installed" : status === 0 ? "ok" : "FAILED"}: ${tool} ${args.join(" ")}`);
}
if (process.argv.includes("--live")) {
  const { cleanup } = await import("../bench/harness.mjs");
  const { checkAlert } = await import("./check-alert.mjs");
  const end = cleanup();
  try {
    for (const line of await checkAlert(end)) console.log(`ok: ${line}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${error instanceof Error ? error.message : error}`);
  } finally {
    await end.run();
  }
}
process.exitCode = failed === 0 ? 0 : 1;
