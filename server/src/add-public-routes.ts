import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import type { Db } from "./db/connect.ts";
import type { Features } from "./features.ts";
import { addPeerPosts } from "./http/add-peer-posts.ts";
import { addPublicAnswer } from "./http/add-public-answer.ts";
import { addPublicFiles } from "./http/add-public-files.ts";
import { addReturn } from "./http/add-return.ts";
import { addDescriptions, type Described } from "./http/descriptions.ts";
import { addDownload } from "./http/downloads.ts";
import { addInbound } from "./http/inbound.ts";
import { serveDocs } from "./http/serve-docs.ts";
import { mailInbound } from "./mail/inbound.ts";
import { BUILT_SITE, CLIENT_PACKAGE, INTEGRATOR_CLI, MCP_SERVER, PYTHON_CLIENT, SAMPLE_LEASE, SAMPLE_NOTE, VERIFIER } from "./pages.ts";
import { publishRevocationList } from "./seals/publish-revocation-list.ts";
import { returnFromProvider } from "./sso/callback.ts";
import { CALLBACK_PATH } from "./sso/start.ts";
import type { LogDeps } from "./transparency/checkpoint.ts";
import { readPublicLog } from "./transparency/read-public-log.ts";
import { publishTrust, signTestTrust, signTrust } from "./transparency/trust.ts";
import { TEST_TRUST_PATH, TRUST_PATH } from "./transparency/trust-address.ts";
import { peerPosts } from "./vault/links/http.ts";
import { statusAnswer } from "./vault/status/page.ts";

/** What anyone can ask without an account: keys and logs for verifiers, status pages, documents and downloads. */

// Short, because a person who verifies something that was just signed needs the current keys.
const TRUST_CACHE_SECONDS = 60;

// People of one office come back from their provider through one address.
const SSO_RETURNS_PER_MINUTE = 120;

// A monitor that begins with a million entries fetches 4,000 tiles, in seven minutes.
const LOG_REQUESTS_PER_MINUTE = 600;

// A revocation should be known within the hour.
const REVOCATIONS_CACHE_SECONDS = 3_600;

interface PublicParts {
  readonly config: Config;
  readonly db: Db;
  readonly features: Features;
}

export function addPublicRoutes(app: FastifyInstance, { config, db, features }: PublicParts, documents: () => Described): void {
  addTrust(app, features.log);
  if (features.log.notes.isPublic)
    addPublicFiles(app, db, { folder: "log", requestsPerMinute: LOG_REQUESTS_PER_MINUTE, read: readPublicLog });
  addPublicAnswer(app, db, statusAnswer(features.vault));
  addReturn(app, db, {
    path: `${CALLBACK_PATH}/:id`,
    limit: { subject: "sso-return", requestsPerMinute: SSO_RETURNS_PER_MINUTE },
    run: (visitor, org, query) => returnFromProvider(features.sso, visitor, org, query),
  });
  addPeerPosts(app, db, peerPosts(features.vault));
  if (config.mailEventsToken !== null) addInbound(app, db, config.mailEventsToken, mailInbound(features.mail));
  app.get("/", async (_request, reply) => reply.redirect("/console/"));
  addDescriptions(app, documents);
  serveDocs(app, BUILT_SITE);
  addDownload(app, "/docs/downloads/countersign-client.tgz", CLIENT_PACKAGE, "application/gzip");
  addDownload(app, "/docs/downloads/countersign.py", PYTHON_CLIENT, "text/x-python; charset=utf-8");
  addDownload(app, "/docs/downloads/countersign-dev.mjs", INTEGRATOR_CLI, "text/javascript; charset=utf-8");
  addDownload(app, "/docs/downloads/countersign-verify.mjs", VERIFIER, "text/javascript; charset=utf-8");
  addDownload(app, "/docs/downloads/lease.pdf", SAMPLE_LEASE, "application/pdf");
  addDownload(app, "/docs/downloads/note.pdf", SAMPLE_NOTE, "application/pdf");
  addDownload(app, "/docs/downloads/countersign-mcp.mjs", MCP_SERVER, "text/javascript; charset=utf-8");
}

/** For verifiers without access to the service: no credential is needed, and the path is the same in every installation. */
function addTrust(app: FastifyInstance, log: LogDeps): void {
  for (const [path, sign] of [[TRUST_PATH, signTrust] as const, [TEST_TRUST_PATH, signTestTrust] as const]) {
    const trust = publishTrust(log, TRUST_CACHE_SECONDS, Date.now, sign);
    app.get(path, async (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${TRUST_CACHE_SECONDS}`)
        .type("application/json; charset=utf-8")
        .send(await trust()),
    );
  }
  const list = publishRevocationList({ ...log.seals, db: log.db });
  app.get("/.well-known/countersign/root.crl", async (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${REVOCATIONS_CACHE_SECONDS}`)
      .type("application/pkix-crl")
      .send(await list()),
  );
}
