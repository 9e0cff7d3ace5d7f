import { TextField } from "../parts/field.tsx";
import { useSearchText } from "../parts/search-text.ts";

interface SearchProps {
  readonly label: string;
  readonly hint: string;
}

export function Search({ label, hint }: SearchProps) {
  const [text, type] = useSearchText();
  return (
    <search class="filters">
      <div class="grow">
        <TextField label={label} name="q" type="search" autoComplete="off" placeholder={hint} value={text} onText={type} />
      </div>
    </search>
  );
}
