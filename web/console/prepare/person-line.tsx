import { en as words } from "../words/recipients/en.ts";
import { hasFields, type Person } from "./people.ts";

interface PersonLineProps {
  readonly person: Person;
  readonly place: { readonly index: number; readonly count: number };
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

/** One of many people, as text. The button opens the inputs. */
export function PersonLine({ person, place: { index, count }, onOpen, onRemove }: PersonLineProps) {
  const { name, email, kind, role } = person;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div class="prepare-person-box closed" role="group" aria-label={words.numbered(index + 1)}>
      <span class="prepare-person-no" aria-hidden="true">
        {index + 1}
      </span>
      <div class="prepare-person-fields main">
        <span>{name}</span>
        <span>{email}</span>
        <span class="quiet">{words.kinds[kind]}</span>
        <span class="quiet">{hasFields(person) && role}</span>
      </div>
      <div class="buttons">
        <button type="button" class="button quiet" aria-label={words.changeOne(name)} onClick={onOpen}>
          {words.change}
        </button>
        {count > 1 && (
          <button type="button" class="button quiet" aria-label={words.removeOne(name)} onClick={onRemove}>
            {words.remove}
          </button>
        )}
      </div>
    </div>
  );
}
