import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real OpenID Connect provider on loopback. A test says who sits at the browser, and can change what the provider signs. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Who logs in from now on, and what the ID token says about them. Claims of undefined are left out. */
  person: Person;
  /** Changes the ID token after the provider made it; it is signed again with the provider's key, or as `signWith` says. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** whose key signs changed ID tokens; `none`: the old signature stays. The others say so in the header: `unsigned`: `alg` is none; HS256 under the client's secret, or under the provider's public key */
  signWith: "own" | "other" | "none" | "unsigned" | "client_secret" | "public_key";
  /** the algorithms that it says it signs with; null: those that it has */
  algorithms: readonly string[] | null;
  /** The provider answers nothing, or as usual again. */
  away: boolean;
  /** how often a browser came to log in */
  readonly visits: { count: number; prompts: (string | null)[] };
  /** how often a code was handed in */
  readonly exchanges: { count: number };
  /** Follows the browser from the address that we sent it to, until the provider sends it back. Returns that address. */
  visit(redirect_url: string): Promise<string>;
  close(): Promise<void>;
}

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly [claim: string]: unknown;
}

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/**
 * Sends browsers back to the addresses that begin with the given one. `isNamed`: it says in what it sends back who it is (RFC 9207), which
 * not every provider does.
 */
export async function startIdentityProvider(redirect_uri: string, { isNamed = true } = {}): Promise<IdentityProvider> {
  const [own, other] = [newKey(), newKey()];
  const client = { client_id: `client-${randomUUID()}`, client_secret: randomBytes(24).toString("base64url") };
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kid = "own";
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirect_uri], grant_types: ["authorization_code"], response_types: ["code"] }],
    jwks: { keys: [{ ...own.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    // Everyone agrees to everything.
    loadExistingGrant: async ({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri) => uri.startsWith(redirect_uri);
  const ofProvider = provider.callback();
  const peer: IdentityProvider = {
    issuer,
    client,
    person: { sub: "nobody" },
    forge: null,
    signWith: "own",
    algorithms: null,
    away: false,
    visits: { count: 0, prompts: [] },
    exchanges: { count: 0 },
    visit: async (redirect_url) => {
      const returned = new URL(await follow(peer, redirect_url));
      if (!isNamed) returned.searchParams.delete("iss");
      return returned.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  handle = (request, response) => {
    if (peer.away) {
      request.socket.destroy();
      return;
    }
    const path = request.url ?? "";
    if (path.startsWith("/interaction/")) {
      const login = { accountId: peer.person.sub };
      void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
      return;
    }
    if (path === "/token") {
      peer.exchanges.count++;
      changeAnswer(response, (body) => withClaims(body, peer, { own, other }));
    }
    const { algorithms } = peer;
    if (path === "/.well-known/openid-configuration")
      changeAnswer(response, (body) => {
        const said = algorithms === null ? {} : { id_token_signing_alg_values_supported: algorithms };
        return JSON.stringify({ ...JSON.parse(body), ...said, ...(!isNamed && { authorization_response_iss_parameter_supported: false }) });
      });
    ofProvider(request, response);
  };
  return peer;
}

/** What the person's ID token says is added here, so that the provider itself need not know the claims. */
function withClaims(body: string, { person, forge, signWith, client }: IdentityProvider, keys: Record<"own" | "other", KeyObject>): string {
  const answer = JSON.parse(body);
  if (answer.id_token === undefined) return body;
  const [header = "", payload = "", signature = ""] = answer.id_token.split(".");
  const said = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...person };
  const claims = Buffer.from(JSON.stringify(forge === null ? said : forge(said))).toString("base64url");
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
  const under = (alg: string) => `${Buffer.from(JSON.stringify({ alg, kid, typ: "JWT" })).toString("base64url")}.${claims}`;
  const ofSecret = (secret: string) => `${under("HS256")}.${createHmac("sha256", secret).update(under("HS256")).digest("base64url")}`;
  const rsa = (key: KeyObject) => sign("sha256", Buffer.from(`${header}.${claims}`), key).toString("base64url");
  const made = {
    own: () => `${header}.${claims}.${rsa(keys.own)}`,
    other: () => `${header}.${claims}.${rsa(keys.other)}`,
    none: () => `${header}.${claims}.${signature}`,
    unsigned: () => `${under("none")}.`,
    client_secret: () => ofSecret(client.client_secret),
    public_key: () => ofSecret(createPublicKey(keys.own).export({ type: "spki", format: "pem" }) as string),
  };
  return JSON.stringify({ ...answer, id_token: made[signWith]() });
}

/** Collects what a handler writes, and sends the changed text. */
function changeAnswer(response: ServerResponse, change: (body: string) => string): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body?: string | Buffer) => {
    const text = change(String(body ?? ""));
    response.setHeader("content-length", Buffer.byteLength(text));
    return end(text);
  }) as ServerResponse["end"];
}

async function follow(peer: IdentityProvider, redirect_url: string): Promise<string> {
  peer.visits.count++;
  peer.visits.prompts.push(new URL(redirect_url).searchParams.get("prompt"));
  const cookies = new Map<string, string>();
  let next = redirect_url;
  for (let steps = 0; next.startsWith(peer.issuer); steps++) {
    if (steps > 10) throw new Error(`the provider does not send the browser back: ${next}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next).href;
  }
  return next;
}
