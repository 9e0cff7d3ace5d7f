import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * Migrations run while the program of before still serves. From `FIRST` on, a file says in which phase of an upgrade it runs and how: `expand`
 * leaves everything that this program uses in place, and `contract` may take away what only earlier programs use. Neither may block writers
 * for longer than a moment. CONTRIBUTING.md, "Migrations", says what to write instead.
 */
const FIRST = 96;

/** Files that may break a rule, with the reason. */
const exceptions: Readonly<Record<string, string>> = {};

const folder = new URL("../migrations/", import.meta.url);

/** The statements of a file without comments, without bodies of functions, and without line breaks. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "$$body$$")
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim().toLowerCase())
    .filter((statement) => statement !== "");
}

interface Rule {
  readonly says: string;
  /** `own`: tables that this file creates, which no one uses yet */
  readonly isBroken: (statement: string, own: ReadonlySet<string>) => boolean;
  /** only in files of this phase; in both if it is missing */
  readonly phase?: "expand";
}

const tableOf = (statement: string, before: RegExp): string => (before.exec(statement)?.[1] ?? "").replace(/^public\./, "");
const altered = (statement: string): string => tableOf(statement, /^alter table (?:if exists )?(?:only )?([\w.]+)/);
const altersOther = (statement: string, own: ReadonlySet<string>): boolean =>
  statement.startsWith("alter table") && !own.has(altered(statement));

const rules: readonly Rule[] = [
  {
    says: "an index on an existing table is created concurrently, in a file of its own",
    isBroken: (statement, own) =>
      /^create (unique )?index (?!concurrently)/.test(statement) && !own.has(tableOf(statement, / on (?:only )?([\w.]+)/)),
  },
  {
    says: "nothing is dropped or renamed in expand",
    phase: "expand",
    isBroken: (statement, own) =>
      /^drop (?!policy if exists)/.test(statement) ||
      (altersOther(statement, own) && /\b(drop (?!default|not null)|rename )/.test(statement)),
  },
  {
    says: "a type is not changed in expand, because that writes the table anew",
    phase: "expand",
    isBroken: (statement, own) => altersOther(statement, own) && /\balter (column )?\w+ (set data )?type\b/.test(statement),
  },
  {
    says: "set not null reads the whole table while it is locked; validate a check instead",
    isBroken: (statement, own) => altersOther(statement, own) && /\bset not null\b/.test(statement),
  },
  {
    says: "a foreign key or a check on an existing table is added as not valid, and validated in a later file",
    isBroken: (statement, own) =>
      altersOther(statement, own) && /\badd (constraint \w+ )?(foreign key|check)\b/.test(statement) && !/\bnot valid\b/.test(statement),
  },
  {
    says: "a new column must not be not null without a default, which the program of before does not write",
    isBroken: (statement, own) =>
      altersOther(statement, own) &&
      statement.split(/, (?=add )/).some((part) => /\badd column\b/.test(part) && /\bnot null\b/.test(part) && !/\bdefault\b/.test(part)),
  },
  {
    says: "a default that differs from row to row writes the table anew",
    isBroken: (statement, own) =>
      altersOther(statement, own) &&
      /\badd column\b.*\bdefault (gen_random_uuid|random|clock_timestamp|nextval|uuid_generate\w*)\b/.test(statement),
  },
  {
    says: "rows are not changed in a migration; a job does that in batches",
    isBroken: (statement, own) => {
      const table = tableOf(statement, /^(?:with .*?\) )?(?:update|delete from|truncate(?: table)?) (?:only )?([\w.]+)/);
      return table !== "" && !own.has(table);
    },
  },
];

