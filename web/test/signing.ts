import { createHash } from "node:crypto";
import { signToken, TOKEN_SECONDS, type TokenClaims } from "../../server/src/embed/embed-token.ts";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import type { Slug } from "../../server/src/shared/slugs.ts";
import { hashOfSecret } from "../../server/src/signing/link-store.ts";
import { makeReady, type SigningSession, signingSessionWith } from "../../server/test/ceremony.ts";
import { type EnvelopeValues, mailedSecret, sentEnvelope } from "../../server/test/envelopes.ts";
import { form } from "../../server/test/form.ts";
import { testJobs } from "../../server/test/jobs.ts";
import { freePort } from "../../server/test/process.ts";
import { type TestKey, type TestOrg, type TestService, testService } from "../../server/test/service.ts";
import { type BrowserContext, expect, keptPage, newContext, type Page, testBrowser, type Visit } from "./browser.ts";
import { note } from "./documents.ts";

/** The service with its worker, a browser, and sent documents. */
export interface Signing {
  readonly service: TestService;
  /** origin of the signing pages; the console has another host */
  readonly embedUrl: string;
  /** origins to which pages may send requests */
  readonly origins: readonly string[];
  send(wish?: Wish): Promise<Sent>;
  /** an envelope in a given state, written directly to the database */
  standing(values: EnvelopeValues): Promise<Sent>;
  /** opens the address in the shared page of the file, or in a new one if that is in use */
  open(address: string, visit?: Visit): Promise<Page>;
  /** for tests that need their own context */
  newContext(visit?: Visit): Promise<BrowserContext>;
  /** a page in its own context */
  newPage(visit?: Visit): Promise<Page>;
}

export interface SignerWish {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly authentication?: readonly { readonly method: "email_code" | "access_code"; readonly code?: string }[];
  readonly kba?: { readonly questions: readonly { readonly text: string; readonly answer: string }[] };
}

export interface Wish {
  readonly document?: Uint8Array;
  /** placed beside those of the document's tags */
  readonly fields?: readonly object[];
  readonly name?: string;
  readonly sender?: string;
  readonly signers?: readonly SignerWish[];
  readonly message?: string;
  readonly order?: "sequential" | "parallel";
  readonly kba_required?: boolean;
  /** settings of the organization */
  readonly settings?: object;
}

export interface Sent {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  /** the link from the signer's e-mail */
  link(email: string, lang?: string): Promise<string>;
  slug(email: string): Promise<string>;
  /** the embed_url that a partner's backend gets */
  embedUrl(email: string): Promise<string>;
  /** the same with a token that expires in this many seconds, created with an earlier clock */
  shortEmbedUrl(email: string, secondsLeft: number): Promise<string>;
  shortToken(email: string, secondsLeft: number, credential?: "embed_token" | "email_link"): Promise<string>;
  /** gives consent over HTTP, for tests that start after it */
  agreed(email: string): Promise<void>;
  /** fills in the order over HTTP, for tests that start with the review */
  filled(email: string): Promise<void>;
  void(): Promise<void>;
  status(): Promise<string>;
  /** the bytes of the document that partner and signers get */
  document(): Promise<Buffer>;
}

export const buyer: SignerWish = { email: "ann@example.com", name: "Ann Example", role: "Buyer" };
export const tenant: SignerWish = { email: "ann@example.com", name: "Ann Example", role: "Tenant" };
export const landlord: SignerWish = { email: "sam@example.com", name: "Sam Sample", role: "Landlord" };

