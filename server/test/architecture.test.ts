import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as lists from "@countersign/client/lists";
import { describe, expect, test } from "vitest";

/** Packages that only their own room can import, so that each can be replaced in one place. */
const packages: Record<string, readonly string[]> = {
  pg: ["db", "jobs"],
  "pg-copy-streams": ["db"],
  "sql-template-tag": ["db"],
  fastify: ["http", "main", "add-public-routes", "readiness", "service"],
  "graphile-worker": ["jobs"],
  jose: ["accounts", "embed"],
  "openid-client": ["sso"],
  "@node-rs/argon2": ["proofs"],
  "@simplewebauthn/server": ["proofs"],
  typebox: [
    "audit-sinks",
    "backup",
    "failed-jobs",
    "bulk",
    "http",
    "events",
    "accounts",
    "orgs",
    "sandbox",
    "sso",
    "keys",
    "customers",
    "documents",
    "templates",
    "envelopes",
    "forms",
    "signing",
    "embed",
    "mail",
    "webhooks",
    "transparency",
    "vault",
    "views",
    "notifications",
    "tags",
  ],
  aws4fetch: ["secrets", "storage"],
  nodemailer: ["mail"],
  "@fastify/busboy": ["http"],
  "ipaddr.js": ["http", "outbound"],
  "prom-client": ["metrics"],
  pino: ["logger", "http", "main", "readiness", "service"],
  "@libpdf/core": ["pdf"],
  "@hyzyla/pdfium": ["pdf"],
  "@jsquash/webp": ["pdf"],
  pkijs: ["pdf"],
  asn1js: ["pdf", "verify"],
  // the verifier's page, in place of node:crypto
  "@noble/curves": ["verify"],
  "@noble/hashes": ["verify"],
  buffer: ["verify"],
  "bidi-js": ["pdf"],
  uqr: ["pdf", "web/console"],
  // our own workspace pdf/inflate, which replaces the package of that name
  pako: ["pdf"],
  "@modelcontextprotocol/server": ["mcp"],
  zod: ["mcp"],
  // of partners' pages, not of ours
  react: ["embed-react"],
  vue: ["embed-vue"],
  preact: ["web/sign", "web/vault", "web/party", "web/console", "web/status", "web/form", "web/preview", "web/pages", "web/ui"],
  "@preact/signals": ["web", "web/sign", "web/vault", "web/party", "web/console", "web/preview", "web/pages", "web/ui", "web/i18n"],
};

const root = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Which room can import which, from `rooms ──► others` in ARCHITECTURE.md. A new arrow needs its reason in docs/decisions. */
const arrows: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...textOf("ARCHITECTURE.md").matchAll(/(?:^|; )([\w/, -]+?) ──► ([\w/, -]+)/gm)].flatMap(([, rooms = "", others = ""]) =>
    rooms.split(", ").map((room) => [room, others === "nothing" ? [] : others.split(", ")]),
  ),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  /** loaded on demand with import() */
  readonly lazy: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|vite\.config\.ts$|^(dist|test|browser|node_modules)\//.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm);
  return [...statements].map((match) => ({
    from: file,
    to: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined,
    lazy: match[4] !== undefined,
  }));
}

/** The folder in server/src, or the file itself if it is directly in it; for other workspaces, the workspace's name. */
function roomOf(file: string): string {
  if (file.startsWith("server/src/")) return file.slice("server/src/".length).split("/")[0]?.replace(/\.ts$/, "") ?? "";
  const [workspace = "", folder = ""] = file.split("/");
  if (workspace === "embed") return "elements";
  if (workspace === "cli") return "integrator-cli";
  return workspace === "web" && !folder.includes(".") ? `web/${folder}` : workspace;
}

function target({ from, to }: Import): string | null {
  if (to.startsWith(".")) return roomOf(relative(root, resolve(root, dirname(from), to)));
  if (to.startsWith("@countersign/embed")) return "elements";
  if (to.startsWith("@countersign/")) return to.slice("@countersign/".length).split("/")[0] ?? null;
  return null;
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}

