import * as asn1 from "asn1js";
import { expect, test } from "vitest";
import { type Holder, issue } from "../../../pdf/fixtures/certificates.ts";
import { oid } from "../../../pdf/src/cms/der.ts";
import { testService } from "../../test/service.ts";
import { certificateEnds } from "./certificate-ends.ts";
import { ensureInstanceKeys } from "./instance-keys.ts";
import { rotateKey } from "./rotate-key.ts";
import type { P12Seal } from "./seal.ts";

const service = testService();
const ends = (bought: P12Seal | null) => service.db.system((tx) => certificateEnds(tx, { bought }));

const mayIssue = {
  id: oid.basicConstraints,
  critical: true,
  value: new asn1.Sequence({ value: [new asn1.Boolean({ value: true })] }),
};

/** A bought certificate, of whose chain each ends at the given time. */
function boughtUntil(own: string, middle: string, root: string): P12Seal {
  const certificate = (issuer: Holder | null, name: string, not_after: string): Holder =>
    issue({ issuer, name, extensions: [mayIssue], not_after: new Date(not_after) });
  const top = certificate(null, "Root", root);
  const between = certificate(top, "Intermediate", middle);
  const { certificate: first } = certificate(between, "Acme Ltd", own);
  const certificates = [first, between.certificate, top.certificate] as const;
  return {
    certificates,
    sign: () => expect.fail("nothing is sealed"),
    certificate_sha256: "",
    not_before: new Date(0),
    not_after: new Date(own),
  };
}

test("what ends is the newest root, and of SEAL_P12_FILE whatever ends first in its chain", async () => {
  expect(await ends(null), "before the first seal").toEqual([]);
  await ensureInstanceKeys(service.features.seals);
  const year = (one: { readonly ends_at: Date } | undefined) => one?.ends_at.getUTCFullYear();
  const [root] = await ends(null);
  expect([root?.kind, year(root)]).toEqual(["root", new Date().getUTCFullYear() + 20]);

  const [own, middle] = ["2027-01-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"];
  expect((await ends(boughtUntil(own, "2030-01-01", "2035-01-01")))[0]).toEqual({ kind: "p12", ends_at: new Date(own) });
  expect((await ends(boughtUntil(own, middle, "2035-01-01"))).map(({ kind, ends_at }) => [kind, ends_at])).toEqual([
    ["p12", new Date(middle)],
    ["root", root?.ends_at],
  ]);

  await rotateKey(service.features.seals, { purpose: "root", record: async () => undefined });
  const roots = await ends(null);
  expect(roots).toHaveLength(1);
  expect(roots[0]?.ends_at.getTime()).toBeGreaterThanOrEqual(root?.ends_at.getTime() ?? Number.NaN);
});
