import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A signer on loopback, with keys that it makes when they are first asked for. */
export interface SignerPeer {
  readonly url: string;
  readonly token: string;
  /** names of the keys that signed, in order */
  readonly signed: string[];
  /** How all further requests are treated: answered after so many milliseconds, or with a status, or never. */
  treat(treatment: { readonly after_ms: number } | number | "hang" | "wrong key"): void;
  close(): Promise<void>;
}

export async function startSigner(): Promise<SignerPeer> {
  const keys = new Map<string, KeyObject>();
  const signed: string[] = [];
  const token = "the signer's own token";
  let treatment: Parameters<SignerPeer["treat"]>[0] = { after_ms: 0 };
  const keyOf = (ref: string): KeyObject => {
    const key =
      keys.get(ref) ??
      (ref.startsWith("root-") ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : generateKeyPairSync("ed25519")).privateKey;
    keys.set(ref, key);
    return key;
  };
  const answer = (method: string, path: string, body: Buffer): object => {
    if (method === "GET") return { public_key: spkiOf(keyOf(path.slice("/keys/".length))).toString("base64") };
    const { key_ref, algorithm, input } = JSON.parse(body.toString()) as { key_ref: string; algorithm: string; input: string };
    signed.push(key_ref);
    const key = treatment === "wrong key" ? keyOf(`${key_ref}-other`) : keyOf(key_ref);
    const bytes = Buffer.from(input, "base64");
    const raw = algorithm === "EdDSA" ? sign(null, bytes, key) : sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
    return { signature: raw.toString("base64") };
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (treatment === "hang") return;
    if (typeof treatment === "number") return void response.writeHead(treatment).end();
    if (typeof treatment === "object") await new Promise((resolve) => setTimeout(resolve, (treatment as { after_ms: number }).after_ms));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(request.method ?? "", request.url ?? "", Buffer.concat(chunks))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    signed,
    treat: (next) => {
      treatment = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const spkiOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: "spki", format: "der" });
