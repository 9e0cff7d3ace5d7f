import { describe, expect, test } from "vitest";
import { strayBracket } from "../../../pdf/fixtures/bombs.ts";
import { NO_CHANGES, protectedPdf } from "../../../pdf/fixtures/protected.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { testInAll } from "../../../testing/all.ts";
import { form } from "../../test/form.ts";
import { testService } from "../../test/service.ts";

// Enough for a page, and short enough to wait for the end of a file that never ends.
const service = testService({ PDF_DEADLINE_MS: "2000" });

async function answerTo(bytes: Uint8Array): Promise<[number, unknown]> {
  const key = await (await service.newOrg()).newKey();
  const { status, json } = await key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes }));
  return [status, json.error];
}

describe("the answer to a file says what is wrong with it:", () => {
  test.each(["table", "streams"] as const)("it needs a password (%s)", async (layout) => {
    expect(await answerTo(protectedPdf({ user: "secret", owner: "owner", layout }))).toEqual([
      422,
      "The PDF is password-protected. Remove the password and upload it again",
    ]);
  });

  test("it opens without a password, but its owner does not allow changes", async () => {
    expect(await answerTo(protectedPdf({ owner: "owner", permissions: NO_CHANGES }))).toEqual([
      422,
      "The PDF opens without a password, but its owner does not allow changes. Upload a copy without this restriction",
    ]);
  });

  test("nothing is, if changes are allowed, if there is no owner's password, or if only attachments are encrypted", async () => {
    for (const bytes of [
      protectedPdf({ owner: "owner" }),
      protectedPdf({ permissions: NO_CHANGES }),
      protectedPdf({ user: "secret", attachmentsOnly: true }),
    ])
      expect((await answerTo(bytes))[0]).toBe(200);
  });

  testInAll("the parser hangs on it, which trying again would not change", async () => {
    expect(await answerTo(writePdf(strayBracket()))).toEqual([
      422,
      expect.stringMatching(/^The PDF is too large or complex: more than 2 s (to open|of work)$/),
    ]);
  });
});
