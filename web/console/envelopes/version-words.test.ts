import type { Envelope, Recipient } from "@countersign/client/types";
import { expect, test } from "vitest";
import { versionWords } from "./version-words.ts";

const words = (status: Envelope["status"], signed: readonly Recipient["status"][], sent_at: string | null = "2026-11-18T08:00:00.000Z") =>
  versionWords(
    { status, metadata: { sent_at, auto_vault_enabled: false } } as Envelope,
    signed.map((one) => ({ status: one }) as Recipient),
  );

test("says which version of the document is shown, and never that a discarded draft was sent", () => {
  expect(words("preparing", [], null)).toBe("the draft, as it is now");
  expect(words("voided", ["pending"], null)).toBe("a draft that was never sent");
  expect(words("sent", ["pending", "pending"])).toBe("as sent. No one has signed yet");
  expect(words("viewed", ["signed", "pending"])).toBe("with everything signed so far");
  expect(words("voided", ["signed", "cancelled"])).toBe("with everything signed before the envelope was voided");
  expect(words("expired", ["cancelled"])).toBe("as sent. No one signed");
  expect(words("completed", ["signed"])).toBe("signed by everyone");
  expect(words("vaulted", ["signed"])).toMatch(/^a marked copy of the signed document/);
});