const files = [
  "server/src",
  "csv/src",
  "evidence/src",
  "fields/src",
  "pdf/src",
  "cli/src",
  "client/src",
  "mcp/src",
  "verify/src",
  "verify/page",
  "web",
  "embed/src",
  "embed-react/src",
  "embed-vue/src",
].flatMap(sourceFiles);
const imports = files.flatMap(importsOf);

describe("the import arrows", () => {
  const roomFault = (room: string): string | null =>
    Object.hasOwn(arrows, room) ? null : `${room} is a new room: give it a line in ARCHITECTURE.md, in "Where things are" and in "Arrows"`;

  function arrowFault(one: Import): string | null {
    const [from, to] = [roomOf(one.from), target(one)];
    if (to === null || from === to || arrows[from]?.includes(to) || arrows[from]?.includes("everything")) return null;
    return `${one.from} imports ${one.to}: ${from} does not import ${to}. Move the code, or see CONTRIBUTING.md, "permit an import"`;
  }

  function packageFault({ from, to }: Import): string | null {
    if (to.startsWith(".") || to.startsWith("node:") || to.startsWith("@countersign/")) return null;
    if (packages[packageOf(to)]?.includes(roomOf(from))) return null;
    return `${from} imports the package ${packageOf(to)}, which is not for ${roomOf(from)}: see the packages of server/test/architecture.test.ts`;
  }

  test("every room is in the table, and every room of the table exists", () => {
    expect([...new Set(files.map(roomOf))].flatMap((room) => roomFault(room) ?? [])).toEqual([]);
    expect(Object.keys(arrows).filter((room) => !files.map(roomOf).includes(room))).toEqual([]);
  });

  test("every import follows an arrow in the table", () => {
    expect(imports.flatMap((one) => arrowFault(one) ?? [])).toEqual([]);
  });

  test("every arrow in the table is used", () => {
    const used = new Set(imports.map((one) => `${roomOf(one.from)} → ${target(one)}`));
    const unused = Object.entries(arrows).flatMap(([from, tos]) =>
      tos.filter((to) => to !== "everything" && !used.has(`${from} → ${to}`)).map((to) => `${from} → ${to}`),
    );
    expect(unused).toEqual([]);
  });

  test("a package is imported only by its own rooms, and every package is in the table", () => {
    expect(imports.flatMap((one) => packageFault(one) ?? [])).toEqual([]);
  });

  test("there are no import cycles between files", () => {
    const edges = new Map<string, string[]>();
    for (const { from, to } of imports) {
      if (to.startsWith(".")) edges.set(from, [...(edges.get(from) ?? []), relative(root, resolve(root, dirname(from), to))]);
    }
    expect(findCycle(edges), "these files import each other in a circle: move what they share into a file of its own").toBeNull();
  });

  test("the service loads no PDF library: its imports from pdf/ are for callers and do not load one", () => {
    const ofPdf = imports.filter(({ from, to }) => from.startsWith("server/src/") && to.startsWith("@countersign/pdf"));
    expect(new Set(ofPdf.map(({ to }) => to))).toEqual(new Set(["@countersign/pdf/pool", "@countersign/pdf/fit"]));
    // These are exceptions. Sealing happens where the key is, so the libraries for certificates and signatures are loaded, but they never
    // see a PDF. Neither does the one that orders text of mixed scripts.
    const others = ["asn1js", "pkijs", "bidi-js", "@countersign/fields/fit"];
    const reached = new Set(["pdf/src/pool-exports.ts", "pdf/src/fit-exports.ts"]);
    for (const file of reached) {
      for (const { to, typeOnly } of importsOf(file)) {
        if (typeOnly || to.startsWith("node:") || others.includes(to)) continue;
        expect(to, file).toMatch(/^\./);
        reached.add(relative(root, resolve(root, dirname(file), to)));
      }
    }
    expect(reached.size).toBeGreaterThan(5);
  });

  test("a command for orgs and keys loads only the packages of the database: not HTTP, the queue or PDFs", () => {
    const reached = new Set(["server/src/cli.ts", "server/src/administration.ts"]);
    const loaded = new Set<string>();
    for (const file of reached) {
      for (const { to, typeOnly, lazy } of importsOf(file)) {
        if (typeOnly || lazy || to.startsWith("node:")) continue;
        if (to.startsWith(".")) reached.add(relative(root, resolve(root, dirname(file), to)));
        else loaded.add(packageOf(to));
      }
    }
    expect([...loaded].sort()).toEqual(["pg", "sql-template-tag"]);
  });

  test("the checks can fail: a new room, a wrong import, a wrong package and a cycle are found, with the place to look", () => {
    const stray = { from: "server/src/shared/ids.ts", to: "../keys/key.ts", typeOnly: false, lazy: false };
    expect(arrowFault(stray)).toBe(
      'server/src/shared/ids.ts imports ../keys/key.ts: shared does not import keys. Move the code, or see CONTRIBUTING.md, "permit an import"',
    );
    expect(packageFault({ ...stray, to: "pg" })).toBe(
      "server/src/shared/ids.ts imports the package pg, which is not for shared: see the packages of server/test/architecture.test.ts",
    );
    expect(roomFault("drawer")).toContain("drawer is a new room: give it a line");
    expect([roomFault("shared"), arrowFault({ ...stray, to: "./slugs.ts" }), packageFault({ ...stray, to: "node:fs" })]).toEqual([
      null,
      null,
      null,
    ]);
    expect(
      findCycle(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["a"]],
        ]),
      ),
    ).toEqual(["a", "b", "c", "a"]);
    expect(importsOf("server/src/main.ts").map((one) => one.to)).toContain("./http/server.ts");
  });
});

