import { startSession } from "../../server/src/accounts/start-session.ts";
import { findUser, insertUser, listMemberships } from "../../server/src/accounts/store.ts";
import { insertMember } from "../../server/src/orgs/store.ts";
import { newId, type OrgId, type UserId } from "../../server/src/shared/ids.ts";
import type { Role } from "../../server/src/shared/scopes.ts";
import { testJobs } from "../../server/test/jobs.ts";
import { freePort } from "../../server/test/process.ts";
import { type TestOrg, type TestService, testService } from "../../server/test/service.ts";
import { addAxe } from "./axe.ts";
import { keptContext, newContext, type Page, type Prepare, testBrowser, type Visit } from "./browser.ts";

/** The service with its worker, and browser windows with users of its console. */
export interface TestConsole {
  readonly service: TestService;
  readonly embedUrl: string;
  readonly url: string;
  readonly origins: readonly string[];
  /** A window with a signed-in user, by default the admin of the organization. */
  open(org: TestOrg, path: string, who?: Who): Promise<Page>;
  /** Adds a member to an organization. */
  join(org: TestOrg, role: Role, name?: string): Promise<Colleague>;
  /** Lets windows go to another origin too, such as that of an identity provider. */
  allow(origin: string): void;
  /** A window without a session. */
  visit(path: string, visit?: Visit): Promise<Page>;
}

export interface Colleague {
  readonly user_id: UserId;
  readonly email: string;
  readonly name: string;
}

interface Who extends Visit {
  readonly as?: Pick<Colleague, "user_id">;
}

let made = 0;
/** the program of sessions that belong to a window */
const WINDOW = "test";

export async function testConsole(env: Readonly<Record<string, string>> = {}): Promise<TestConsole> {
  const port = await freePort();
  const [url, embedUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const service = testService({ PORT: String(port), PUBLIC_URL: url, EMBED_URL: embedUrl, ...env });
  testJobs(service);
  testBrowser();
  const origins = [url, embedUrl];
  /** prepares a browser in which the user has logged in before */
  const known: Prepare = async (context) => {
    await addAxe(context);
    await context.addInitScript(`if (location.origin === ${JSON.stringify(url)}) localStorage.setItem("countersign signed in", "1")`);
  };
  const visit = async (path: string, look: Visit = {}): Promise<Page> => {
    const context = await newContext(origins, look);
    await addAxe(context);
    const page = await context.newPage();
    await page.goto(`${url}/console${path}`);
    return page;
  };
  return {
    service,
    url,
    embedUrl,
    origins,
    visit,
    allow: (origin) => void origins.push(origin),
    open: async (org, path, { as, ...look } = {}) => {
      const context = await keptContext({ origins, visit: look, prepare: known });
      const user_id = as?.user_id ?? org.user_id;
      // The windows of a file belong to one user, and its stories take seconds. The quota of calls per minute is meant for people.
      await service.database.owner("delete from quotas where subject = $1", [`user:${user_id}`]);
      // So is the number of sessions: those of earlier windows must not push out the one that the test itself uses.
      await service.database.owner(
        `update sessions set ended_at = now() where ended_at is null and session_id in (
           select session_id from sessions where user_id = $1 and user_agent = $2 order by created_at desc offset 9)`,
        [user_id, WINDOW],
      );
      const value = await refreshTokenOf(service, org.org_id, user_id);
      await context.addCookies([{ name: "countersign_refresh", value, domain: "localhost", path: "/api/v2/auth", sameSite: "Strict" }]);
      const page = await context.newPage();
      await page.goto(`${url}/console${path}`);
      return page;
    },
    join: (org, role, name = `Colleague ${++made}`) =>
      service.db.system(async (tx) => {
        const user = { user_id: newId("user"), email: `colleague${++made}@example.com`, name };
        await insertUser(tx, { ...user, password_hash: "no login with a password" });
        await tx.forOrg(org.org_id, () => insertMember(tx, org.org_id, user.user_id, role));
        return user;
      }),
  };
}

/** Starts a session directly, because a login costs half a second of password hashing. Logging in has its own tests. */
function refreshTokenOf(service: TestService, org_id: OrgId, user_id: UserId): Promise<string> {
  const visitor = { ip: "127.0.0.1", user_agent: WINDOW, request_id: "test", cookies: {}, origin: null, bearer: null };
  return service.db.system(async (tx) => {
    const user = await findUser(tx, user_id);
    const org = (await listMemberships(tx, user_id)).find((one) => one.org_id === org_id);
    if (org === undefined) throw new Error("not a member");
    return tx.forOrg(org_id, async () => (await startSession(service.features.orgs, tx, visitor, user, org)).refresh_token);
  });
}
