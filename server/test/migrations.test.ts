import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * Migrations run while the program of before still serves. From `FIRST` on, a file says in which phase of an upgrade it runs and how: `expand`
 * leaves everything that this program uses in place, and `contract` may take away what only earlier programs use. Neither may block writers
 * for longer than a moment. CONTRIBUTING.md, "Migrations", says what to write instead.
 */
const FIRST = 96;

/** Rules that a file may break, with the reason. `says`: how the rule begins. */
const exceptions: readonly { readonly file: string; readonly says: string; readonly because: string }[] = [
  {
    file: "0113-note-works-with.sql",
    says: "works-with of an expand file",
    because: "programs from before do not read the column, and refuse every database that is newer",
  },
  {
    file: "0141-verify-copies-by-slice.sql",
    says: "a unique index and a foreign key have org_id",
    because: "a slice has records of every organization; each database has its own 64",
  },
  {
    file: "0155-index-events.sql",
    says: "an index on an existing table is created concurrently",
    because: "PostgreSQL cannot on a partitioned table. No release has this file without a stop: the upgrade to 0.2.0 needs one",
  },
  {
    file: "0150-make-sandboxes.sql",
    says: "a unique index and a foreign key have org_id",
    because: "a sandbox is kept where its organization is",
  },
  // No release has this file without a stop: the upgrade to 0.2.0 needs one.
  ...[
    ["works-with of an expand file", "programs from before delete deliveries row by row, by a function that it drops"],
    ["nothing is dropped or renamed in expand", "a table becomes the first partition of another one with its name"],
    ["no do block", "the bounds depend on the time and on the rows"],
    ["a unique index and a foreign key have org_id", "leaves of the log have no organization"],
  ].map(([says = "", because = ""]) => ({ file: "0120-partition-large-tables.sql", says, because })),
];

const folder = new URL("../migrations/", import.meta.url);

interface File {
  readonly name: string;
  readonly text: string;
}

/** The statements of a file without comments, without bodies of functions, and without line breaks. */
function statementsOf({ text }: File): string[] {
  return text
    .replace(/--.*$/gm, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "$$body$$")
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim().toLowerCase())
    .filter((statement) => statement !== "");
}

interface Around {
  /** tables that this file creates, which no one uses yet */
  readonly own: ReadonlySet<string>;
  /** statements of this file that come before */
  readonly before: readonly string[];
  /** statements of earlier files */
  readonly earlier: readonly string[];
}

interface Rule {
  readonly says: string;
  readonly isBroken: (statement: string, around: Around) => boolean;
  /** only in files of this phase; in both if it is missing */
  readonly phase?: "expand";
  /** also for the statement of a concurrent file */
  readonly ofConcurrent?: true;
}

const tableOf = (statement: string, before: RegExp): string => (before.exec(statement)?.[1] ?? "").replace(/^public\./, "");
const altered = (statement: string): string => tableOf(statement, /^alter table (?:if exists )?(?:only )?([\w.]+)/);
const created = (statement: string): string => tableOf(statement, /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/);
const altersOther = (statement: string, { own }: Around): boolean => statement.startsWith("alter table") && !own.has(altered(statement));

/** What is between commas that are in no brackets. */
function partsOf(list: string): string[] {
  let depth = 0;
  const parts = [""];
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim());
}

/** The actions of `alter table`, such as `add column …`. */
const actionsOf = (statement: string): string[] =>
  partsOf(statement.replace(/^alter table (?:if exists )?(?:only )?[\w.]+ /, "").replace(/^\((.*)\)$/, "$1"));
const anyAction = (statement: string, around: Around, is: (action: string) => boolean): boolean =>
  altersOther(statement, around) && actionsOf(statement).some(is);

// Without their brackets they are the time at which the transaction began. The others are types.
const STABLE = new Set(["now", "transaction_timestamp", "statement_timestamp", "numeric", "varchar", "char", "interval"]);