/** For one test file. Two hosts as in production, so that the pages cannot access the console's cookie. */
export async function testSigning(env: Readonly<Record<string, string>> = {}): Promise<Signing> {
  const port = await freePort();
  const [publicUrl, embedUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const service = testService({ PORT: String(port), PUBLIC_URL: publicUrl, EMBED_URL: embedUrl, ...env });
  testJobs(service);
  testBrowser();
  const origins = [publicUrl, embedUrl];
  const offices = new Map<string, Promise<Office>>();
  const officeOf = (sender: string, settings?: object) =>
    once(offices, JSON.stringify([sender, settings]), () => openOffice(service, sender, settings));
  return {
    service,
    embedUrl,
    origins,
    send: (wish = {}) => send(service, embedUrl, wish, officeOf),
    standing: async (values) => {
      const { org, key } = await officeOf(SENDER);
      return sentBy(service, embedUrl, org, key, (await sentEnvelope(service, org, values)).envelope_id);
    },
    newContext: (visit) => newContext(origins, visit),
    newPage: async (visit) => (await newContext(origins, visit)).newPage(),
    open: async (address, visit) => {
      const page = await keptPage({ origins, visit });
      await page.goto(address);
      return page;
    },
  };
}

const SENDER = "Example Company";

/** One organization per sender name and settings, with one template per document. */
interface Office {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly templates: Map<string, Promise<string>>;
}

async function openOffice(service: TestService, sender: string, settings?: object): Promise<Office> {
  const org = await service.newOrg(sender);
  if (settings !== undefined) expectOk(await org.admin("PATCH", "/org/settings", { body: settings }));
  return { org, key: await org.newKey(), templates: new Map() };
}

type OfficeOf = (sender: string, settings?: object) => Promise<Office>;

async function send(service: TestService, embedUrl: string, wish: Wish, officeOf: OfficeOf): Promise<Sent> {
  const { document = note, sender = SENDER, signers = [buyer], name = "Order", message, order = "sequential" } = wish;
  const { org, key, templates } = await officeOf(sender, wish.settings);
  const template_id = await once(templates, `${name} ${createHash("sha256").update(document).digest("hex")}`, async () => {
    return expectOk(await key.send("POST", "/partner/templates", form({ name }, { bytes: document }))).data.template_id;
  });
  const [first] = signers;
  const body = {
    envelope_name: name,
    customer_email: first?.email,
    customer_name: first?.name,
    template_id,
    kba_required: wish.kba_required ?? false,
  };
  const { envelope_id } = expectOk(await key.send("POST", "/partner/envelopes", { body })).data;
  if (wish.fields !== undefined)
    expectOk(await key.send("POST", `/partner/envelopes/${envelope_id}/fields`, { body: { fields: wish.fields } }));
  const sending = { signers, signing_order: order, ...(message !== undefined && { message }) };
  expectOk(await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: sending }));
  return sentBy(service, embedUrl, org, key, envelope_id);
}

function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const one = made.get(key) ?? make();
  made.set(key, one);
  return one;
}

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
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
    const claims: TokenClaims = {
      envelope_id,
      org_id: org.org_id,
      user_email,
      widget: "sign",
      link: await linkHash(user_email, credential),
    };
    const minted = new Date(Date.now() - (TOKEN_SECONDS - secondsLeft) * 1000);
    return (await signToken(service.features.embed, credential, claims, minted)).token;
  };
  // Created once per signer, because tests open the same link again.
  const secrets = new Map<string, Promise<string>>();
  const secretOf = (email: string): Promise<string> => once(secrets, email, async () => mailedSecret(service, (await slug(email)) as Slug));
  const linkHash = async (email: string, credential: string): Promise<string | null> =>
    credential === "email_link" ? hashOfSecret(await secretOf(email)) : null;
  const sessionOf = async (email: string): Promise<SigningSession> =>
    signingSessionWith(service, envelope_id, await shortToken(email, TOKEN_SECONDS, "email_link"));
  return {
    org,
    key,
    envelope_id,
    slug,
    shortToken,
    agreed: async (email) => {
      const signingSession = await sessionOf(email);
      expectOk({ ...(await signingSession.see()), json: {} });
      expectOk(await signingSession.consent());
    },
    filled: async (email) => makeReady(await sessionOf(email), { "Full name": "Ann Example" }),
    link: async (email, lang) =>
      `${embedUrl}/s/${await slug(email)}${lang === undefined ? "" : `?lang=${lang}`}#k=${await secretOf(email)}`,
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
