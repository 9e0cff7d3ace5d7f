// The page checks approvals with the same code on other cryptography, and judges them alike.

import { expect, test, vi } from "vitest";
import * as node from "../../../evidence/src/passkey.ts";
import { softwarePasskey } from "../../../testing/software-authenticator.ts";

// As the build of the page replaces it.
vi.resetModules();
vi.doMock("node:crypto", () => import("./crypto.ts"));
const page: typeof node = await import("../../../evidence/src/passkey.ts");

const sha256 = "9f".repeat(32);
const [origin, rp_id] = ["https://sign.example.com", "sign.example.com"];

test("runs on the page's own cryptography", () => {
  expect(page.passkeyFault).not.toBe(node.passkeyFault);
});

test.each(node.passkeyAlgorithms)("an approval with %s is judged alike, whole and with a bit flipped in every fifth byte", (algorithm) => {
  const passkey = softwarePasskey(algorithm);
  const { response } = passkey.approve({ challenge: Buffer.from(sha256, "hex").toString("base64url"), origin, rp_id });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const parts = {
    authenticator_data: bytes(response.authenticatorData),
    client_data: bytes(response.clientDataJSON),
    signature: bytes(response.signature),
    spki: passkey.spki,
  };
  const judge = (code: typeof node, given: typeof parts) =>
    code.passkeyFault(given, { spki: given.spki, algorithm, sha256, rp_id, origin });
  expect([judge(page, parts), judge(node, parts)]).toEqual([null, null]);
  const changed = (Object.keys(parts) as (keyof typeof parts)[]).flatMap((part) =>
    Array.from({ length: Math.floor(parts[part].length / 5) }, (_, n) => {
      const copy = Buffer.from(parts[part]);
      copy[5 * n] = (copy[5 * n] ?? 0) ^ (1 << (n & 7));
      return { ...parts, [part]: copy };
    }),
  );
  expect(changed.filter((one) => judge(page, one) === null || judge(page, one) !== judge(node, one))).toEqual([]);
});
