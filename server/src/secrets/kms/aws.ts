import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { CannotUnwrap, type KeyContext, type Kms, KmsUnavailable } from "../kms.ts";

/** Wraps keys with a key of AWS KMS, which never leaves it. The service must have the rights kms:Encrypt and kms:Decrypt for that key. */

export interface AwsKmsSettings {
  readonly arn: string;
  readonly region: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The number of attempts after temporary failures, and the time for each. */
export interface KmsRetryPolicy {
  readonly attempts: number;
  readonly pauseMs: number;
  readonly answerMs: number;
}

const RETRY_POLICY: KmsRetryPolicy = { attempts: 3, pauseMs: 200, answerMs: 5_000 };

export function awsKms(settings: AwsKmsSettings, policy: KmsRetryPolicy = RETRY_POLICY): Kms {
  const { arn, region, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "kms", retries: 0 });
  const peer = { ...policy, client, endpoint: settings.endpoint };
  return {
    id: `aws:${arn}`,
    async wrap(key, context) {
      const body = { KeyId: arn, Plaintext: Buffer.from(key).toString("base64"), EncryptionContext: contextOf(context) };
      return bytesIn(await call(peer, "Encrypt", body), "CiphertextBlob");
    },
    async unwrap(wrapped, context) {
      const body = { KeyId: arn, CiphertextBlob: Buffer.from(wrapped).toString("base64"), EncryptionContext: contextOf(context) };
      return bytesIn(await call(peer, "Decrypt", body), "Plaintext");
    },
  };
}

interface Peer extends KmsRetryPolicy {
  readonly client: AwsClient;
  readonly endpoint: string;
}

/** Authenticated with the key and shown in the log of KMS, so it contains ids alone. */
const contextOf = ({ org, key_no }: KeyContext) => ({ org_id: org, key_no: String(key_no) });

type Answer = Readonly<Record<string, unknown>>;

async function call(peer: Peer, operation: "Encrypt" | "Decrypt", body: object): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await callOnce(peer, operation, body);
    } catch (error) {
      if (error instanceof CannotUnwrap || error instanceof KmsRefusal) throw error;
      if (attempts >= peer.attempts)
        throw error instanceof KmsUnavailable ? error : new KmsUnavailable("KMS cannot be reached", { cause: error });
      await delay(Math.random() * peer.pauseMs * 2 ** attempts);
    }
  }
}

/** Access is denied, or the key is disabled or deleted: trying again does not help. */
class KmsRefusal extends KmsUnavailable {}

async function callOnce({ client, endpoint, answerMs }: Peer, operation: string, body: object): Promise<Answer> {
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": `TrentService.${operation}` };
  const init = { method: "POST", headers, body: JSON.stringify(body), redirect: "error" as const };
  const response = await fetch(await client.sign(`${endpoint}/`, init), { signal: AbortSignal.timeout(answerMs) });
  const text = await response.text();
  if (response.ok) return answerIn(text);
  const type = typeIn(text);
  const why = `KMS answered ${response.status} ${type}`.trimEnd();
  if (["InvalidCiphertextException", "IncorrectKeyException"].includes(type)) throw new CannotUnwrap(why);
  // Throttling is 400 in this protocol.
  if (response.status >= 500 || response.status === 429 || /Throttling|LimitExceeded|RequestTimeout|Internal|Timeout/.test(type))
    throw new KmsUnavailable(why);
  throw new KmsRefusal(why);
}

function answerIn(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw new KmsUnavailable("KMS answered with something other than JSON", { cause });
  }
}

/** The last part of the error's name, which can begin with a namespace. */
function typeIn(text: string): string {
  try {
    const { __type } = JSON.parse(text) as { __type?: unknown };
    return typeof __type === "string" ? (__type.split("#").at(-1) ?? "") : "";
  } catch {
    // A proxy answers with its own page, and the status says enough.
    return "";
  }
}

function bytesIn(answer: Answer, name: string): Buffer {
  const value = answer[name];
  if (typeof value !== "string") throw new KmsUnavailable(`the answer of KMS has no ${name}`);
  return Buffer.from(value, "base64");
}
