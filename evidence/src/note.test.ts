import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { cosign, cosignatureBy, cosignatureIn, timeOfCosignature } from "./cosignature.ts";
import {
  isNoteSignedBy,
  type NoteKeyType,
  noteKeyOf,
  noteKeyTypes,
  rawKeyOf,
  readNote,
  readTreeHead,
  readVkey,
  signatureLine,
  writeNote,
  writeTreeHead,
  writeVkey,
} from "./note.ts";

// The example of golang.org/x/mod/sumdb/note.
const NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NEUMANN_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

// A checkpoint of a public Certificate Transparency log, with cosignatures of public witnesses.
const ARCHE = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f";
const REMORA = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";
const ARCHE_NOTE = `arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
`;

const vkey = (text: string) => {
  const key = readVkey(text);
  if (key === null) throw new Error(`not a key: ${text}`);
  return key;
};
const note = (text: string) => {
  const found = readNote(Buffer.from(text));
  if (found === null) throw new Error("not a note");
  return found;
};
function makeKey(name: string, type: NoteKeyType) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { key: noteKeyOf(name, type, rawKeyOf(publicKey.export({ format: "der", type: "spki" }))), privateKey };
}

test("a key is read, and written again as it was", () => {
  for (const text of [NEUMANN, ARCHE, REMORA]) expect(writeVkey(vkey(text))).toBe(text);
  expect(vkey(NEUMANN)).toMatchObject({ name: "PeterNeumann", type: noteKeyTypes.ed25519, id: "c74f20a3" });
  expect(vkey(REMORA).type).toBe(noteKeyTypes.cosignature);
});

