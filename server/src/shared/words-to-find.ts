import { invalidQuery } from "./problems.ts";
import { MAX_SEARCHED_WORDS, type SearchedWord, searchedWords } from "./search-words.ts";

/** The words of the parameter `q` of a list. Throws a 422 if there are none, or too many. */
export function wordsToFind(q: string): readonly SearchedWord[] {
  const words = searchedWords(q);
  if (words.length === 0) throw invalidQuery("q", "invalid_value", "must contain a letter or a digit");
  if (words.length > MAX_SEARCHED_WORDS) throw invalidQuery("q", "too_long", `must have at most ${MAX_SEARCHED_WORDS} words`);
  return words;
}
