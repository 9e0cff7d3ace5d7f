import { afterAll, expect, test } from "vitest";
import { SHARED_PROCESS } from "../../testing/shared-process.ts";
import { fonts } from "../fixtures/marks.ts";
import { UnreadablePdf } from "./errors.ts";
import { createPdfPool } from "./pool.ts";
import type { DocumentModel } from "./typeset/model.ts";
import { typeset } from "./typeset.ts";

const pool = createPdfPool({ workers: 1, ...SHARED_PROCESS });
afterAll(() => pool.close());

const note = (text: string): DocumentModel => ({
  title: "A note",
  language: "en",
  paper: "letter",
  footer: { before: "note-1", after: "0123456789abcdef" },
  blocks: [{ kind: "paragraph", words: text }],
});

test("typesetting in a thread gives the same bytes as here", async () => {
  const here = await typeset(note("Zoë, שלום"), fonts);
  const there = await pool.typeset(note("Zoë, שלום"), { key: "org_1", priority: "background" });
  expect({ ...there, bytes: Buffer.from(there.bytes).toString("base64") }).toEqual({
    ...here,
    bytes: Buffer.from(here.bytes).toString("base64"),
  });
  expect(pool.stats().jobs).toMatchObject({ "typeset:ok": 1 });
});

test("a model of more than 8 MB is rejected", async () => {
  await expect(pool.typeset(note("x".repeat(9 * 1024 * 1024)))).rejects.toEqual(
    new UnreadablePdf("too_complex", "a document of more than 8 MB of text"),
  );
});

test("a model that takes too long is stopped at the deadline", async () => {
  const hasty = createPdfPool({ workers: 1, deadline_ms: 30, patience: 1_000, ...SHARED_PROCESS });
  try {
    await expect(hasty.typeset(note("word ".repeat(1_000_000)))).rejects.toBeInstanceOf(UnreadablePdf);
    expect(hasty.stats().kills).toMatchObject({ deadline: 1 });
  } finally {
    await hasty.close();
  }
});
