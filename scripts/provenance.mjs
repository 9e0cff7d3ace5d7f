// What shows where the files of a release come from: a signature of SHA256SUMS, and an in-toto statement in a DSSE envelope that names the
// commit and the commands. Both are made with one ed25519 key. docs/releasing.md says how to verify them.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ readonly name: string, readonly sha256: string }} Subject */
/** @typedef {{ readonly commit: string, readonly lockFile: Buffer, readonly commands: readonly string[], readonly on: Readonly<Record<string, string>> }} Build */
/** @typedef {{ payloadType: string, payload: string, signatures: { keyid: string, sig: string }[] }} Envelope */

const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE = "https://slsa.dev/provenance/v1";
const PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** The files of SHA256SUMS. @param {string} sums @returns {Subject[]} */
export function subjectsOf(sums) {
  return sums
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, sha256 = "", name = ""] = /^([0-9a-f]{64}) {2}([\w.@-]+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`SHA256SUMS has a line of another form: ${line}`);
      return { name, sha256 };
    });
}

/**
 * SLSA provenance 1, without times, so that two builds of one commit make the same statement.
 * @param {readonly Subject[]} subjects @param {Build} build
 */
export function statementOf(subjects, { commit, lockFile, commands, on }) {
  return {
    _type: STATEMENT_TYPE,
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: "urn:countersign:build-release:1",
        externalParameters: { commit },
        internalParameters: { commands: [...commands], ...on },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest: { sha256: sha256Of(lockFile) } },
        ],
      },
      // A person builds and signs, on a machine of their own: no service vouches for it.
      runDetails: { builder: { id: "urn:countersign:builder:maintainer" } },
    },
  };
}

/**
 * Signs what scripts/build-release.mjs wrote into a folder, if it is still the same. Returns the id of the key.
 * @param {string} folder @param {string} pem the private key
 */
export function signRelease(folder, pem) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`the key must be an ed25519 key, and is ${key.asymmetricKeyType}`);
  const sums = readFileSync(join(folder, "SHA256SUMS"));
  const statement = readFileSync(join(folder, "provenance.json"));
  const subjects = sameSubjects(sums, JSON.parse(statement.toString("utf8")));
  refuseChanged(folder, subjects);
  writeFileSync(join(folder, "SHA256SUMS.sig"), sign(null, sums, key));
  writeFileSync(join(folder, "provenance.intoto.jsonl"), `${JSON.stringify(envelopeOf(statement, key))}\n`);
  // So that no one reads the statement without its signature.
  rmSync(join(folder, "provenance.json"));
  return keyIdOf(key);
}

/**
 * The files of the release that are in a folder, and the commit from which they were built; throws if anything is not as it was signed.
 * @param {string} folder @param {string} pem the public key @returns {{ names: string[], commit: string }}
 */
export function verifyRelease(folder, pem) {
  const key = createPublicKey(pem);
  const sums = readFileSync(join(folder, "SHA256SUMS"));
  if (!verify(null, sums, key, readFileSync(join(folder, "SHA256SUMS.sig"))))
    throw new Error("SHA256SUMS is not signed by this key, or was changed");
  const statement = openEnvelope(JSON.parse(readFileSync(join(folder, "provenance.intoto.jsonl"), "utf8")), key);
  const here = sameSubjects(sums, statement).filter(({ name }) => existsSync(join(folder, name)));
  if (here.length === 0) throw new Error("none of the files is here");
  refuseChanged(folder, here);
  return { names: here.map(({ name }) => name), commit: statement.predicate.buildDefinition.externalParameters.commit };
}

/** @param {Buffer} sums @param {{ subject: { name: string, digest: { sha256: string } }[] }} statement */
function sameSubjects(sums, { subject }) {
  const subjects = subjectsOf(sums.toString("utf8"));
  const stated = subject.map(({ name, digest }) => ({ name, sha256: digest.sha256 }));
  if (JSON.stringify(stated) !== JSON.stringify(subjects))
    throw new Error("the statement of provenance is about other files than SHA256SUMS");
  return subjects;
}

/** @param {string} folder @param {readonly Subject[]} subjects */
function refuseChanged(folder, subjects) {
  const changed = subjects.find(({ name, sha256 }) => sha256Of(readFileSync(join(folder, name))) !== sha256);
  if (changed !== undefined) throw new Error(`${changed.name} was changed since it was built`);
}

/** @param {Buffer} payload @param {import("node:crypto").KeyObject} key @returns {Envelope} */
function envelopeOf(payload, key) {
  const signature = sign(null, signedBytes(PAYLOAD_TYPE, payload), key);
  const signatures = [{ keyid: keyIdOf(key), sig: signature.toString("base64") }];
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString("base64"), signatures };
}

/** The statement in an envelope; throws if this key has not signed it. @param {Envelope} envelope @param {import("node:crypto").KeyObject} key */
function openEnvelope({ payloadType, payload, signatures }, key) {
  if (payloadType !== PAYLOAD_TYPE) throw new Error(`the envelope has the type ${payloadType}`);
  const bytes = Buffer.from(payload, "base64");
  const isSigned = signatures.some(({ sig }) => verify(null, signedBytes(payloadType, bytes), key, Buffer.from(sig, "base64")));
  if (!isSigned) throw new Error("the statement is not signed by this key, or was changed");
  const statement = JSON.parse(bytes.toString("utf8"));
  if (statement._type !== STATEMENT_TYPE || statement.predicateType !== PREDICATE_TYPE)
    throw new Error("it is not a statement of provenance");
  return statement;
}

/** What DSSE signs: the type and the content, each with its length. @param {string} type @param {Buffer} payload */
function signedBytes(type, payload) {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

/** The SHA-256 of the public key. @param {import("node:crypto").KeyObject} key */
function keyIdOf(key) {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return sha256Of(publicKey.export({ type: "spki", format: "der" }));
}

/** @param {Buffer} bytes */
export function sha256Of(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
