import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Authority, makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { checkTimestamp } from "../../../pdf/src/cms/timestamp.ts";
import { record } from "../../test/log.ts";
import { installed, pem, sayInstalled, testFolder } from "../../test/openssl.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { type AuthorityPeer, type AuthorityTreatment, startAuthority } from "../../test/time-stamp-authority.ts";
import { jobHandlers } from "../main.ts";
import { sha256 } from "../shared/secrets.ts";
import { advanceLog } from "./advance-log.ts";
import type { LogDeps } from "./checkpoint.ts";
import { checkpointCovering, ensureCovered } from "./ensure-covered.ts";
import { stampLatest } from "./stamp-checkpoint.ts";

const service = testService();
const folder = testFolder();
let authority: Authority;
let peer: AuthorityPeer;
let org: TestOrg;

beforeAll(async () => {
  sayInstalled("the log's time-stamps");
  authority = await makeAuthority({ at: new Date() });
  peer = await startAuthority((request) => authority.answer(request));
  org = await service.newOrg();
});
afterAll(() => peer.close());

function asking(url: string | null, timeout_ms = 10_000): LogDeps {
  const { seals, ...rest } = service.features.log;
  return { ...rest, seals: { ...seals, timeStamps: { url, roots: [authority.root], timeout_ms } } };
}

let chains = 0;
const entries = (count = 3) => record(service, org.org_id, `env_stamped_${++chains}`, count);
const attempts = (tree_size: number | undefined) =>
  service.database.owner("select token is not null as granted, error from checkpoint_tokens where tree_size = $1 order by 1", [tree_size]);

describe("with an authority", () => {
  test("entries covered on demand have a token over exactly the checkpoint's bytes", async () => {
    const hashes = await entries();
    const { checkpoint, stamp } = await ensureCovered(asking(peer.url), hashes);
    const imprint = sha256(checkpoint.bytes);
    expect(checkTimestamp(stamp.token ?? Buffer.alloc(0), () => imprint, [authority.root])).toMatchObject({ intact: true, trusted: true });
    expect(await attempts(checkpoint.tree_size)).toEqual([{ granted: true, error: null }]);
  });

  test.skipIf(!installed.openssl)("openssl agrees", async () => {
    const { checkpoint, stamp } = await ensureCovered(asking(peer.url), await entries());
    const [data, token, root] = [
      folder.put("body.json", checkpoint.bytes),
      folder.put("body.tst", stamp.token ?? ""),
      folder.put("root.pem", pem(authority.root)),
    ];
    const verify = () => folder.openssl("ts", "-verify", "-data", data, "-in", token, "-token_in", "-CAfile", root);
    expect(verify()).toContain("Verification: OK");
    writeFileSync(data, String(checkpoint.bytes).replace('"tree_size":', '"tree_size":1'));
    expect(verify).toThrow(/Verification: FAILED|message imprint mismatch/);
  });

  test("a repeated call does not ask the authority: the existing token covers every earlier entry", async () => {
    const [early, late] = [await entries(), await entries()];
    const covered = await ensureCovered(asking(peer.url), late);
    peer.requests.length = 0;
    expect(await ensureCovered(asking(peer.url), late)).toEqual(covered);
    expect(await ensureCovered(asking(peer.url), early)).toEqual(covered);
    expect(peer.requests).toEqual([]);
  });

  test("if the minute's checkpoint covers the entries, that checkpoint is stamped", async () => {
    const hashes = await entries();
    const minute = await advanceLog(asking(peer.url));
    const found = await checkpointCovering(asking(peer.url), hashes);
    expect(found).toEqual({ first: minute, checkpoint: minute, stamp: { token: null, error: null } });
    const { checkpoint, stamp } = await ensureCovered(asking(peer.url), hashes);
    expect(checkpoint).toEqual(minute);
    expect(stamp.token).not.toBeNull();
  });

  test("each hour the latest checkpoint is stamped, once", async () => {
    await entries();
    await advanceLog(asking(peer.url));
    expect((await stampLatest(asking(peer.url)))?.token).toBeInstanceOf(Buffer);
    peer.requests.length = 0;
    expect(await stampLatest(asking(peer.url))).toBeNull();
    expect(peer.requests).toEqual([]);
  });
});

