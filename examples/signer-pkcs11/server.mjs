// A signer for SIGNER_URL that keeps keys in a PKCS #11 token, such as a hardware security module. It runs pkcs11-tool (OpenSC) once for
// each signature, so it needs no package and no native code in this process.

import { execFile } from "node:child_process";
import { createHash, timingSafeEqual } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const { PKCS11_MODULE, PKCS11_TOKEN, PKCS11_PIN, SIGNER_TOKEN, PKCS11_TOOL = "pkcs11-tool", PORT = "8430" } = process.env;
if (!PKCS11_MODULE || !PKCS11_TOKEN || !PKCS11_PIN || !SIGNER_TOKEN) {
  process.stderr.write("Set PKCS11_MODULE, PKCS11_TOKEN, PKCS11_PIN and SIGNER_TOKEN.\n");
  process.exit(2);
}

/** @type {Record<string, string>} */
const mechanisms = { ES256: "ECDSA-SHA256", ES384: "ECDSA-SHA384", EdDSA: "EDDSA" };

// Names of keys come from requests and become arguments of a program.
const KEY_REF = /^[a-z]{1,32}-[0-9]{1,6}$/;

const MAX_BODY_BYTES = 8_388_608;
const TOOL_TIMEOUT_MS = 9_000;

/**
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "signer-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string[]} args */
const tool = (args) =>
  run(String(PKCS11_TOOL), ["--module", String(PKCS11_MODULE), "--token-label", String(PKCS11_TOKEN), ...args], {
    timeout: TOOL_TIMEOUT_MS,
  });

/** @param {string} ref */
const publicKey = (ref) =>
  inFolder(async (folder) => {
    const file = join(folder, "key.der");
    await tool(["--read-object", "--type", "pubkey", "--label", ref, "--output-file", file]);
    return { public_key: (await readFile(file)).toString("base64") };
  });

/** @param {{ key_ref?: unknown, algorithm?: unknown, input?: unknown }} body */
function sign({ key_ref, algorithm, input }) {
  const mechanism = typeof algorithm === "string" ? mechanisms[algorithm] : undefined;
  if (typeof key_ref !== "string" || !KEY_REF.test(key_ref) || mechanism === undefined || typeof input !== "string") return null;
  return inFolder(async (folder) => {
    const [from, to] = [join(folder, "input"), join(folder, "signature")];
    await writeFile(from, Buffer.from(input, "base64"));
    // The PIN is read from the environment, so that it is not in the list of processes.
    const key = ["--login", "--pin", "env:PKCS11_PIN", "--sign", "--mechanism", mechanism, "--label", key_ref];
    await tool([...key, "--signature-format", "rs", "--input-file", from, "--output-file", to]);
    return { signature: (await readFile(to)).toString("base64") };
  });
}

/** @param {string | undefined} header */
function isAllowed(header) {
  const hash = (/** @type {string} */ text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header ?? ""), hash(`Bearer ${SIGNER_TOKEN}`));
}

/** @param {import("node:http").IncomingMessage} request */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("the request is too long");
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const server = createServer(async (request, response) => {
  const answer = (/** @type {number} */ status, /** @type {object} */ body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    if (!isAllowed(request.headers.authorization)) return answer(401, { error: "wrong token" });
    const ref = /^\/keys\/([^/]+)$/.exec(request.url ?? "")?.[1];
    if (request.method === "GET" && ref !== undefined && KEY_REF.test(ref)) return answer(200, await publicKey(ref));
    if (request.method !== "POST" || request.url !== "/sign") return answer(404, { error: "not found" });
    const signed = await sign(await readBody(request));
    return signed === null ? answer(422, { error: "key_ref, algorithm or input is wrong" }) : answer(200, signed);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return answer(503, { error: "the token did not sign" });
  }
});

server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`Signer on http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}\n`);
});