/** A default that PostgreSQL may have to calculate for each row. */
function isCalculated(action: string): boolean {
  if (!/^add (column )?/.test(action)) return false;
  if (/\b(small|big)?serial\b|\bas identity\b|\bgenerated always as \(/.test(action)) return true;
  const value = /\bdefault (.*)$/.exec(action)?.[1] ?? "";
  return [...value.matchAll(/([\w.]+) ?\(/g)].some(([, name = ""]) => !STABLE.has(name));
}

/** An earlier file added the check that the column has a value, and validated it. Then nothing is read. */
function isProvedNotNull(table: string, column: string, { earlier }: Around): boolean {
  const added = new RegExp(`^alter table (?:only )?${table} .*\\badd constraint (\\w+) check \\( ?${column} is not null ?\\) not valid`);
  const names = earlier.flatMap((one) => added.exec(one)?.[1] ?? []);
  return names.some((name) => earlier.some((one) => altered(one) === table && one.includes(`validate constraint ${name}`)));
}

const KEY = /\b(?:primary key|unique(?: nulls (?:not )?distinct)?|foreign key|exclude(?: using \w+)?) ?\(([^)]*)\)/;

/**
 * Whether a column or a constraint makes rows unique, or refers to rows, across organizations. What is unique within one, and refers to rows
 * of the same one, can be kept where the organization is.
 */
function spansOrgs(definition: string): boolean {
  const columns = KEY.exec(definition)?.[1];
  if (columns !== undefined) return !/\borg_id\b/.test(columns);
  const column = /^(?:add )?(?:column )?(?:if not exists )?(\w+)/.exec(definition)?.[1];
  return /\b(primary key|unique|references)\b/.test(definition) && !definition.startsWith("check") && column !== "org_id";
}

const rules: readonly Rule[] = [
  {
    says: "an index on an existing table is created concurrently, in a file of its own",
    isBroken: (statement, around) =>
      (/^create (unique )?index (?!concurrently)/.test(statement) && !around.own.has(tableOf(statement, / on (?:only )?([\w.]+)/))) ||
      anyAction(statement, around, (action) => /^add\b.*\b(unique|primary key|exclude)\b/.test(action) && !/\busing index\b/.test(action)),
  },
  {
    says: "nothing is dropped or renamed in expand",
    phase: "expand",
    isBroken: (statement, around) =>
      /^drop (?!policy if exists)/.test(statement) ||
      /^alter (?!table).*\brename\b/.test(statement) ||
      anyAction(statement, around, (action) => /^(drop (?!not null)|rename )|^alter (column )?\w+ drop (?!not null)/.test(action)),
  },
  {
    says: "no right is taken away in expand",
    phase: "expand",
    isBroken: (statement, around) =>
      /^revoke .* from .*\bcountersign_/.test(statement) ||
      anyAction(statement, around, (action) => /^(enable|force) row level security/.test(action)),
  },
  {
    says: "a type is not changed in expand, because that writes the table anew",
    phase: "expand",
    isBroken: (statement, around) => anyAction(statement, around, (action) => /^alter (column )?\w+ (set data )?type\b/.test(action)),
  },
  {
    says: "set not null reads the whole table while it is locked; validate a check in an earlier file",
    isBroken: (statement, around) =>
      anyAction(statement, around, (action) => {
        const column = /^alter (?:column )?(\w+) set not null/.exec(action)?.[1];
        return column !== undefined && !isProvedNotNull(altered(statement), column, around);
      }),
  },
  {
    says: "a foreign key or a check on an existing table is added as not valid, and validated in a later file",
    isBroken: (statement, around) =>
      anyAction(
        statement,
        around,
        (action) => /^add\b.*\b(foreign key|references|check ?\()/.test(action) && !/\bnot valid\b/.test(action),
      ),
  },
  {
    says: "what is validated was added in an earlier file, before anything else locks the table",
    isBroken: (statement, around) =>
      anyAction(statement, around, (action) => action.startsWith("validate constraint")) &&
      around.before.some((one) => altered(one) === altered(statement) && !/ validate constraint \w+$/.test(one)),
  },
  {
    says: "a new column must not be not null without a default, which the program of before does not write",
    isBroken: (statement, around) =>
      anyAction(
        statement,
        around,
        (action) => /^add (column )?/.test(action) && /\bnot null\b/.test(action) && !/\bdefault\b/.test(action),
      ),
  },
  {
    says: "a default that differs from row to row writes the table anew",
    isBroken: (statement, around) => anyAction(statement, around, isCalculated),
  },
  {
    says: "rows are not changed in a migration; the job db.backfill does that in batches",
    isBroken: (statement, { own }) => {
      const table = tableOf(statement, /^(?:with .*?\) )?(?:update|delete from|truncate(?: table)?|merge into) (?:only )?([\w.]+)/);
      return table !== "" && !own.has(table);
    },
  },
  {
    says: "a table is not locked or written anew as a whole",
    isBroken: (statement) => /^(lock|cluster|vacuum|reindex|refresh materialized)\b/.test(statement),
  },
  {
    says: "no do block, whose statements this test does not read",
    isBroken: (statement) => /^do\b/.test(statement),
  },
  {
    says: "a unique index and a foreign key have org_id, so that organizations can be kept apart",
    ofConcurrent: true,
    isBroken: (statement) => {
      const columns = /^create unique index (?:concurrently )?(?:if not exists )?\w+ on (?:only )?[\w.]+ (?:using \w+ )?\((.*?)\)/.exec(
        statement,
      )?.[1];
      if (columns !== undefined) return !/\borg_id\b/.test(columns);
      if (created(statement) !== "") return partsOf(/\((.*)\)/.exec(statement)?.[1] ?? "").some(spansOrgs);
      return (
        statement.startsWith("alter table") &&
        actionsOf(statement).some((action) => /^add\b/.test(action) && !/\busing index\b/.test(action) && spansOrgs(action))
      );
    },
  },
];

const HEADER = "the file begins with `-- phase: expand|contract` and `-- mode: transaction|concurrent`";

/** What programs of before can do with the schema that the file leaves. */
function worksWithFaults({ name, text }: File, phase: string): string[] {
  const number = /^-- works-with: (.*)$/m.exec(text)?.[1];
  if (number === undefined)
    return phase === "contract" ? ["a contract file says `-- works-with: NNNN`, the earliest program that does not use what it takes"] : [];
  if (!/^\d{4}$/.test(number) || number > name.slice(0, 4)) return ["works-with is the number of this migration or of an earlier one"];
  return phase === "expand" && number === name.slice(0, 4)
    ? ["works-with of an expand file is an earlier number, because the program of before runs on it"]
    : [];
}

function faultsOf(file: File, earlier: readonly string[] = []): string[] {
  const phase = /^-- phase: (expand|contract)$/m.exec(file.text)?.[1];
  const mode = /^-- mode: (transaction|concurrent)$/m.exec(file.text)?.[1];
  if (phase === undefined || mode === undefined) return [HEADER];
  const statements = statementsOf(file);
  const isOneIndex = statements.length === 1 && /^create (unique )?index concurrently \w+ on /.test(statements[0] ?? "");
  if (mode === "concurrent" && !isOneIndex) return ["a concurrent file has one statement, which creates an index concurrently"];
  const own = new Set(statements.map(created).filter((table) => table !== ""));
  const isBroken = (rule: Rule) =>
    statements.some((statement, index) => rule.isBroken(statement, { own, before: statements.slice(0, index), earlier }));
  const broken = rules.filter(
    (rule) =>
      (rule.phase === undefined || rule.phase === phase) && (mode === "transaction" || rule.ofConcurrent === true) && isBroken(rule),
  );
  return [...worksWithFaults(file, phase), ...broken.map(({ says }) => says)];
}

const every: readonly File[] = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
const files = every.filter(({ name }) => Number(name.slice(0, 4)) >= FIRST);

test.each(files)("$name can run while the program of before serves", (file) => {
  const faults = faultsOf(file, every.slice(0, every.indexOf(file)).flatMap(statementsOf));
  const allowed = exceptions.filter((one) => one.file === file.name);
  const isAllowed = (fault: string) => allowed.some(({ says }) => fault.startsWith(says));
  expect(faults.filter((fault) => !isAllowed(fault))).toEqual([]);
  for (const { says } of allowed)
    expect(
      faults.some((fault) => fault.startsWith(says)),
      `the exception "${says}" is needed`,
    ).toBe(true);
});

test("an exception is of a file that exists", () => {
  const names = files.map(({ name }) => name);
  expect(exceptions.filter(({ file }) => !names.includes(file))).toEqual([]);
});

describe("the rules", () => {
  const file = (body: string, phase = "expand", mode = "transaction"): File => ({
    name: "0200-try-it.sql",
    text: `-- phase: ${phase}\n-- mode: ${mode}\n${phase === "contract" ? "-- works-with: 0199\n" : ""}${body}`,
  });
  const withHeader = (line: string, phase = "expand"): File => ({
    name: "0200-try-it.sql",
    text: `-- phase: ${phase}\n-- mode: transaction\n${line}\nselect 1;`,
  });
  const refused: readonly (readonly [what: string, file: File, says: string])[] = [
    ["a file without phase and mode", { name: "0200-try-it.sql", text: "create table t (n int);" }, "the file begins with"],
    ["a contract file that does not say who runs without it", withHeader("", "contract"), "works-with: NNNN"],
    ["a file that works with later programs alone", withHeader("-- works-with: 0201", "contract"), "or of an earlier one"],
    ["a file that works with no number", withHeader("-- works-with: 0.2.0"), "or of an earlier one"],
    ["an expand file that no earlier program works with", withHeader("-- works-with: 0200"), "works-with of an expand file"],
    ["an index that locks a table", file("create index i on envelopes (name);"), "concurrently"],
    [
      "an index that locks a table, after a table of its own",
      file("create table t (n int);\ncreate unique index i on envelopes (org_id, name);"),
      "concurrently",
    ],
    ["an index by way of a constraint", file("alter table envelopes add constraint u unique (org_id, name);"), "concurrently"],
    ["an index by way of a column", file("alter table envelopes add column a text, add column b text unique;"), "concurrently"],
    [
      "two statements without a transaction",
      file("create index concurrently i on t (n); create index concurrently j on t (n);", "expand", "concurrent"),
      "one statement",
    ],
    ["anything but an index without a transaction", file("alter table t add column n int;", "expand", "concurrent"), "one statement"],
    ["a dropped column", file("alter table envelopes drop column name;"), "dropped or renamed"],
    ["a dropped constraint", file("alter table envelopes add column a text, drop constraint c;"), "dropped or renamed"],
    ["a dropped default", file("alter table envelopes alter column status drop default;"), "dropped or renamed"],
    ["a dropped function", file("drop function find_it(text);"), "dropped or renamed"],
    ["a renamed table", file("alter table envelopes rename to papers;"), "dropped or renamed"],
    ["a renamed column", file("alter table envelopes rename column name to title;"), "dropped or renamed"],
    ["a renamed function", file("alter function find_it(text) rename to find_that;"), "dropped or renamed"],
    ["a right that is taken away", file("revoke select on envelopes from countersign_app;"), "right"],
    ["row-level security for a table that had none", file("alter table envelopes enable row level security;"), "right"],
    ["a changed type", file("alter table envelopes alter column name type varchar(10);"), "type"],
    ["set not null", file("alter table envelopes\n  alter column name set not null;"), "set not null"],
    ["set not null in contract", file("alter table envelopes alter column name set not null;", "contract"), "set not null"],
    ["a check that reads the table", file("alter table envelopes add check (name <> '');"), "not valid"],
    ["a new column with a check", file("alter table envelopes add column n int check (n > 0);"), "not valid"],
    [
      "a foreign key that reads two tables",
      file("alter table envelopes add constraint f foreign key (org_id) references orgs;"),
      "not valid",
    ],
    ["a new column that refers to a table", file("alter table envelopes add column org_id text references orgs;"), "not valid"],
    [
      "a check that is validated while it is new",
      file("alter table envelopes add constraint c check (name <> '') not valid;\nalter table envelopes validate constraint c;"),
      "in an earlier file",
    ],
    [
      "a column that the program of before does not write",
      file("alter table envelopes add column a text, add column b text not null;"),
      "default",
    ],
    ["a default for each row", file("alter table envelopes add column a uuid default gen_random_uuid();"), "row to row"],
    ["a default of a function of ours", file("alter table envelopes add column a text default (new_code(8));"), "row to row"],
    ["a number for each row", file("alter table envelopes add column a bigserial;"), "row to row"],
    ["a calculated column", file("alter table envelopes add column a text generated always as (lower(name)) stored;"), "row to row"],
    ["a change of all rows", file("update envelopes set name = '';"), "in batches"],
    ["a deletion", file("delete from envelopes;", "contract"), "in batches"],
    ["a table that is locked", file("lock table envelopes;"), "as a whole"],
    ["what cannot be read", file("do $$ begin drop table envelopes; end $$;"), "do block"],
    ["a key across organizations", file("create table t (org_id text, id text primary key);"), "have org_id"],
    ["a unique pair across organizations", file("create table t (org_id text, a text, b text, unique (a, b));"), "have org_id"],
    [
      "a reference across organizations",
      file("create table t (org_id text, id text references things, primary key (org_id, id));"),
      "have org_id",
    ],
    [
      "a foreign key across organizations",
      file("alter table t add constraint f foreign key (id) references things (id) not valid;"),
      "have org_id",
    ],
    [
      "a unique index across organizations",
      file("create unique index concurrently i on t (lower(slug)) where org_id <> '';", "expand", "concurrent"),
      "have org_id",
    ],
  ];
  test.each(refused)("refuse %s", (_what, text, says) => {
    expect(faultsOf(text).join("\n")).toContain(says);
  });

  test("allow what blocks no one", () => {
    const allowed = [
      file(
        "create table t (org_id text references orgs, n int not null check (n > 0), primary key (org_id, n));\ncreate index i on t (n);\nalter table t enable row level security;\ninsert into t values ('', 1);\nupdate t set n = 2;",
      ),
      file(
        "alter table envelopes add column a text, add column b integer not null default 0, add column c timestamptz default now();\ngrant select on envelopes to countersign_app;",
      ),
      file("alter table envelopes alter column name drop not null, alter column name set default '';"),
      file("alter table envelopes add constraint c check (name <> '') not valid;"),
      file("alter table t add constraint f foreign key (org_id, id) references things (org_id, id) not valid;"),
      file("alter table t add constraint u unique using index t_by_name;"),
      file("create or replace function f() returns void language sql as $$ delete from envelopes; drop table envelopes $$;"),
      file("create function g() returns void language sql as $$ select 1 $$;\nrevoke all on function g() from public;"),
      file("alter table envelopes validate constraint c;\nalter table envelopes drop column name;", "contract"),
      file("-- why\ncreate unique index concurrently i on envelopes (org_id, name) where name <> '';", "expand", "concurrent"),
      withHeader("-- works-with: 0199"),
      withHeader("-- works-with: 0200", "contract"),
    ];
    expect(allowed.map((one) => faultsOf(one))).toEqual(allowed.map(() => []));
  });

  test("allow set not null once a check was validated, which PostgreSQL then does not repeat", () => {
    const notNull = file("alter table envelopes alter column name set not null;", "contract");
    const added = "alter table envelopes add constraint named check (name is not null) not valid";
    expect(faultsOf(notNull, [added])).not.toEqual([]);
    expect(faultsOf(notNull, [added, "alter table envelopes validate constraint named"])).toEqual([]);
    expect(faultsOf(notNull, [added.replace("name is", "title is"), "alter table envelopes validate constraint named"])).not.toEqual([]);
  });
});
