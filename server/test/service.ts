import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPdfPool, type PdfPool } from "@countersign/pdf/pool";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll } from "vitest";
import { memoryFolder } from "../../testing/memory-folder.ts";
import { SHARED_PROCESS } from "../../testing/shared-process.ts";
import { hashPassword } from "../src/accounts/passwords.ts";
import { startSession } from "../src/accounts/start-session.ts";
import { insertUser } from "../src/accounts/store.ts";
import { poolingOf } from "../src/administration.ts";
import { type Config, type Environment, readConfig } from "../src/config.ts";
import { connectDb, type Db } from "../src/db/connect.ts";
import { buildFeatures, type Features } from "../src/features.ts";
import { type BuiltWeb, readBuiltWeb } from "../src/http/built-web.ts";
import { ownHost } from "../src/http/sites.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp } from "../src/main.ts";
import { createOrgOf } from "../src/orgs/create-org.ts";
import { BUILT_WEB } from "../src/pages.ts";
import { createProofPool, type ProofPool } from "../src/proofs/pool.ts";
import { admitSecrets } from "../src/secrets/admit-secrets.ts";
import { newId, type OrgId, type UserId } from "../src/shared/ids.ts";
import { type Scope, scopes } from "../src/shared/scopes.ts";
import { builtinProvider } from "../src/signing/builtin/provider.ts";
import { noProvider } from "../src/signing/none.ts";
import type { SigningProvider } from "../src/signing/provider.ts";
import { publishTexts } from "../src/texts/publish-texts.ts";
import { type Answer, client, type Request, type Send } from "./client.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { markingTransactions, refuseSlowWork, refusingInside } from "./no-slow-work.ts";
import { tellingOfJobs } from "./queued-jobs.ts";
import { rememberingUploads } from "./remembered-pdf.ts";
import { type WebFiles, writeWeb } from "./web.ts";

/** The real service on a real socket and its own database, for one test file. */
export interface TestService {
  readonly database: TestDatabase;
  readonly db: Db;
  readonly config: Config;
  readonly features: Features;
  readonly app: FastifyInstance;
  readonly url: string;
  readonly send: Send;
  /** an org with its admin, as created by set-up, and the admin's session */
  newOrg(name?: string): Promise<TestOrg>;
  /** Calls `run` after each commit of a job by the service. */
  onQueued(run: () => void): void;
}

/** Readiness as it is now, however busy the machine is. */
export const AT_ONCE = { rememberedMs: 0, limitMs: 60_000 };

export const PASSWORD = "mauve otter kettle 1931";

export interface TestOrg {
  readonly org_id: OrgId;
  readonly user_id: UserId;
  readonly email: string;
  readonly token: string;
  /** with the admin's session */
  readonly admin: Send;
  newKey(values?: { scopes?: readonly Scope[]; rate_limit_rpm?: number }): Promise<TestKey>;
}

export interface TestKey {
  readonly key_id: string;
  readonly api_key: string;
  /** with the key */
  readonly send: Send;
}

let made = 0;
let pool: PdfPool | undefined;
let proofs: ProofPool | undefined;

// One thread that stays, because a new one is slow until its code is compiled.
const ONE_THREAD = { workers: 1, jobs_per_worker: 2_000, idle_ms: 600_000, ...SHARED_PROCESS };

/** The engine's threads take a second to start, so consecutive test files share them, and the run ends them. */
function sharedPdf({ pdf }: Config): PdfPool {
  pool ??= rememberingUploads(createPdfPool({ ...pdf, ...ONE_THREAD }));
  return pool;
}

/** Shared for the same reason. */
function sharedProofs({ passwordWorkers }: Config): ProofPool {
  proofs ??= rememberingPassword(createProofPool({ workers: passwordWorkers }));
  return proofs;
}

let hashed: Promise<string> | undefined;

/**
 * The same pool, but the password of the tests is hashed once. The hash is slow on purpose, and almost every test needs only a member who is
 * logged in. Other passwords are hashed, and all are verified, every time.
 */
function rememberingPassword(pool: ProofPool): ProofPool {
  const hash: ProofPool["hash"] = (text, turn) => {
    if (text !== PASSWORD) return pool.hash(text, turn);
    hashed ??= pool.hash(text, turn);
    return hashed;
  };
  return { ...pool, hash };
}

/** Small stand-ins if the pages are not built, because most tests use no page. */
const webFor = (dataDir: string, files: WebFiles | undefined): string =>
  files === undefined && existsSync(join(BUILT_WEB, "csp.json")) ? BUILT_WEB : writeWeb(join(dataDir, "web"), files);

let built: BuiltWeb | undefined;

/** The pages of the build are read once, not again for each test file. */
function builtWeb(folder: string): BuiltWeb {
  if (folder !== BUILT_WEB) return readBuiltWeb(folder);
  built ??= readBuiltWeb(folder);
  return built;
}

