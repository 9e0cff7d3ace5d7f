import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leasePdf } from "./lease.ts";
import { testService } from "./service.ts";
import { vaultedByPipeline } from "./vaulted.ts";

/** The Python client against the real service. client/src/python.test.ts has what a service cannot be made to do. */

const service = testService();
const file = fileURLToPath(new URL("../../clients/python/countersign.py", import.meta.url));
const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-python-"));
  writeFileSync(join(folder, "lease.pdf"), leasePdf);
});
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import json, os, pathlib, sys
import countersign as c
url, api_key, vaulted, folder = sys.argv[1:]
cs = c.Countersign(url, api_key=api_key)
told = {}
pdf = pathlib.Path(folder, "lease.pdf")
area = {"page": 1, "x": 0.1, "y": 0.1, "w": 0.2, "h": 0.05}
stamp = {"name": "Stamp", "type": "text", "role": "Tenant", "placement": {"mode": "absolute", "areas": [area]}}
template = cs.templates.create({"name": "Lease – “really”", "file": pdf, "fields_json": [stamp]})
told["template"] = [template["name"], template["fields"][0]["areas"] == [area]]
with open(pdf, "rb") as opened:
    told["upload"] = cs.templates.create({"name": "Again", "file": ("ä.pdf", opened)})["name"]
for number in range(5):
    made = cs.envelopes.create({"envelope_name": f"Lease {number}", "customer_email": "ann@example.com", "customer_name": "Ann", "external_id": "L-17"})
told["walked"] = [one["envelope_name"] for one in cs.envelopes.list(external_id="L-17", limit=2)]
told["page"] = cs.envelopes.list(external_id="L-17", limit=2).page().meta["total"]
tag = cs.request("GET", "/partner/envelopes/" + made["envelope_id"]).headers["etag"]
cs.envelopes.update(made["envelope_id"], {"envelope_name": "Changed"}, if_match=tag)
for change in (lambda: cs.envelopes.update(made["envelope_id"], {"envelope_name": "Late"}, if_match=tag),
               lambda: cs.envelopes.create({"envelope_nmae": "x"}), lambda: cs.envelopes.get("env_01h2xcejqtf2nbrexx3vqjhp41")):
    try: change()
    except c.CountersignError as error: told.setdefault("errors", []).append([type(error).__name__, error.code])
told["events"] = sorted({one["event_type"] for one in cs.events.list()})
told["event"] = cs.events.get(next(iter(cs.events.list()))["event_id"])["org_id"]
told["status"] = cs.envelopes.wait_for(vaulted, until="completed", timeout=1)["status"]
saved = os.path.join(folder, "copy.pdf")
copy = cs.vault.copy.get(vaulted)
copy.save_to(saved)
told["copy"] = [copy.content_type, open(saved, "rb").read(5).decode()]
told["certificate"] = cs.compliance.certificate.get(vaulted, format="json").json()["envelope_id"]
print(json.dumps(told))
`;

interface Ended {
  readonly status: unknown;
  readonly out: string;
  readonly err: string;
}

/** In the folder with the document. */
async function python(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env = { ...process.env, PYTHONPATH: join(file, ".."), PYTHONDONTWRITEBYTECODE: "1", ...more };
  const child = spawn("python3", ["-c", program, ...args], { env, cwd: folder });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on("data", (text: Buffer) => out.push(text.toString()));
  child.stderr.on("data", (text: Buffer) => err.push(text.toString()));
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, out: out.join(""), err: err.join("") };
}

test.skipIf(!hasPython)("the Python client uploads, lists, changes, reads events and downloads (needs python3)", async () => {
  const org = await service.newOrg();
  const { api_key } = await org.newKey();
  const vaulted = await vaultedByPipeline(service, org);
  const { status, out, err } = await python(PROGRAM, [service.url, api_key, vaulted, folder]);
  expect([status, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual({
    template: ["Lease – “really”", true],
    upload: "Again",
    walked: ["Lease 4", "Lease 3", "Lease 2", "Lease 1", "Lease 0"],
    page: 5,
    errors: [
      ["ConflictError", "precondition_failed"],
      ["ValidationError", "invalid_request"],
      ["NotFoundError", "envelope_not_found"],
    ],
    events: expect.arrayContaining(["envelope.created", "vault.stored"]),
    event: org.org_id,
    status: "vaulted",
    copy: ["application/pdf", "%PDF-"],
    certificate: vaulted,
  });
});

test.skipIf(!hasPython)("its README runs as it stands (needs python3)", async () => {
  const org = await service.newOrg();
  const { api_key } = await org.newKey();
  const [, program = ""] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(file, "../README.md"), "utf8")) ?? [];
  const { status, out, err } = await python(program, [], { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: api_key });
  expect([status, err]).toEqual([0, ""]);
  expect(out).toMatch(/^env_\w+ sent\nenvelope_wrong_status\n$/);
});

test("the instance serves it", async () => {
  const { status, headers, text } = await service.send("GET", "//docs/downloads/countersign.py");
  expect([status, text]).toEqual([200, readFileSync(file, "utf8")]);
  expect(headers).toMatchObject({
    "content-type": "text/x-python; charset=utf-8",
    "content-disposition": 'attachment; filename="countersign.py"',
  });
});