test.each([
  ["another ID", NEUMANN.replace("c74f20a3", "c74f20a4")],
  ["another name", NEUMANN.replace("Peter", "Petra")],
  ["an ID in upper case", NEUMANN.replace("c74f20a3", "C74F20A3")],
  ["an unknown type", "rekor.sigstore.dev+12345678+AwEB"],
  ["too few bytes", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10Q="],
  ["no padding or odd base64", `${NEUMANN}=`],
  ["two parts", "bananas.sigstore.dev+12344556"],
  ["a space", `${NEUMANN} `],
  ["nothing", ""],
])("a key with %s is refused", (_what, text) => {
  expect(readVkey(text)).toBeNull();
});

test("the signature of a published note is accepted, and with a changed letter refused", () => {
  expect(isNoteSignedBy(note(NEUMANN_NOTE), vkey(NEUMANN))).toBe(true);
  expect(isNoteSignedBy(note(NEUMANN_NOTE.replace("answer", "Answer")), vkey(NEUMANN))).toBe(false);
  expect(isNoteSignedBy(note(NEUMANN_NOTE), vkey(ARCHE))).toBe(false);
});

test("of a public log's checkpoint, the log's signature and a witness's cosignature are accepted, and others are ignored", () => {
  const found = note(ARCHE_NOTE);
  expect(readTreeHead(found.text)).toEqual({
    origin: "arche2025h1.staging.ct.transparency.dev",
    tree_size: 1_432_088_532,
    root: Buffer.from("U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=", "base64").toString("hex"),
  });
  expect(isNoteSignedBy(found, vkey(ARCHE))).toBe(true);
  const cosigned = cosignatureBy(found, vkey(REMORA));
  expect(cosigned?.seconds).toBe(1_779_573_024);
  expect(cosigned === null ? null : timeOfCosignature(cosigned)).toBe("2026-05-23T21:50:24.000Z");
  // A cosignature is not a signature of the log, nor the other way round.
  expect([isNoteSignedBy(found, vkey(REMORA)), cosignatureBy(found, vkey(ARCHE))]).toEqual([false, null]);
});

test("a cosignature with another time, size or root is refused", () => {
  const forged = [
    ARCHE_NOTE.replace("qEiEgPlf", "qEiEhPlf"),
    ARCHE_NOTE.replace("1432088532", "1432088533"),
    ARCHE_NOTE.replace("U7WM", "U7WN"),
  ];
  for (const text of forged) expect(cosignatureBy(note(text), vkey(REMORA)), text).toBeNull();
});

test.each([
  ["no signature", "text\n\n"],
  ["no blank line", "text\n— PeterNeumann x08go/ZJkuBS\n"],
  ["no last newline", NEUMANN_NOTE.slice(0, -1)],
  ["a line that is no signature", `${NEUMANN_NOTE}more\n`],
  ["a hyphen for the dash", NEUMANN_NOTE.replace("—", "-")],
  ["a tab", NEUMANN_NOTE.replace("think ", "think\t")],
  ["a carriage return", NEUMANN_NOTE.replaceAll("\n", "\r\n")],
  ["a signature of four bytes", "text\n\n— name x08gow==\n"],
  ["a name with a plus", NEUMANN_NOTE.replace("— PeterNeumann", "— Peter+Neumann")],
  ["more than 100 signatures", `${NEUMANN_NOTE}${"— other x08go/ZJ\n".repeat(100)}`],
])("a note with %s is refused", (_what, text) => {
  expect(readNote(Buffer.from(text))).toBeNull();
});

test("bytes that are not UTF-8 are no note", () => {
  expect(readNote(Buffer.concat([Buffer.from([0xff]), Buffer.from(NEUMANN_NOTE)]))).toBeNull();
});

test("the text of a note may have blank lines of its own", () => {
  expect(note(`one\n\ntwo\n\n— name x08go/ZJ\n`).text).toBe("one\n\ntwo\n");
});

test.each([
  ["two lines", "log\n1\n"],
  ["a leading zero", `log\n01\n${"A".repeat(43)}=\n`],
  ["a size that is no number", `log\n1e3\n${"A".repeat(43)}=\n`],
  ["a size past what can be counted exactly", `log\n9007199254740993\n${"A".repeat(43)}=\n`],
  ["a short root", "log\n1\nAAAA\n"],
  ["an empty fourth line", `log\n1\n${"A".repeat(43)}=\n\n`],
])("a text with %s is not a checkpoint", (_what, text) => {
  expect(readTreeHead(text)).toBeNull();
});

test("what is written is read again: the log's signature and two witnesses", () => {
  const log = makeKey("sign.example.com/log/0123456789abcdef", noteKeyTypes.ed25519);
  const witnesses = ["witness.example/w1", "witness.example/w2"].map((name) => makeKey(name, noteKeyTypes.cosignature));
  const head = { origin: log.key.name, tree_size: 70_000, root: "ab".repeat(32) };
  const text = writeTreeHead(head);
  const lines = [
    signatureLine(log.key, sign(null, Buffer.from(text), log.privateKey)),
    ...witnesses.map(({ key, privateKey }, at) => cosign(text, key, privateKey, 1_700_000_000 + at)),
  ];
  const found = note(writeNote(text, lines).toString());
  expect(readTreeHead(found.text)).toEqual(head);
  expect(isNoteSignedBy(found, log.key)).toBe(true);
  expect(witnesses.map(({ key }) => cosignatureBy(found, key)?.seconds)).toEqual([1_700_000_000, 1_700_000_001]);
  // A witness answers with its lines alone; lines of other keys are ignored.
  const answer = `${lines.slice(1).join("\n")}\n`;
  expect(witnesses.map(({ key }) => cosignatureIn(answer, text, key)?.line)).toEqual(lines.slice(1));
  expect(cosignatureIn(answer, text, makeKey("witness.example/w1", noteKeyTypes.cosignature).key)).toBeNull();
  expect(cosignatureIn("nonsense\n", text, log.key)).toBeNull();
});

test("if one of two signatures of a key is wrong, the note is refused", () => {
  const { key, privateKey } = makeKey("log", noteKeyTypes.ed25519);
  const right = signatureLine(key, sign(null, Buffer.from("text\n"), privateKey));
  const wrong = signatureLine(key, sign(null, Buffer.from("test\n"), privateKey));
  expect(isNoteSignedBy(note(writeNote("text\n", [right]).toString()), key)).toBe(true);
  expect(isNoteSignedBy(note(writeNote("text\n", [right, wrong]).toString()), key)).toBe(false);
});

test("only an Ed25519 key has the 32 bytes of a note's key", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  expect(() => rawKeyOf(publicKey.export({ format: "der", type: "spki" }))).toThrow(RangeError);
  expect(() => noteKeyOf("two words", noteKeyTypes.ed25519, new Uint8Array(32))).toThrow(RangeError);
});