/**
 * `provider`: one that a test can inspect and make fail. `web`: pages to use instead of the built ones. `database`: one of its own. With a PORT, links contain it.
 * With an EMBED_URL on 127.0.0.1, the rest of the service is reached as localhost.
 */
export function testService(
  env: Environment = {},
  provider?: SigningProvider,
  web?: WebFiles,
  database: TestDatabase = testDatabase(),
): TestService {
  const ownsPdf = Object.keys(env).some((name) => name.startsWith("PDF_"));
  const ownsProofs = env.PASSWORD_WORKERS !== undefined || env.BREACHED_PASSWORDS_FILE !== undefined;
  const service = { database } as { -readonly [K in keyof TestService]: TestService[K] };
  const queued: (() => void)[] = [];
  service.onQueued = (run) => queued.push(run);
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(memoryFolder(), "countersign-data-"));
    service.config = readConfig({
      ...database.env,
      DATA_DIR: dataDir,
      APP_SECRET: randomBytes(32).toString("hex"),
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "silent",
      ...env,
    });
    const db = connectDb({ url: database.appUrl, ...poolingOf(service.config) });
    service.db = markingTransactions(
      tellingOfJobs(db, () => {
        for (const run of queued) run();
      }),
    );
    const pdf = ownsPdf ? createPdfPool({ ...service.config.pdf, ...SHARED_PROCESS }) : sharedPdf(service.config);
    const hashing = ownsProofs ? undefined : sharedProofs(service.config);
    const signing = provider ?? (service.config.signingProvider === "none" ? noProvider : builtinProvider({ db: service.db }));
    const guarded = refusingInside("the PDF pool", pdf, ["close"]);
    const guardedHashing = hashing === undefined ? undefined : refusingInside("the hashing threads", hashing, ["stats", "close"]);
    service.features = buildFeatures(service.config, service.db, refusingInside("the signing provider", signing), guarded, guardedHashing);
    refuseSlowWork(service.features);
    await publishTexts(service.db, service.features.texts);
    await admitSecrets(service.db, service.config.appSecrets, async () => undefined);
    service.app = await buildHttp({
      config: service.config,
      db: service.db,
      features: service.features,
      logger: makeLogger(service.config.logLevel),
      web: builtWeb(webFor(dataDir, web)),
      checkAnswers: true,
      checks: AT_ONCE,
    });
    const listening = await service.app.listen({ port: Number(env.PORT ?? 0), host: "127.0.0.1" });
    service.url = ownHost(service.config) === "127.0.0.1" ? listening.replace("127.0.0.1", "localhost") : listening;
    service.send = client(service.url);
    service.newOrg = (name = `Org ${++made}`) => newOrg(service, name);
  });
  afterAll(async () => {
    await service.app.close();
    if (ownsPdf) await service.features.pdf.close();
    if (ownsProofs) await service.features.proofs.close();
    service.features.mail.smtp?.close();
    await service.db.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return service;
}

/** Most tests only need a logged-in admin, so none of this comes over HTTP. */
async function newOrg(service: TestService, org_name: string): Promise<TestOrg> {
  const user = { user_id: newId("user"), email: `admin${++made}@example.com`, name: `Admin ${made}` };
  const by = { ip: "127.0.0.1", user_agent: "test", request_id: "test" };
  hashed ??= hashPassword(service.features, PASSWORD);
  const password_hash = await hashed;
  const { org_id, token } = await service.db.system(async (tx) => {
    await insertUser(tx, { ...user, password_hash, verified_by: "operator" });
    const { org_id } = await createOrgOf(tx, by, org_name, user);
    const visitor = { ...by, user_agent: "", cookies: {}, origin: null, bearer: null };
    const org = { org_id, name: org_name, role: "admin" } as const;
    const { token } = await tx.forOrg(org_id, () => startSession(service.features.orgs, tx, visitor, user, org));
    return { org_id, token };
  });
  const admin = client(service.url, { authorization: `Bearer ${token}` });
  return {
    org_id,
    user_id: user.user_id,
    email: user.email,
    token,
    admin,
    newKey: async (values = {}) => {
      const { json } = await admin("POST", "/partners/keys", {
        body: { partner_name: "Partner", scopes, rate_limit_rpm: 1000, ...values },
      });
      const { key_id, api_key } = json.data;
      return { key_id, api_key, send: client(service.url, { "x-api-key": api_key }) };
    },
  };
}

export async function logIn(service: TestService, email: string, password: string = PASSWORD): Promise<string> {
  // All log-ins of the tests come from one address, whose quota is meant for people.
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const { json } = await service.send("POST", "/auth/login", { body: { email, password, mode: "token" } });
  return json.data.token;
}

export type { Answer, Request };