function faultsOf(text: string): string[] {
  const phase = /^-- phase: (expand|contract)$/m.exec(text)?.[1];
  const mode = /^-- mode: (transaction|concurrent)$/m.exec(text)?.[1];
  if (phase === undefined || mode === undefined)
    return ["the file begins with `-- phase: expand|contract` and `-- mode: transaction|concurrent`"];
  const statements = statementsOf(text);
  if (mode === "concurrent") {
    const isOne = statements.length === 1 && /^create (unique )?index concurrently \w+ on /.test(statements[0] ?? "");
    return isOne ? [] : ["a concurrent file has one statement, which creates an index concurrently"];
  }
  const own = new Set(
    statements.map((one) => tableOf(one, /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/)).filter((table) => table !== ""),
  );
  return rules
    .filter((rule) => (rule.phase === undefined || rule.phase === phase) && statements.some((one) => rule.isBroken(one, own)))
    .map(({ says }) => says);
}

const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && Number(name.slice(0, 4)) >= FIRST);

test.each(names)("%s can run while the program of before serves", (name) => {
  const faults = faultsOf(readFileSync(new URL(name, folder), "utf8"));
  if (exceptions[name] === undefined) expect(faults).toEqual([]);
  else expect(faults).not.toEqual([]);
});

describe("the rules", () => {
  const file = (body: string, phase = "expand", mode = "transaction") => `-- phase: ${phase}\n-- mode: ${mode}\n${body}`;
  const refused: readonly (readonly [what: string, text: string, says: string])[] = [
    ["a file without phase and mode", "create table t (n int);", "the file begins with"],
    ["an index that locks a table", file("create index i on envelopes (name);"), "concurrently"],
    [
      "an index that locks a table, after a table of its own",
      file("create table t (n int);\ncreate unique index i on envelopes (name);"),
      "concurrently",
    ],
    [
      "two statements without a transaction",
      file("create index concurrently i on t (n); create index concurrently j on t (n);", "expand", "concurrent"),
      "one statement",
    ],
    ["anything but an index without a transaction", file("alter table t add column n int;", "expand", "concurrent"), "one statement"],
    ["a dropped column", file("alter table envelopes drop column name;"), "dropped or renamed"],
    ["a dropped function", file("drop function find_it(text);"), "dropped or renamed"],
    ["a renamed table", file("alter table envelopes rename to papers;"), "dropped or renamed"],
    ["a changed type", file("alter table envelopes alter column name type varchar(10);"), "type"],
    ["set not null", file("alter table envelopes\n  alter column name set not null;"), "set not null"],
    ["set not null in contract", file("alter table envelopes alter column name set not null;", "contract"), "set not null"],
    ["a check that reads the table", file("alter table envelopes add check (name <> '');"), "not valid"],
    [
      "a foreign key that reads two tables",
      file("alter table envelopes add constraint f foreign key (org_id) references orgs;"),
      "not valid",
    ],
    [
      "a column that the program of before does not write",
      file("alter table envelopes add column a text, add column b text not null;"),
      "default",
    ],
    ["a default for each row", file("alter table envelopes add column a uuid default gen_random_uuid();"), "row to row"],
    ["a change of all rows", file("update envelopes set name = '';"), "in batches"],
    ["a deletion", file("delete from envelopes;", "contract"), "in batches"],
  ];
  test.each(refused)("refuse %s", (_what, text, says) => {
    expect(faultsOf(text).join("\n")).toContain(says);
  });

  test("allow what blocks no one", () => {
    const allowed = [
      file(
        "create table t (n int not null check (n > 0));\ncreate index i on t (n);\nalter table t enable row level security;\ninsert into t values (1);\nupdate t set n = 2;",
      ),
      file(
        "alter table envelopes add column a text, add column b integer not null default 0;\ngrant select on envelopes to countersign_app;",
      ),
      file("alter table envelopes add constraint c check (name <> '') not valid;"),
      file("create or replace function f() returns void language sql as $$ delete from envelopes; drop table envelopes $$;"),
      file("alter table envelopes validate constraint c;\nalter table envelopes drop column name;", "contract"),
      file("-- why\ncreate unique index concurrently i on envelopes (name) where name <> '';", "expand", "concurrent"),
    ];
    expect(allowed.map(faultsOf)).toEqual(allowed.map(() => []));
  });
});
