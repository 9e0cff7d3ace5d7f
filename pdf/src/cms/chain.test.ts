import { X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { expect, test } from "vitest";
import { isTooExpensive } from "../../../server/test/thread-time.ts";
import { type Holder, type Issued, issue, NOW } from "../../fixtures/certificates.ts";
import { trustFault } from "./chain.ts";
import { oid, sequence, smallInteger } from "./der.ts";

type Extensions = Issued["extensions"];

const yes = (): asn1.BaseBlock => new asn1.Boolean({ value: true });
const authority = (pathLength?: number): Extensions => [
  {
    id: oid.basicConstraints,
    critical: true,
    value: pathLength === undefined ? sequence(yes()) : sequence(yes(), smallInteger(pathLength)),
  },
];
const usage = (bits: number): Extensions => [
  { id: oid.keyUsage, critical: true, value: new asn1.BitString({ valueHex: Uint8Array.of(bits), unusedBits: 0 }) },
];
const DIGITAL_SIGNATURE = 0x80;
const KEY_AGREEMENT = 0x08;

const root = issue({ issuer: null, name: "Root", extensions: authority() });
const below = (issuer: Holder, name: string, extensions: Extensions = [], not_after?: Date): Holder =>
  issue({ issuer, name, extensions, ...(not_after === undefined ? {} : { not_after }) });

const faultOf = (signer: Holder, others: readonly Holder[] = [], roots: readonly Holder[] = [root], at = NOW) => {
  const read = ({ certificate }: Holder) => new X509Certificate(certificate);
  return trustFault({ certificate: read(signer), others: others.map(read), roots: roots.map(read), at });
};
const LATER = new Date("2026-06-01T00:00:00Z");

test("a certificate is trusted through its root, through intermediates, and as a root itself", () => {
  const middle = below(root, "Middle", authority());
  const lower = below(middle, "Lower", authority());
  expect(faultOf(below(root, "Signer"))).toBeNull();
  expect(faultOf(below(lower, "Signer"), [middle, lower])).toBeNull();
  const alone = issue({ issuer: null, name: "Alone", extensions: [] });
  expect(faultOf(alone, [], [alone])).toBeNull();
});

test("it is not trusted without the intermediates, or through one with the same name and another key", () => {
  const middle = below(root, "Middle", authority());
  const impostor = issue({ issuer: null, name: "Root", extensions: authority() });
  expect(faultOf(below(middle, "Signer"))).toBe("untrusted");
  expect(faultOf(below(impostor, "Signer"), [impostor])).toBe("untrusted");
  expect(faultOf(below(root, "Signer"), [], [])).toBe("untrusted");
});

test("it is not trusted through an issuer that is not a CA or exceeds its path length", () => {
  const plain = below(root, "Plain");
  const short = below(root, "Short", authority(0));
  const tooDeep = below(short, "Too deep", authority());
  const signOnly = below(root, "Signs only", [...authority(), ...usage(DIGITAL_SIGNATURE)]);
  expect(faultOf(below(plain, "Signer"), [plain])).toBe("untrusted");
  expect(faultOf(below(short, "Signer"), [short])).toBeNull();
  expect(faultOf(below(tooDeep, "Signer"), [short, tooDeep])).toBe("untrusted");
  expect(faultOf(below(signOnly, "Signer"), [signOnly])).toBe("untrusted");
});

test("it is not trusted with a key for another use or an unknown critical extension", () => {
  const unknown = { id: "1.3.6.1.4.1.99999.3", value: new asn1.Null() };
  const nameConstraints = { id: "2.5.29.30", critical: true, value: sequence() };
  expect(faultOf(below(root, "Signer", usage(DIGITAL_SIGNATURE)))).toBeNull();
  expect(faultOf(below(root, "Signer", usage(KEY_AGREEMENT)))).toBe("untrusted");
  expect(faultOf(below(root, "Signer", [{ ...unknown, critical: false }]))).toBeNull();
  expect(faultOf(below(root, "Signer", [{ ...unknown, critical: true }]))).toBe("untrusted");
  const constrained = below(root, "Constrained", [...authority(), nameConstraints]);
  expect(faultOf(below(constrained, "Signer"), [constrained])).toBe("untrusted");
});

test("a chain that was valid at another time is reported as such, wherever it expired", () => {
  const expired = below(root, "Expired", authority(), new Date("2026-05-01T00:00:00Z"));
  const signer = below(expired, "Signer");
  expect(faultOf(signer, [expired])).toBeNull();
  expect(faultOf(signer, [expired], [root], LATER)).toBe("certificate_not_valid_at_time");
  expect(faultOf(below(root, "Signer", [], new Date("2026-05-01T00:00:00Z")), [], [root], LATER)).toBe("certificate_not_valid_at_time");
});

test("a hundred CAs with one name that issued each other do not make the search endless", () => {
  const rings = Array.from({ length: 60 }, () => issue({ issuer: null, name: "Ring", extensions: authority() }));
  const signer = below(rings[0] as Holder, "Signer");
  expect(faultOf(signer, rings)).toBe("untrusted");
  expect(isTooExpensive(() => faultOf(signer, rings), 5_000)).toBe(false);
});
