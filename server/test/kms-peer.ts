import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AwsKmsSettings } from "../src/secrets/kms/aws.ts";

/**
 * A small AWS KMS on loopback with one key. It computes every signature independently, from the received bytes and Amazon's description of
 * Signature Version 4, and refuses what does not match. Ciphertext is bound to the key and to the encryption context.
 */
export interface KmsPeer {
  readonly settings: AwsKmsSettings;
  /** operation and encryption context of each request that was signed correctly */
  readonly requests: { readonly operation: string; readonly context: Record<string, string> }[];
  /** What happens to the next requests instead of a normal response. */
  fail(fault: KmsFault, times: number): void;
  close(): Promise<void>;
}

/** silent: no response at all. page: an answer that is not JSON, as from a proxy. */
export type KmsFault = "denied" | "throttled" | "disabled" | "500" | "drop" | "silent" | "page";

const REGION = "eu-test-1";
const ACCESS_KEY_ID = "AKTEST";
const SECRET = "test/secret+key";
const ARN = `arn:aws:kms:${REGION}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

const refusals: Partial<Record<KmsFault, [number, string]>> = {
  denied: [400, "AccessDeniedException"],
  throttled: [400, "ThrottlingException"],
  disabled: [400, "DisabledException"],
  "500": [500, "KMSInternalException"],
};

export async function startKmsPeer(): Promise<KmsPeer> {
  const key = randomBytes(32);
  const requests: KmsPeer["requests"][number][] = [];
  const faults: KmsFault[] = [];
  const server = createServer(async (request, response) => {
    const fault = faults.shift();
    if (fault === "drop") return void request.socket.destroy();
    if (fault === "silent") return;
    const body = await bodyOf(request);
    if (fault === "page") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>Proxy</html>");
    const refusal = fault === undefined ? signatureFault(request, body) : refusals[fault];
    if (refusal !== undefined) return void refuse(response, ...refusal);
    const given = JSON.parse(body.toString()) as Given;
    const operation = String(request.headers["x-amz-target"]).replace("TrentService.", "");
    requests.push({ operation, context: given.EncryptionContext });
    answer(response, key, operation, given);
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { arn: ARN, region: REGION, endpoint, accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET },
    requests,
    fail: (fault, times) => void faults.push(...Array.from({ length: times }, () => fault)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Given {
  readonly KeyId: string;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext: Record<string, string>;
}

function answer(response: ServerResponse, key: Buffer, operation: string, given: Given): void {
  const done = doneWith(key, operation, given);
  if (typeof done === "string") refuse(response, 400, done);
  else json(response, { KeyId: ARN, ...done });
}

/** The answer, or the name of an error. */
function doneWith(key: Buffer, operation: string, given: Given): string | Record<string, string> {
  if (given.KeyId !== ARN) return "NotFoundException";
  const aad = Buffer.from(JSON.stringify(Object.entries(given.EncryptionContext).sort()));
  if (operation === "Encrypt") {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad);
    const text = Buffer.concat([cipher.update(Buffer.from(given.Plaintext ?? "", "base64")), cipher.final()]);
    return { CiphertextBlob: Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64") };
  }
  if (operation !== "Decrypt") return "UnknownOperationException";
  const blob = Buffer.from(given.CiphertextBlob ?? "", "base64");
  if (blob.length < 28) return "InvalidCiphertextException";
  const decipher = createDecipheriv("aes-256-gcm", key, blob.subarray(0, 12)).setAAD(aad).setAuthTag(blob.subarray(-16));
  const text = decipher.update(blob.subarray(12, -16));
  try {
    decipher.final();
  } catch {
    return "InvalidCiphertextException";
  }
  return { Plaintext: text.toString("base64") };
}

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));

const refuse = (response: ServerResponse, status: number, type: string): void =>
  void response
    .writeHead(status, { "content-type": "application/x-amz-json-1.1" })
    .end(JSON.stringify({ __type: type, message: "As told" }));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function signatureFault({ headers, method = "", url = "" }: IncomingMessage, body: Buffer): [number, string] | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = "", region, names = "", signature = ""] = pattern.exec(headers.authorization ?? "") ?? [];
  if (id !== ACCESS_KEY_ID || region !== REGION) return [400, "UnrecognizedClientException"];
  const signed = names.split(";");
  if (!["host", "x-amz-date", "x-amz-target"].every((name) => signed.includes(name))) return [400, "IncompleteSignatureException"];
  const time = String(headers["x-amz-date"]);
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000) || !time.startsWith(day)) return [400, "InvalidSignatureException"];
  const canonical = [method, url, "", ...signed.map((name) => `${name}:${headers[name]}`), "", names, hex(body)].join("\n");
  const scope = `${day}/${REGION}/kms/aws4_request`;
  const signingKey = [day, REGION, "kms", "aws4_request"].reduce<Buffer>((one, part) => hmac(one, part), Buffer.from(`AWS4${SECRET}`));
  const wanted = hmac(signingKey, ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n"));
  return timingSafeEqual(wanted, Buffer.from(signature, "hex")) ? undefined : [400, "InvalidSignatureException"];
}

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const hex = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
