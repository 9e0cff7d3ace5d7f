import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { RowReader, rowsOf } from "./index.ts";

describe("the rows of a text", () => {
  test("quotes hold separators, line ends and quotes", () => {
    expect(rowsOf('name,email\r\n"Ann, ""the"" first\r\nof two",ann@example.com\r\n')).toEqual([
      ["name", "email"],
      ['Ann, "the" first\r\nof two', "ann@example.com"],
    ]);
  });

  test("a quote inside a cell that is not quoted is part of it", () => {
    expect(rowsOf('name\n6" pipe\n"6"" pipe"x\n')).toEqual([["name"], ['6" pipe'], ['6" pipex']]);
  });

  test("the separator is the one that the header has more often outside quotes", () => {
    expect(rowsOf('client_id;name;"City, State"\n7;Ann;"Bonn, NRW"')).toEqual([
      ["client_id", "name", "City, State"],
      ["7", "Ann", "Bonn, NRW"],
    ]);
    expect(rowsOf("name;email\nAnn, of Acme;ann@example.com")).toEqual([
      ["name", "email"],
      ["Ann, of Acme", "ann@example.com"],
    ]);
    expect(rowsOf("name,email;x\na;b,c")).toEqual([
      ["name", "email;x"],
      ["a;b", "c"],
    ]);
  });

  test("a first line that states the separator is no row, however the file arrives", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = ["sep=;", "name,first;email", "Ann;ann@example.com"].join(end);
      for (let at = 0; at <= text.length; at++) {
        const reader = new RowReader();
        for (const piece of [text.slice(0, at), text.slice(at)]) reader.take(piece);
        expect([end, at, reader.end()]).toEqual([end, at, null]);
        expect(reader.given()).toEqual([
          ["name,first", "email"],
          ["Ann", "ann@example.com"],
        ]);
      }
    }
    expect(rowsOf("sep=;and more\nx")).toEqual([["sep=", "and more"], ["x"]]);
  });

  test("any line end counts once, and a last row needs none", () => {
    expect(rowsOf("a\rb\r\nc\n\nd")).toEqual([["a"], ["b"], ["c"], [""], ["d"]]);
    expect(rowsOf('a\n""')).toEqual([["a"], [""]]);
    expect(rowsOf("")).toEqual([]);
  });

  test("of a text that was cut off the last row is left out", () => {
    expect(rowsOf('name\nAnn\n"Sa', { isCut: true })).toEqual([["name"], ["Ann"]]);
  });
});

test("a row with a quote that is never closed is left out, and the rows before it stand", () => {
  expect(rowsOf('name\nAnn\n"Sam\nBen\n')).toEqual([["name"], ["Ann"]]);
});

test("a line end in a quoted column name does not end the header, wherever the file is cut", () => {
  const reader = new RowReader();
  reader.take('"Street\n');
  reader.take('and number";city\nMain St 1;Bonn\n');
  reader.end();
  expect(reader.given()).toEqual([
    ["Street\nand number", "city"],
    ["Main St 1", "Bonn"],
  ]);
});

test("a quote inside a column name hides no separator", () => {
  expect(rowsOf('6" pipe;city\n7;Bonn')).toEqual([
    ['6" pipe', "city"],
    ["7", "Bonn"],
  ]);
});

test("a text in pieces has the same rows as the whole text", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\n", "\r"), maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(60), { maxLength: 6 }), (text, cuts) => {
      const reader = new RowReader();
      const ends = [...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      for (const [index, end] of ends.entries()) reader.take(text.slice(ends[index - 1] ?? 0, end));
      reader.end();
      expect(reader.given()).toEqual(rowsOf(text));
    }),
    { numRuns: 2000 },
  );
});