describe("evidence", () => {
  /** What would give another result tomorrow, or on another machine. */
  const CLOCK_OR_CHANCE =
    /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync)\b|getRandomValues|performance\.now|\bprocess\./;

  function clockFault(file: string, text: string): string | null {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const [found] = code.match(CLOCK_OR_CHANCE) ?? [];
    return found === undefined ? null : `${file} uses ${found}: take the time or the bytes as an argument (ARCHITECTURE.md, rule 6)`;
  }

  test("reads no clock, no randomness and nothing of the process", () => {
    const ofEvidence = files.filter((file) => file.startsWith("evidence/src/"));
    expect(ofEvidence.length).toBeGreaterThan(20);
    expect(ofEvidence.flatMap((file) => clockFault(file, textOf(file)) ?? [])).toEqual([]);
  });

  test("the check can fail: a clock in the code is refused, and one in a comment is not", () => {
    expect(clockFault("evidence/src/chain.ts", "const at = new Date().toISOString();")).toBe(
      "evidence/src/chain.ts uses new Date(): take the time or the bytes as an argument (ARCHITECTURE.md, rule 6)",
    );
    for (const text of ["Date.now()", "crypto.getRandomValues(salt)", "randomBytes(32)", "process.env.TZ"])
      expect(clockFault("evidence/src/chain.ts", text), text).toContain("(ARCHITECTURE.md, rule 6)");
    expect(clockFault("evidence/src/chain.ts", "// salt: randomBytes(32)\nconst at = new Date(facts.at);")).toBeNull();
  });
});

