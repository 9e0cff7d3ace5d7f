import { describe, expect, test } from "vitest";
import { nameFile, safeFileName, uniqueFileNames } from "./name-file.ts";

const bytes = (text: string) => Buffer.byteLength(text);

describe("the name of a file", () => {
  test.each([
    ["Lease Elm Street 14", "Lease Elm Street 14 – signed.pdf"],
    ["scan.PDF", "scan – signed.pdf"],
    ["Photo.jpeg ", "Photo – signed.pdf"],
    ['The "big" lease: 4/5 \\ a|b', "The 'big' lease- 4-5 - a-b – signed.pdf"],
    ["../../etc/passwd", "-..-etc-passwd – signed.pdf"],
    ["a\r\nSet-Cookie: x=1\u0000", "a Set-Cookie- x=1 – signed.pdf"],
    ["invoice\u202efdp.exe\u2066\u200f", "invoicefdp.exe – signed.pdf"],
    ["zero\u200bwidth\ufeff", "zerowidth – signed.pdf"],
    ["what?*<>", "what – signed.pdf"],
    ["...", "Document – signed.pdf"],
    ["", "Document – signed.pdf"],
    ["\ud800half", "�half – signed.pdf"],
    ["Mietvertrag Größe", "Mietvertrag Größe – signed.pdf"],
    ["قرارداد می‌شود", "قرارداد می‌شود – signed.pdf"],
  ])("%j becomes %j", (title, name) => {
    expect(nameFile(title, "pdf", "signed")).toBe(name);
  });

  test("has at most 255 bytes, keeps its ending and cuts no character", () => {
    for (const letter of ["a", "é", "語", "👩‍👩‍👧"]) {
      const name = nameFile(letter.repeat(300), "pdf", "completion certificate");
      expect(bytes(name)).toBeLessThanOrEqual(255);
      expect(bytes(name)).toBeGreaterThan(220);
      expect(name).toMatch(/ – completion certificate\.pdf$/);
      expect([...new Set(name.replace(" – completion certificate.pdf", "").split(letter))], "whole characters only").toEqual([""]);
    }
  });

  test("is none that Windows opens as a device", () => {
    expect(["con.csv", "LPT1.pdf", "nul", "console.csv", "con – signed.pdf"].map(safeFileName)).toEqual([
      "_con.csv",
      "_LPT1.pdf",
      "_nul",
      "console.csv",
      "con – signed.pdf",
    ]);
  });

  test("is given once in a folder, also where case and form do not count", () => {
    const nameOf = uniqueFileNames();
    const long = nameFile("x".repeat(400), "pdf");
    expect(["Lease.pdf", "lease.pdf", "Lease.pdf", "lease (2).pdf", "none"].map(nameOf)).toEqual([
      "Lease.pdf",
      "lease (2).pdf",
      "Lease (3).pdf",
      "lease (2) (2).pdf",
      "none",
    ]);
    nameOf(long);
    expect(nameOf(long)).toMatch(/x \(2\)\.pdf$/);
    expect(bytes(nameOf(long))).toBeLessThanOrEqual(255);
  });
});
