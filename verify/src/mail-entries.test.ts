import { expect, test } from "vitest";
import type { Told } from "../../evidence/fixtures/record.ts";
import { makeBundle } from "../test/make-bundle.ts";
import { unzipBundle } from "./read-bundle.ts";
import { verifyBundle } from "./verify-bundle.ts";

// Mail goes on after the first rules were fixed and after a record is vaulted. The rules do not read these entries, and bundles keep
// verifying with them.
const message = { message_id: "msg_a", kind: "signing_invitation", to: "ann@example.com" };
const said = (type: string, data: object): Told => ({ type, actor: { kind: "system", id: "system" }, data: { ...message, ...data } });
const acceptance = { header_id: "<msg_a@example.com>", server: "mail.example.com:587", code: 250, body_sha256: "ab".repeat(32) };
const entries: readonly Told[] = [
  said("mail.accepted", { ...acceptance, tls: { protocol: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" } }),
  said("mail.accepted", { ...acceptance, tls: null }),
  said("mail.failed", { code: null, stage: "CONN" }),
  said("mail.delivered", { at: "2026-03-05T03:00:00.000Z", detail: null }),
  said("mail.bounced", { at: null, detail: "5.1.1" }),
  said("mail.complained", { at: "2026-03-05T03:00:00.000Z", detail: null }),
];

async function outcomeOf(...how: Parameters<typeof makeBundle>) {
  const { zip, root, parts } = await makeBundle(...how);
  const { outcome, steps } = await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null });
  expect(outcome, JSON.stringify(steps.at(-1))).toBe("VERIFIED");
  const facts = JSON.parse(Buffer.from(parts.facts).toString("utf8"));
  expect(facts.type).toBe("countersign/facts/1");
  expect(JSON.stringify(facts.chain)).not.toContain("mail.");
  return JSON.parse(Buffer.from(parts.compliance).toString("utf8"));
}

test.each(["evidence", "export"] as const)(
  "a bundle (%s) under rules 1 verifies with entries about mail after the certificate",
  async (kind) => {
    expect(await outcomeOf({ kind }, { later: entries })).toMatchObject({ score: 100 });
  },
);

test("a bundle under rules 1 verifies with entries about mail before the certificate, which its facts do not repeat", async () => {
  const acts = (all: readonly Told[]) => [...all, ...entries];
  expect(await outcomeOf({}, { wish: { acts } })).toMatchObject({ score: 100 });
});
