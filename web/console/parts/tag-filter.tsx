import { en as words } from "../words/tags/en.ts";
import { SelectField } from "./field.tsx";
import { lazy } from "./lazy.tsx";

const TagSearch = lazy(async () => (await import("./tag-search.tsx")).TagSearch);

interface TagFilterProps {
  /** of the organization */
  readonly tags: readonly string[];
  /** "" for none */
  readonly chosen: string;
  readonly onChoice: (tag: string) => void;
}

// A longer list is searched instead of read.
const MOST_LISTED = 50;

/** Narrows a list to a tag. Offered once the organization has tags. */
export function TagFilter({ tags, chosen, onChoice }: TagFilterProps) {
  if (tags.length === 0 && chosen === "") return null;
  if (tags.length > MOST_LISTED) return <TagSearch tags={tags} chosen={chosen} onChoice={onChoice} />;
  const choices = [...new Set([...tags, ...(chosen === "" ? [] : [chosen])])].map((name) => [name, name] as const);
  return <SelectField label={words.tag} name="tag" value={chosen} choices={[["", words.any], ...choices]} onChoice={onChoice} />;
}
