import type { ErrorDetail } from "@countersign/client/types";
import type { ApiError } from "../../http.ts";
import { en as words } from "../words/refusals/en.ts";

/** The API's messages about a field continue its name: "must not be empty". All others say by themselves what is wrong. */
const CONTINUES = /^(must|is|are|was|were|has|have|does|do|can|cannot|may|names|differs|belongs|leaves)\b/;

/** What is wrong as a sentence, for a place that does not show the field: "E-mail address of recipient 2 must not be empty." */
export function faultSentence({ field, message }: Pick<ErrorDetail, "field" | "message">): string {
  const name = field === null ? words.request : nameOf(field);
  const text = CONTINUES.test(message) ? `${name} ${message}` : field === null ? message : words.about(name, message);
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** In one line: what is wrong first, if the API's own sentence says nothing beyond its details. */
export function refusalSentence({ problem, message, details: [first] }: Pick<ApiError, "problem" | "message" | "details">): string {
  return problem === "invalid_request" && first !== undefined ? faultSentence(first) : message;
}

/** "recipients[1].email" is the e-mail address of recipient 2. */
function nameOf(field: string): string {
  const parts = field.split(".").map((part) => {
    const [, list, index] = /^(.+?)\[(\d+)\]$/.exec(part) ?? [];
    return list === undefined ? wordsOf(part) : words.item(wordsOf(singularOf(list)), Number(index) + 1);
  });
  return parts.reverse().join(words.of);
}

const known: Readonly<Record<string, string>> = words.names;
const wordsOf = (part: string): string => known[part] ?? part.replaceAll("_", " ");
const singularOf = (list: string): string => list.replace(/ies$/, "y").replace(/s$/, "");
