import type { FieldType } from "../field-type.ts";
import { asText, noSettings, refused } from "../parts.ts";

const MAX_CHARACTERS = 2_000;

// Characters that are invisible or reverse the order of others: a reader would see another text than the one that is signed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

export const text: FieldType = {
  type: "text",
  from: ["request", "tag"],
  draw: "text",
  control: "text",
  size_pt: [180, 22],
  required: false,
  settings: noSettings,
  held(_, value) {
    const given = asText(value);
    const isSound = given !== null && given.length <= MAX_CHARACTERS && !HIDDEN.test(given);
    return isSound ? given : refused(`must be text of at most ${MAX_CHARACTERS} characters, without control characters`);
  },
  tagDefault: (_, written) =>
    [...written].length <= MAX_CHARACTERS ? written : refused(`the default must have at most ${MAX_CHARACTERS} characters`),
  // The schema of the request limits its length; the signer sees it before it is held.
  requestDefault: () => null,
};
