import { expect, test } from "vitest";
import { faultSentence, refusalSentence } from "./fault-sentence.ts";

test.each([
  ["name", "must not be empty", "Name must not be empty."],
  [
    "recipients[1].email",
    "must be an e-mail address such as ann@example.com",
    "E-mail address of recipient 2 must be an e-mail address such as ann@example.com.",
  ],
  ["fields[0].placement.offset_x", "must be at most 1", "Offset x of placement of field 1 must be at most 1."],
  ["parties[2].identifier", "is taken", "Identifier of party 3 is taken."],
  ["fields[3].page", "the document has 2 pages", "Page of field 4: the document has 2 pages."],
  ["prefilled_data.Tenant name", "is not a field of the document", "Tenant name of filled-in values is not a field of the document."],
  [null, "must be a JSON object", "The request must be a JSON object."],
  [null, "the signed document is not ready yet", "The signed document is not ready yet."],
  [null, "Were on pages that the new file does not have.", "Were on pages that the new file does not have."],
])("%s: %s", (field, message, sentence) => {
  expect(faultSentence({ field, message })).toBe(sentence);
});

test("a refusal in one line is its first detail only if the API's sentence says nothing else", () => {
  const details = [{ location: "query", field: "q", code: "too_long", message: "must have at most 20 words" }] as const;
  expect(refusalSentence({ problem: "invalid_request", message: "Validation failed", details })).toBe("Search must have at most 20 words.");
  const message = "Too many records have words that begin like this. Type more letters";
  expect(refusalSentence({ problem: "search_too_broad", message, details: [] })).toBe(message);
});