describe("the pages and the API", () => {
  const ofPages = imports.filter(({ from, to }) => from.startsWith("web/") && to.startsWith("@countersign/client"));

  test("pages import only plain data of the field types, which the build inlines, and the lines and print of a value; never the table", () => {
    const ofFields = imports.filter(({ from, to }) => from.startsWith("web/") && to.startsWith("@countersign/fields"));
    expect(new Set(ofFields.map(({ to }) => to))).toEqual(
      new Set(["@countersign/fields/pages", "@countersign/fields/fit", "@countersign/fields/print"]),
    );
  });

  test("pages import only generated code of the client, and nothing that sends requests", () => {
    const generated = ["types", "lists", "operations", "pages"].map((name) => `@countersign/client/${name}`);
    expect(ofPages.filter(({ to }) => !generated.includes(to))).toEqual([]);
  });

  test("pages for signers contain no table of operations: outside the console only types are imported", () => {
    expect(ofPages.filter(({ from, typeOnly }) => roomOf(from) !== "web/console" && !typeOnly)).toEqual([]);
  });

  test("no api.ts exports a shape: response types are generated", () => {
    const shapes = files.filter((file) => /^web\/.*\bapi\.ts$/.test(file)).filter((file) => /^export interface /m.test(textOf(file)));
    expect(shapes).toEqual([]);
  });

  test("no type repeats four members of a generated one: they are taken from it, with Pick", () => {
    const found = files
      .filter((file) => file.startsWith("web/") && !file.startsWith("web/test/"))
      .flatMap((file) => repeatedShapes(textOf(file)).map((repeated) => `${file}: ${repeated}`));
    expect(found).toEqual([]);
  });

  test("the check can fail: it finds an interface and a type, whatever their other members are, but not three members", () => {
    const members =
      "  readonly name: string;\n  /** when */\n  readonly created_at: string;\n  readonly view: unknown;\n  readonly role: Role;\n";
    expect(repeatedShapes(`interface Row {\n${members}  readonly user_id: string;\n}`)).toEqual([]);
    const member = "  readonly user_id: string;\n  email: string;\n  readonly name: string;\n  readonly role: Role;\n";
    expect(repeatedShapes(`export interface Row {\n  readonly open: boolean;\n${member}}`)).toEqual(["Row repeats Member"]);
    expect(repeatedShapes(`type Row = {\n${member}};`)).toEqual(["Row repeats Member"]);
    expect(
      repeatedShapes(`interface Row extends Pick<Member, "user_id" | "email" | "name" | "role"> {\n  readonly open: boolean;\n}`),
    ).toEqual([]);
  });

  test("no list of scopes, locales, field types, statuses or other API values is written by hand", () => {
    const found = files
      .filter((file) => file.startsWith("web/"))
      .flatMap((file) => handWritten(textOf(file)).map((list) => `${file}: ${list}`));
    expect(found).toEqual([]);
  });

  test("the check can fail: it finds a union, an array and pairs with labels in any order, but not part of a list", () => {
    expect(handWritten('type Locale = "de" | "en" | "fr" | "es";')).toEqual(["locales"]);
    expect(
      handWritten('const roles = [\n  "viewer",\n  "auditor",\n  "custodian",\n  "member",\n  "security_admin",\n  "admin",\n] as const;'),
    ).toEqual(["roles"]);
    expect(handWritten('[\n  ["", "Any"],\n  ["light", "Light"],\n  ["dark", "Dark"],\n  ["auto", "As the device"],\n]')).toEqual([
      "brandingSchemes",
    ]);
    expect(handWritten('const some = ["viewer", "member"];')).toEqual([]);
  });
});

// Names of one or two members that are the same are a coincidence.
const MIN_REPEATED = 4;

type Shape = readonly [name: string, members: ReadonlySet<string>];

/**
 * Interfaces and object types with their members, as "name: type". Ids and times count as texts, and numbers are left out: most are places
 * on a page.
 */
function shapesIn(text: string): Shape[] {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const found = plain.matchAll(/^(?:export )?(?:interface (\w+)[^{\n]*|type (\w+)[^={\n]*= (?:Readonly<)?)\{\n([\s\S]*?)^\}/gm);
  return [...found].map(([, asInterface, asType, body = ""]) => {
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??: (.*);$/gm)].map(([, name, type = ""]) => `${name}: ${textType(type)}`);
    return [asInterface ?? asType ?? "", new Set(members.filter((member) => !member.endsWith(": number")))] as const;
  });
}

const textType = (type: string): string =>
  type
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\b(?:\w+Id|Timestamp|Sha256|Name|Label|Email)\b/g, "string")
    .replace(" | undefined", "");

const generatedShapes = ["types", "pages"].flatMap((name) => shapesIn(textOf(`client/src/generated/${name}.ts`)));

