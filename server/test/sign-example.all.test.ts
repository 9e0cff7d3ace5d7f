import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sentEnvelope } from "./envelopes.ts";
import { freePort } from "./process.ts";
import { testService } from "./service.ts";

/** Runs examples/sign.mjs unchanged in a separate process. */

const service = testService({ PORT: String(await freePort()) });
const EXAMPLE = fileURLToPath(new URL("../../examples/sign.mjs", import.meta.url));
const run = promisify(execFile);

test("the example signs, and says why if it is not the signer's turn", async () => {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const { envelope_id } = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
  const { signers } = (await key.send("GET", `/partner/envelopes/${envelope_id}/signing-links`)).json.data;
  const [ann, sam] = signers.map(({ embed_url }: { embed_url: string }) => embed_url);
  await expect(run(process.execPath, [EXAMPLE, sam])).rejects.toThrow(/cannot sign now: waiting/);
  const { stdout } = await run(process.execPath, [EXAMPLE, ann]);
  expect(stdout).toContain('Ann opens "Lease" of Example Company, 1 page(s)');
  expect(stdout).toContain("1 of 2 have signed, the envelope is viewed");
  expect((await run(process.execPath, [EXAMPLE, sam])).stdout).toContain("2 of 2 have signed, the envelope is completed");
  await expect(run(process.execPath, [EXAMPLE, "https://example.com/"])).rejects.toThrow(/usage/);
});
