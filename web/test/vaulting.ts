import { beforeAll } from "vitest";
import { signToken, TOKEN_SECONDS } from "../../server/src/embed/embed-token.ts";
import type { EnvelopeId } from "../../server/src/shared/ids.ts";
import { freePort } from "../../server/test/process.ts";
import { type TestOrg, type TestService, testService } from "../../server/test/service.ts";
import { vaultedByPipeline } from "../../server/test/vaulted.ts";
import { type BrowserContext, newContext, type Page, testBrowser, type Visit } from "./browser.ts";
import { longDocument } from "./documents.ts";

/** The service, a browser, and one vaulted document that all tests of a file share. */
export interface Vaulting {
  readonly service: TestService;
  readonly embedUrl: string;
  readonly origins: readonly string[];
  readonly org: TestOrg;
  readonly envelope_id: EnvelopeId;
  /** an embed_url of the vault page; two calls within the same second return the same one */
  address(email: string, secondsLeft?: number): Promise<string>;
  newContext(visit?: Visit): Promise<BrowserContext>;
  open(address: string, visit?: Visit): Promise<Page>;
}

export const signer = "ann@example.com";
export const secured_party = {
  name: "First Example Bank, N.A.",
  role: "Lender",
  address: "1 Example Square, Springfield",
  identifier: "RSSD 123456",
};

export async function testVaulting(embed_origins: readonly string[] = []): Promise<Vaulting> {
  const port = await freePort();
  const [publicUrl, embedUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const service = testService({ PORT: String(port), PUBLIC_URL: publicUrl, EMBED_URL: embedUrl, PDF_WORKERS: "1" });
  testBrowser();
  const origins = [publicUrl, embedUrl];
  const made = {} as { org: TestOrg; envelope_id: EnvelopeId };
  beforeAll(async () => {
    made.org = await service.newOrg("Example Company");
    await made.org.admin("PATCH", "/org/settings", { body: { embed_origins } });
    const deposited = { envelope_name: "Equipment lease 2026-114", pdf: longDocument(3), secured_party };
    made.envelope_id = await vaultedByPipeline(service, made.org, deposited);
  });
  return {
    service,
    embedUrl,
    origins,
    get org() {
      return made.org;
    },
    get envelope_id() {
      return made.envelope_id;
    },
    address: async (user_email, secondsLeft = TOKEN_SECONDS) => {
      const claims = { envelope_id: made.envelope_id, org_id: made.org.org_id, user_email, widget: "vault", link: null } as const;
      const minted = new Date(Date.now() - (TOKEN_SECONDS - secondsLeft) * 1000);
      const { token } = await signToken(service.features.embed, "embed_token", claims, minted);
      return `${embedUrl}/vault/${made.envelope_id}#token=${token}`;
    },
    newContext: (visit) => newContext(origins, visit),
    open: async (address, visit) => {
      const page = await (await newContext(origins, visit)).newPage();
      await page.goto(address);
      return page;
    },
  };
}