/** Types that have several members of a generated type. */
function repeatedShapes(text: string): string[] {
  return shapesIn(text).flatMap(([name, members]) => {
    const shared = generatedShapes.map(([of, all]) => [of, [...members].filter((member) => all.has(member)).length] as const);
    const [of, count] = shared.reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0] as const);
    return count >= MIN_REPEATED ? [`${name} repeats ${of}`] : [];
  });
}

/** Two values are not a list. Three or more are a list that can grow without the page being updated. */
const known = Object.entries(lists).filter(([, values]) => values.length > 2);

/** The generated lists that a text repeats: as a union, as an array, or as pairs of a value and its label. */
function handWritten(text: string): string[] {
  const unions = text.match(/(?:"[^"]*"\s*\|\s*)+"[^"]*"/g) ?? [];
  const arrays = text.match(/\[\s*(?:"[^"]*"\s*,?\s*)+\]/g) ?? [];
  const pairs = text.match(/(?:\[\s*"[^"]*",[^[\]]*\],?\s*)+/g) ?? [];
  const spelled = [
    ...[...unions, ...arrays].map((found) => found.match(/"[^"]*"/g) ?? []),
    ...pairs.map((found) => [...found.matchAll(/\[\s*("[^"]*")/g)].map((match) => match[1] ?? "")),
  ].map((quoted) => new Set(quoted.map((value) => value.slice(1, -1)).filter((value) => value !== "")));
  return known
    .filter(([, values]) => spelled.some((set) => set.size === values.length && values.every((value) => set.has(value))))
    .map(([name]) => name);
}

/** What features stand on; their rules are in ARCHITECTURE.md and docs/. */
const FLOOR = ["cli", "db", "http", "shared"];

test("main.ts is tables, in fewer than 300 lines", () => {
  expect(textOf("server/src/main.ts").split("\n").length).toBeLessThan(300);
});

test("every feature has a README of at most twelve lines", () => {
  const rooms = new Set(files.flatMap((file) => /^server\/src\/([^/]+)\//.exec(file)?.[1] ?? []));
  for (const room of rooms) {
    if (FLOOR.includes(room)) continue;
    const lines = textOf(`server/src/${room}/README.md`).trim().split("\n");
    expect(lines.length, room).toBeLessThanOrEqual(12);
  }
});

const ofServer = files.filter((file) => file.startsWith("server/src/"));
const faultsOf = (judge: (file: string, text: string) => string | null): string[] =>
  ofServer.flatMap((file) => judge(file, textOf(file)) ?? []);

describe("where SQL is", () => {
  /** Rooms that are not features and whose purpose is a few statements. */
  const ownStatements: Readonly<Record<string, string>> = {
    db: "connections, migrations and logins are made of statements",
    audit: "appends and reads the chain, and nothing else",
    events: "appends one row",
    jobs: "the outbox, the relay and the heartbeat are statements",
    http: "quotas and stored answers belong to the edge, not to a feature",
  };

  function sqlFault(file: string, text: string): string | null {
    if (
      !/\bsql`|\bsql as |\bnamed\([^()]*\)`|\.query[<(]/.test(text) ||
      Object.hasOwn(ownStatements, roomOf(file)) ||
      /[/-]store\.ts$/.test(file)
    )
      return null;
    return `${file} holds SQL: move the statement to store.ts or <noun>-store.ts of ${roomOf(file)}/ (CONTRIBUTING.md, Names)`;
  }

  test("only in store.ts and <noun>-store.ts of a feature, and in five rooms below them", () => {
    expect(faultsOf(sqlFault)).toEqual([]);
    for (const room of Object.keys(ownStatements)) expect(ofServer.map(roomOf), room).toContain(room);
  });

  test("the check can fail: a statement in an operation is refused, with the place where it belongs", () => {
    const statement = "await tx.query(sql`select 1`);";
    expect(sqlFault("server/src/keys/rotate-key.ts", statement)).toBe(
      "server/src/keys/rotate-key.ts holds SQL: move the statement to store.ts or <noun>-store.ts of keys/ (CONTRIBUTING.md, Names)",
    );
    expect(sqlFault("server/src/main.ts", 'await tx.query({ name: "one", text: "select 1", values: [] })')).toContain("holds SQL");
    expect(sqlFault("server/src/keys/rotate-key.ts", 'import { sql as statement } from "../db/sql.ts";')).toContain("holds SQL");
    expect(sqlFault("server/src/keys/store.ts", statement)).toBeNull();
    expect(sqlFault("server/src/webhooks/delivery-store.ts", statement)).toBeNull();
  });

  /** The names and texts of the statements that PostgreSQL plans once per connection. */
  const namedStatements = (text: string): [name: string, statement: string][] =>
    [...text.matchAll(/\bnamed\("([^"]+)"\)`([^`]*)`/g)].map(([, name = "", statement = ""]) => [name, statement]);
  const listsAll = (statement: string): boolean => /(?:\bselect\s+|\.|,\s*|returning\s+)\*/i.test(statement);

  test("a named statement has a name of its own and lists its columns", () => {
    const all = ofServer.filter((file) => !file.endsWith(".test.ts")).flatMap((file) => namedStatements(textOf(file)));
    const names = all.map(([name]) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(all.filter(([, statement]) => listsAll(statement))).toEqual([]);
  });

  test("the check can fail: a statement that selects all columns is found", () => {
    expect(namedStatements('read.query(named("one")`select * from a`)')).toEqual([["one", "select * from a"]]);
    expect(["select * from a", "select a.*, b.c from a", "delete from a returning *"].map(listsAll)).toEqual([true, true, true]);
    expect(["select count(*) from a", "select a * b from a"].map(listsAll)).toEqual([false, false]);
  });

  /** Only one function writes the `status` of an envelope. The types keep it out of other columns: envelopes/moves.test.ts. */
  const writesEnvelopes = (file: string, text: string): string | null =>
    /\b(?:update|insert\s+into|delete\s+from)\s+(?:only\s+)?(?:public\.)?"?envelopes\b/i.test(text) &&
    file !== "server/src/envelopes/store.ts"
      ? `${file} writes envelopes: use moveEnvelope or updateEnvelope of envelopes/store.ts`
      : null;

  /** How often a text sets the status of an envelope. */
  const setsStatus = (text: string): number => [...text.matchAll(/\bset\b(?:(?!\bwhere\b)[^`;])*?\bstatus\s*=/gi)].length;

  test("only one file writes envelopes, and only one statement of it sets the status", () => {
    expect(faultsOf(writesEnvelopes)).toEqual([]);
    expect(setsStatus(textOf("server/src/envelopes/store.ts"))).toBe(1);
  });

  test("the check can fail: however the statement is spelled", () => {
    for (const statement of [
      "update envelopes set status = 'vaulted'",
      "UPDATE envelopes SET status = 'vaulted'",
      "update\n  public.envelopes set status = 'vaulted'",
      "insert into envelopes (status) values ('vaulted') on conflict do update set status = 'vaulted'",
      "delete from envelopes",
    ]) {
      expect(writesEnvelopes("server/src/vault/store.ts", statement), statement).toBe(
        "server/src/vault/store.ts writes envelopes: use moveEnvelope or updateEnvelope of envelopes/store.ts",
      );
    }
    expect(writesEnvelopes("server/src/vault/store.ts", "select status from envelopes")).toBeNull();
    expect(setsStatus("sql`update envelopes set status = $1`; sql`update envelopes set sent_at = now(), status = 'sent'`")).toBe(2);
    expect(setsStatus("sql`update envelopes set sent_at = now() where status = 'sent'`")).toBe(0);
  });
});

describe("names", () => {
  /** `find…` throws if there is nothing. A function that returns null is called `lookUp…`. The type is written down, so it can be seen. */
  function findFault(file: string, text: string): string | null {
    for (const declared of text.matchAll(/\b(?:function\*?|const) (find[A-Z]\w*)(?:<[^(]*>)?(?: = (?:async )?)?(?=\()/g)) {
      const name = declared[1];
      const after = text.slice(endOfBrackets(text, declared.index + declared[0].length));
      const [, type] = /^\s*:\s*([^=]*?)\s*(?:\{(?=\n|$)|=>)/.exec(after) ?? [];
      if (type === undefined) return `${file}: ${name} does not declare what it returns (CONTRIBUTING.md, Names)`;
      if (/\|\s*(?:null|undefined)\b/.test(type))
        return `${file}: ${name} can give nothing. Call it lookUp…, or throw the 404 (CONTRIBUTING.md, Names)`;
    }
    return null;
  }

  /** The place after the bracket that closes the one at `from`. */
  function endOfBrackets(text: string, from: number): number {
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if ("([{".includes(text[at] ?? "")) depth++;
      else if (")]}".includes(text[at] ?? "") && --depth === 0) return at + 1;
    }
    return text.length;
  }

  test("a find function never returns null", () => {
    expect(faultsOf(findFault)).toEqual([]);
  });

  test("the check can fail: by the declared type, on one line or several", () => {
    const one = "export async function findKey(read: Read, org: OrgId): Promise<Key | null> {";
    const several = "export function findKey(\n  read: Read,\n  org: OrgId,\n): Key | undefined {";
    const says = "server/src/keys/store.ts: findKey can give nothing. Call it lookUp…, or throw the 404 (CONTRIBUTING.md, Names)";
    const taken = "export const findKey = async ({ read, org }: { read: Read; org: OrgId }): Promise<Key | null> => lookUp(read, org);";
    expect([one, several, taken].map((text) => findFault("server/src/keys/store.ts", text))).toEqual([says, says, says]);
    expect(findFault("server/src/keys/store.ts", "const findKey = (org: OrgId) => keys.get(org) ?? null;")).toBe(
      "server/src/keys/store.ts: findKey does not declare what it returns (CONTRIBUTING.md, Names)",
    );
    expect(findFault("server/src/keys/store.ts", one.replace(" | null", ""))).toBeNull();
    expect(findFault("server/src/keys/store.ts", one.replace("findKey", "lookUpKey"))).toBeNull();
  });

  /** First words of files that hold a thing or several operations. Every other file of two or more words is named after its operation. */
  const NOUNS = new Set(
    (
      "address built cli csv delivery document domain email embed ended endpoint event evidence factor failed fair field file form http if input instance job json " +
      "known log long member name new openapi p12 page party passkey password pdf person placement plain provider queue recipient retriable retry sealed search self served server service session " +
      "signed signer tag to transfer unknown value vault visitor web wire"
    ).split(" "),
  );

  function fileFault(file: string, text: string): string | null {
    const name = file.slice(file.lastIndexOf("/") + 1, -".ts".length);
    const [first = "", ...rest] = name.split("-");
    if (rest.length === 0 || name.endsWith("-store") || NOUNS.has(first)) return null;
    const operation = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${operation}\\b`, "m").test(text)
      ? null
      : `${file} does not export ${operation}: name the file after its operation, or after a noun if it holds several (CONTRIBUTING.md, Names)`;
  }

  test("a file of several words exports the operation of that name, unless it begins with a noun", () => {
    expect(faultsOf(fileFault)).toEqual([]);
  });

  test("the check can fail: a file that exports only other names is refused", () => {
    const file = "server/src/templates/create-template.ts";
    expect(fileFault(file, "export async function prepareTemplate() {}")).toBe(
      `${file} does not export createTemplate: name the file after its operation, or after a noun if it holds several (CONTRIBUTING.md, Names)`,
    );
    expect(fileFault(file, "export const createTemplate = { prepare, save };")).toBeNull();
    expect(fileFault("server/src/http/parse-json.ts", "export class Nesting {}")).toContain("does not export parseJson");
    expect(fileFault("server/src/accounts/session-token.ts", "export function signSessionToken() {}")).toBeNull();
  });
});

function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
