import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { type Environment, readConfig, settings } from "../src/config.ts";

/** The files in deploy/ name settings of the service. Each name must exist, and the service must accept each value. */

const deploy = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (path: string) => readFileSync(deploy + path, "utf8");

/** What an operator fills in. The values are examples of the right form. */
const FILLED_IN: Environment = {
  COUNTERSIGN_IMAGE: "countersign",
  PUBLIC_URL: "https://sign.example.com",
  APP_SECRET: "5f0c1d2e3b4a59687796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
  OWNER_PASSWORD: "4b1d9c0e7a",
  SERVE_PASSWORD: "83f2a6d05e",
  QUEUE_PASSWORD: "d9076be41c",
};

/** The same as settings of a service. */
const SETTINGS: Environment = {
  APP_SECRET: FILLED_IN.APP_SECRET,
  DATABASE_APP_URL: "postgres://countersign_serve:83f2a6d05e@postgres/countersign",
};

/** What the secret of the chart contains. */
const SECRETS: Environment = {
  ...SETTINGS,
  DATABASE_URL: "postgres://countersign:4b1d9c0e7a@postgres/countersign",
  DATABASE_QUEUE_URL: "postgres://countersign_queue:d9076be41c@postgres/countersign",
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret",
  SMTP_URL: "smtps://user:password@mail.example.com",
};

const secretNames = Object.entries(settings).flatMap(([name, setting]) => ("secret" in setting ? [name] : []));
const known = new Set([...Object.keys(settings), ...secretNames.map((name) => `${name}_FILE`)]);
const unknownIn = (names: Iterable<string>) => [...names].filter((name) => !known.has(name));

/** `${NAME}`, `${NAME:-otherwise}` and `${NAME:?what is missing}`, as Compose replaces them. */
function filledIn(text: string, values: Environment): string {
  return text.replaceAll(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (whole, name?: string, kind?: string, rest = "") => {
    if (name === undefined) return whole.slice(1);
    const value = values[name];
    if (value !== undefined && value !== "") return value;
    if (kind === "-") return rest;
    throw new Error(`${name} is not filled in`);
  });
}

/** In every text of a file that was read: Compose reads YAML first, so an empty value stays a text. */
function allFilledIn(value: unknown, values: Environment): unknown {
  if (typeof value === "string") return filledIn(value, values);
  if (Array.isArray(value)) return value.map((one) => allFilledIn(one, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, allFilledIn(one, values)]));
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}

describe("deploy/compose.yaml", () => {
  const text = read("compose.yaml");
  const composeWith = (values: Environment) => allFilledIn(parse(text, { merge: true }), values) as Compose;
  const compose = composeWith(FILLED_IN);
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === FILLED_IN.COUNTERSIGN_IMAGE);
  const environmentOf = (name: string): Environment => compose.services[name]?.environment ?? expect.fail(`no environment of ${name}`);

  test("runs two processes for HTTP and one for jobs, after a command that prepares the database", () => {
    expect(ours.map(([name, { command }]) => [name, command])).toEqual([
      ["prepare", ["-c", "countersign database logins && countersign migrate"]],
      ["serve-1", ["serve"]],
      ["serve-2", ["serve"]],
      ["worker", ["worker"]],
    ]);
  });

  test.each(ours.map(([name]) => name))("%s: every setting exists, and the service accepts the values", (name) => {
    const environment = environmentOf(name);
    expect(unknownIn(Object.keys(environment))).toEqual([]);
    expect(readConfig(environment)).toMatchObject({
      databasePooling: "transaction",
      databasePreparedStatements: false,
      host: "0.0.0.0",
      metrics: { port: 9464, host: "0.0.0.0" },
      smtp: { host: "127.0.0.1", port: 1025, secure: false },
      s3: null,
    });
  });

  test("only the login of the service goes through the pooler, and only the first command knows the owner", () => {
    const hostOf = (url: string | null) => (url === null ? null : new URL(url).host);
    const hosts = Object.fromEntries(
      ours.map(([name]) => {
        const { databaseUrl, databaseAppUrl, databaseQueueUrl } = readConfig(environmentOf(name));
        return [name, [databaseUrl, databaseAppUrl, databaseQueueUrl].map(hostOf)];
      }),
    );
    expect(hosts).toEqual({
      prepare: ["postgres", "pgbouncer:6432", "postgres"],
      "serve-1": [null, "pgbouncer:6432", null],
      "serve-2": [null, "pgbouncer:6432", null],
      worker: [null, "pgbouncer:6432", "postgres"],
    });
    expect(read("compose/pgbouncer.ini")).toMatch(/^pool_mode = transaction$/m);
    expect(read("compose/pgbouncer.ini")).toMatch(/^listen_port = 6432$/m);
  });

  test("a bucket and a mail server can be named in the file of settings", () => {
    const bucket = { S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "countersign", S3_REGION: "eu-central-1" };
    const more = { ...bucket, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret", SMTP_URL: "smtps://user:password@mail.example.com" };
    expect(readConfig(composeWith({ ...FILLED_IN, ...more }).services.worker?.environment ?? {})).toMatchObject({
      s3: { endpoint: "https://s3.example.com", bucket: "countersign" },
      smtp: { host: "mail.example.com", secure: true },
    });
  });

  test("the example of settings names everything that must be filled in, and nothing that is not used", () => {
    const asked = [...text.matchAll(/\$\{(\w+)(:\?)?/g)].map(([, name = "", mark]) => ({ name, isRequired: mark === ":?" }));
    const offered = [...read("compose.env.example").matchAll(/^(# )?(\w+)=/gm)].map(([, hash, name = ""]) => ({
      name,
      isSet: hash === undefined,
    }));
    const required = new Set(asked.filter(({ isRequired }) => isRequired).map(({ name }) => name));
    expect(new Set(offered.filter(({ isSet }) => isSet).map(({ name }) => name))).toEqual(required);
    expect(offered.filter(({ name }) => !asked.some((one) => one.name === name))).toEqual([]);
  });
});

describe("deploy/Dockerfile and deploy/systemd/", () => {
  test("the image sets settings that exist, and runs as the account to which its folder belongs", () => {
    const dockerfile = read("Dockerfile");
    const set = [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = ""]) => pairs.split(" ").map((pair) => pair.split("=")));
    const environment = Object.fromEntries(set);
    expect(unknownIn(Object.keys(environment))).toEqual([]);
    expect(readConfig({ ...SETTINGS, ...environment })).toMatchObject({ dataDir: "/var/lib/countersign", host: "0.0.0.0", port: 3000 });
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toMatch(/^EXPOSE 3000$/m);
  });

  test.each(readdirSync(`${deploy}systemd`))("%s sets settings that exist", (unit) => {
    const set = [...read(`systemd/${unit}`).matchAll(/^Environment=(\w+)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]);
    expect(set.length).toBeGreaterThan(0);
    expect(unknownIn(set.map(([name = ""]) => name))).toEqual([]);
    expect(readConfig({ ...SETTINGS, ...Object.fromEntries(set) }).dataDir).toBe("/var/lib/countersign");
  });
});

