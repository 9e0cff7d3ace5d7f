import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finished } from "./flows.mjs";
import { exists, languages } from "./languages.mjs";

/** The samples of docs/samples. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

test("the quick start guide and the samples in curl, TypeScript and Python do what they say, on a fresh instance", {
  timeout: 300_000,
}, async () => {
  const { PATH = "", HOME = "" } = process.env;
  const options = { env: { PATH, HOME }, encoding: "utf8" as const };
  const { stdout, stderr } = await run(process.execPath, [`${root}scripts/run-samples.mjs`, "--required"], options).catch((error) => error);
  expect(stderr, stdout).toBe("");
  const done = stdout.split("\n").map((line: string) => /^✓ ([\w -]+) \d+\.\d s$/.exec(line)?.[1] ?? line);
  const flows = ["quick-start", "tagged-pdf", "template-prefilled", "embed", "receive-webhooks", "download-and-verify"];
  expect(done).toEqual([
    "the quick start guide",
    ...flows.flatMap((flow) => ["curl", "TypeScript", "Python"].map((language) => `${flow} in ${language}`)),
    "",
  ]);
});

/** A service that answers 429 to the first requests, and then as scripted. */
describe("a service that is asked too often", () => {
  const answers: Readonly<Record<string, object>> = {
    "POST /api/v2/partner/templates": { template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41", fields: [] },
    "POST /api/v2/partner/envelopes": { envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41" },
    "POST /api/v2/partner/envelopes/env_01h2xcejqtf2nbrexx3vqjhp41/send": { status: "sent" },
  };
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-samples-"));
    copyFileSync(`${root}docs/samples/note.pdf`, join(folder, "note.pdf"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function startPeer({ refusals, seconds }: { refusals: number; seconds: number }) {
    const requests: { what: string; at: number; key: string; bytes: number }[] = [];
    const server = createServer(async (request, response) => {
      const what = `${request.method} ${request.url}`;
      requests.push({ what, at: performance.now(), key: String(request.headers["idempotency-key"]), bytes: await sizeOf(request) });
      if (requests.length <= refusals) {
        response.writeHead(429, { "content-type": "application/json", "retry-after": String(seconds), "x-error-code": "rate_limited" });
        return response.end('{"error":"Rate limit exceeded"}');
      }
      const data = answers[what];
      response.writeHead(data === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(data === undefined ? { error: "Not found", details: [] } : { data }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { requests, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  const isThere = new Map(languages.map((language) => [language.name, exists(language)]));
  test.each(languages.filter(({ isRequired, name }) => isRequired || isThere.get(name)))(
    "is asked again by a sample in $name, as late as it said",
    { timeout: 60_000 },
    async (language) => {
      const { requests, server, url } = await startPeer({ refusals: 1, seconds: 1 });
      try {
        const place = { url, apiKey: `lk_${"0".repeat(40)}`, folder };
        const said = await finished("template-prefilled", place, language);
        expect(said).toBe("tmpl_01h2xcejqtf2nbrexx3vqjhp41 has its fields\nenv_01h2xcejqtf2nbrexx3vqjhp41 was sent\n");
        const [template = "", envelope = "", send = ""] = Object.keys(answers);
        expect(requests.map(({ what }) => what)).toEqual([template, template, envelope, send]);
        const [first, second] = requests;
        if (first === undefined || second === undefined) return expect.unreachable();
        expect(second.at - first.at).toBeGreaterThan(990);
        expect([second.key, second.bytes], "the same request again").toEqual([first.key, first.bytes]);
        expect(first.key, "an Idempotency-Key").not.toBe("undefined");
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  );

  test.each(languages.filter(({ isRequired, name }) => isRequired || isThere.get(name)))(
    "and stays so, ends a sample in $name with an error",
    { timeout: 60_000 },
    async (language) => {
      const { requests, server, url } = await startPeer({ refusals: Number.POSITIVE_INFINITY, seconds: 0 });
      try {
        const place = { url, apiKey: `lk_${"0".repeat(40)}`, folder };
        await expect(finished("template-prefilled", place, language)).rejects.toThrow();
        expect(new Set(requests.map(({ what }) => what))).toEqual(new Set(Object.keys(answers).slice(0, 1)));
        expect(requests.length).toBeLessThanOrEqual(11);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  );
});

async function sizeOf(request: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const piece of request) size += piece.length;
  return size;
}