describe("without a valid token, none is recorded but the reason is", () => {
  const badResponses: [string, AuthorityTreatment, RegExp][] = [
    ["another nonce", (request) => authority.answer(request, { nonce: randomBytes(7) }), /nonce/],
    ["another imprint", (request) => authority.answer(request, { imprint: randomBytes(32) }), /imprint_mismatch/],
    ["a refusal", (request) => authority.answer(request, { status: 2 }), /refused \(status 2\)/],
    ["an answer that is none", () => Buffer.from("<html>"), /cannot be read/],
    ["a status", 500, /answered with status 500/],
    ["a broken connection", "reset", /cannot be reached/],
  ];

  test.each(badResponses)("%s", async (_, treatment, says) => {
    const badAuthority = await startAuthority(treatment);
    const hashes = await entries();
    const { checkpoint, stamp } = await ensureCovered(asking(badAuthority.url), hashes);
    expect(stamp.token).toBeNull();
    expect(stamp.error).toMatch(says);
    expect(stamp.error).not.toContain("127.0.0.1");
    expect(await attempts(checkpoint.tree_size)).toEqual([{ granted: false, error: stamp.error }]);
    await badAuthority.close();
  });

  test("an authority that never responds times out, while others use the log", async () => {
    const hanging = await startAuthority("hang");
    const waiting = ensureCovered(asking(hanging.url, 300), await entries());
    // No lock and no transaction is held meanwhile.
    expect((await ensureCovered(asking(null), await entries())).stamp).toEqual({ token: null, error: null });
    expect((await waiting).stamp).toEqual({ token: null, error: "the time-stamp authority did not answer within 300 ms" });
    await hanging.close();
  });

  test("an authority that is not trusted", async () => {
    const stranger = await makeAuthority({ at: new Date() });
    const other = await startAuthority((request) => stranger.answer(request));
    expect((await ensureCovered(asking(other.url), await entries())).stamp).toEqual({
      token: null,
      error: "the token is not valid: untrusted",
    });
    await other.close();
  });

  test("an hourly failure is a warning, and the job does not fail", async () => {
    await entries();
    await advanceLog(asking(null));
    const logged: unknown[] = [];
    const warn = (fields: unknown, message?: string) => void logged.push([fields, message]);
    peer.next(503);
    await jobHandlers({ ...service.features, log: asking(peer.url) }, { warn })["log.stamp"]({});
    const error = "the time-stamp authority answered with status 503";
    expect(logged).toEqual([[{ error }, "the log was not time-stamped; it is tried again in an hour"]]);
  });

  test("a repeated call gets a token for the same checkpoint once the authority is back", async () => {
    const hashes = await entries();
    peer.next(503);
    const failed = await ensureCovered(asking(peer.url), hashes);
    expect(failed.stamp.error).toBe("the time-stamp authority answered with status 503");
    const granted = await ensureCovered(asking(peer.url), hashes);
    expect([granted.checkpoint, granted.stamp.token === null]).toEqual([failed.checkpoint, false]);
    expect(await attempts(granted.checkpoint.tree_size)).toEqual([
      { granted: false, error: "the time-stamp authority answered with status 503" },
      { granted: true, error: null },
    ]);
  });
});

test("without TSA_URL no authority is asked, and nothing is recorded as if one had been", async () => {
  const [before] = await service.database.owner<{ n: number }>("select count(*)::int as n from checkpoint_tokens");
  expect((await ensureCovered(asking(null), await entries())).stamp).toEqual({ token: null, error: null });
  expect(await stampLatest(asking(null))).toBeNull();
  expect(await service.database.owner("select count(*)::int as n from checkpoint_tokens")).toEqual([before]);
});
