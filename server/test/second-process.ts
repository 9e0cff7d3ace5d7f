import { type Environment, readConfig } from "../src/config.ts";
import { buildFeatures } from "../src/features.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp } from "../src/main.ts";
import { client } from "./client.ts";
import type { TestService } from "./service.ts";

/** Another process on the same database, folder and secret. It remembers nothing. The caller closes its `app`. */
export async function secondProcess(service: TestService, env: Environment = {}): Promise<TestService> {
  const { database, db, features: first, config: own } = service;
  const [{ secret }] = own.appSecrets;
  const config = readConfig({ ...database.env, DATA_DIR: own.dataDir, APP_SECRET: secret, LOG_LEVEL: "silent", ...env });
  const features = buildFeatures(config, db, undefined, first.pdf, first.proofs);
  const app = await buildHttp({ config, db, features, logger: makeLogger("silent"), checkAnswers: true });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { ...service, config, features, app, url, send: client(url) };
}