interface Values {
  readonly settings: Readonly<Record<string, string>>;
  readonly secretSettings: readonly string[];
}

describe("deploy/helm/", () => {
  const templates = readdirSync(`${deploy}helm/templates`).filter((name) => name !== "NOTES.txt");
  const values: readonly Values[] = ["values.yaml", "values.test.yaml"].map((name) => parse(read(`helm/${name}`)));

  test.each(templates)("templates/%s names settings that exist, and is YAML without its directives", (name) => {
    const text = read(`helm/templates/${name}`);
    const names = [...text.matchAll(/^ *- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, setting = ""]) => setting);
    const keys = [...text.matchAll(/^ *key: ([A-Z][A-Z0-9_]+)$/gm)].map(([, setting = ""]) => setting);
    expect(unknownIn([...names, ...keys])).toEqual([]);
    // A line with nothing but a directive is left out, and a directive in a line becomes a word. Each piece of the helpers is a document.
    const bare = text
      .replaceAll(/^ *\{\{-? define .*\}\}$/gm, "---")
      .replaceAll(/^ *\{\{-?.*\}\}\n/gm, "")
      .replaceAll(/\{\{-?.*?\}\}/g, "word");
    expect(parseAllDocuments(bare).flatMap((part) => ("errors" in part ? part.errors : []))).toEqual([]);
  });

  test("the values name settings that exist, and no secret as a plain value", () => {
    for (const { settings: set, secretSettings } of values) {
      expect(unknownIn([...Object.keys(set), ...secretSettings])).toEqual([]);
      expect(Object.keys(set).filter((name) => secretNames.includes(name))).toEqual([]);
      expect(secretSettings.filter((name) => !secretNames.includes(name))).toEqual([]);
    }
  });
});

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
}

interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: Container[]; readonly initContainers?: Container[] } } };
}

const hasHelm = spawnSync("helm", ["version"]).status === 0;
if (!hasHelm) process.stdout.write("the rendered chart: not checked, helm is not installed\n");

describe.skipIf(!hasHelm)("deploy/helm/, rendered (needs helm)", () => {
  const helm = (...args: string[]) => spawnSync("helm", args, { cwd: `${deploy}helm`, encoding: "utf8" });
  const render = (...args: string[]) => helm("template", "try", ".", "--values", "values.test.yaml", ...args);

  test("each container gets settings that exist and that the service accepts", () => {
    const { stdout, stderr } = render();
    expect(stderr).toBe("");
    const manifests: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJSON());
    const pods = manifests.filter(({ kind }) => ["Deployment", "Job"].includes(kind)).map(({ spec }) => spec.template.spec);
    const containers = pods.flatMap(({ containers: main, initContainers = [] }) => [...initContainers, ...main]);
    const urls = containers.map(({ name, args, env }) => {
      const given = Object.fromEntries(
        env.map(({ name: setting, value, valueFrom }) => [setting, value ?? SECRETS[valueFrom?.secretKeyRef.key ?? ""]]),
      );
      expect(unknownIn(Object.keys(given)), name).toEqual([]);
      expect(
        env.filter(({ name: setting, valueFrom }) => (valueFrom === undefined) === secretNames.includes(setting)),
        name,
      ).toEqual([]);
      const config = readConfig(given);
      expect(config).toMatchObject({ metrics: { port: 9464, host: "0.0.0.0" }, s3: { bucket: "countersign" } });
      return [args.join(" "), config.databaseUrl !== null, config.databaseAppUrl !== null, config.databaseQueueUrl !== null];
    });
    expect(urls.sort()).toEqual([
      ["database logins", true, true, true],
      ["migrate", true, true, true],
      ["serve", false, true, false],
      ["worker", false, true, true],
    ]);
  });

  test.each([
    ["no image", ["--set", "image.repository="], "Set image.repository"],
    ["no address", ["--set", "settings.PUBLIC_URL="], "Set settings.PUBLIC_URL"],
    ["no place for documents", ["--set", "documentsClaim=,settings.S3_ENDPOINT="], "Set documentsClaim"],
  ])("with %s it says what to set", (_name, args, says) => {
    expect(render(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  });
});
