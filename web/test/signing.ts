import { signToken, TOKEN_SECONDS, type TokenClaims } from "../../server/src/embed/embed-token.ts";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import { form } from "../../server/test/form.ts";
import { testJobs } from "../../server/test/jobs.ts";
import { freePort } from "../../server/test/process.ts";
import { type TestKey, type TestOrg, type TestService, testService } from "../../server/test/service.ts";
import { type BrowserContext, expect, newContext, type Page, testBrowser, type Visit } from "./browser.ts";
import { note } from "./documents.ts";

/** The service with its worker, a browser, and documents that were sent to people. */
export interface Signing {
  readonly service: TestService;
  /** of the pages; people of the org use another host */
  readonly embedUrl: string;
  /** where pages may ask for something */
  readonly origins: readonly string[];
  send(wish?: Wish): Promise<Sent>;
  /** a fresh context with one page in it, which went to this address */
  open(address: string, visit?: Visit): Promise<Page>;
  newContext(visit?: Visit): Promise<BrowserContext>;
}

export interface SignerWish {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly kba?: { readonly questions: readonly { readonly text: string; readonly answer: string }[] };
}

export interface Wish {
  readonly document?: Uint8Array;
  readonly name?: string;
  readonly sender?: string;
  readonly signers?: readonly SignerWish[];
  readonly message?: string;
  readonly order?: "sequential" | "parallel";
  readonly kba_required?: boolean;
  /** into the org's settings */
  readonly settings?: object;
}

export interface Sent {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  /** the address in a signer's mail */
  link(email: string): Promise<string>;
  slug(email: string): Promise<string>;
  /** what a partner's backend gets for its page */
  embedUrl(email: string): Promise<string>;
  /** the same with a token that has only this many seconds left, by the service's own function with an earlier clock */
  shortEmbedUrl(email: string, secondsLeft: number): Promise<string>;
  shortToken(email: string, secondsLeft: number, credential?: "embed_token" | "email_link"): Promise<string>;
  void(): Promise<void>;
  status(): Promise<string>;
  /** of the document that partner and signers get */
  document(): Promise<Buffer>;
}

export const buyer: SignerWish = { email: "ann@example.com", name: "Ann Example", role: "Buyer" };
export const tenant: SignerWish = { email: "ann@example.com", name: "Ann Example", role: "Tenant" };
export const landlord: SignerWish = { email: "sam@example.com", name: "Sam Sample", role: "Landlord" };

/** For one test file. Two hosts, as in production: the pages cannot reach the console's cookie, nor the console the pages. */
export async function testSigning(env: Readonly<Record<string, string>> = {}): Promise<Signing> {
  const port = await freePort();
  const [publicUrl, embedUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const service = testService({ PORT: String(port), PUBLIC_URL: publicUrl, EMBED_URL: embedUrl, PDF_WORKERS: "1", ...env });
  testJobs(service);
  testBrowser();
  const origins = [publicUrl, embedUrl];
  return {
    service,
    embedUrl,
    origins,
    send: (wish = {}) => send(service, embedUrl, wish),
    newContext: (visit) => newContext(origins, visit),
    open: async (address, visit) => {
      const page = await (await newContext(origins, visit)).newPage();
      await page.goto(address);
      return page;
    },
  };
}

async function send(service: TestService, embedUrl: string, wish: Wish): Promise<Sent> {
  const { document = note, sender = "Example Company", signers = [buyer], name = "Order", message, order = "sequential", settings } = wish;
  const org = await service.newOrg(sender);
  if (settings !== undefined) expectOk(await org.admin("PATCH", "/org/settings", { body: settings }));
  const key = await org.newKey();
  const { template_id } = expectOk(await key.send("POST", "/partner/templates", form({ name }, { bytes: document }))).data;
  const [first] = signers;
  const body = {
    envelope_name: name,
    customer_email: first?.email,
    customer_name: first?.name,
    template_id,
    kba_required: wish.kba_required ?? false,
  };
  const { envelope_id } = expectOk(await key.send("POST", "/partner/envelopes", { body })).data;
  const sending = { signers, signing_order: order, ...(message !== undefined && { message }) };
  expectOk(await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: sending }));
  return sentBy(service, embedUrl, org, key, envelope_id);
}

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is the server tests' affair
function expectOk({ status, json }: { status: number; json: any }): any {
  expect([status < 300, json.error, json.details]).toEqual([true, undefined, undefined]);
  return json;
}

export function sentBy(service: TestService, embedUrl: string, org: TestOrg, key: TestKey, envelope_id: EnvelopeId): Sent {
  const slug = async (email: string): Promise<string> => {
    const { signers } = expectOk(await key.send("GET", `/partner/envelopes/${envelope_id}/signers`)).data;
    return signers.find((signer: { email: string }) => signer.email === email).slug;
  };
  const shortToken: Sent["shortToken"] = async (user_email, secondsLeft, credential = "embed_token") => {
    const claims: TokenClaims = { envelope_id, org_id: org.org_id, user_email, widget: "sign" };
    const minted = new Date(Date.now() - (TOKEN_SECONDS - secondsLeft) * 1000);
    return (await signToken(service.features.embed, credential, claims, minted)).token;
  };
  return {
    org,
    key,
    envelope_id,
    slug,
    shortToken,
    link: async (email) => `${embedUrl}/s/${await slug(email)}`,
    embedUrl: async (user_email) => {
      const body = { envelope_id, user_email, widget_type: "sign" };
      return expectOk(await key.send("POST", "/embed/token", { body })).data.embed_url;
    },
    shortEmbedUrl: async (email, secondsLeft) => `${embedUrl}/sign/${envelope_id}#token=${await shortToken(email, secondsLeft)}`,
    void: async () => void expectOk(await key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "wrong price" } })),
    status: async () => expectOk(await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).data.status,
    document: async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).bytes,
  };
}
