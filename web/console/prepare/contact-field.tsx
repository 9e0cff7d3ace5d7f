import type { Contact } from "@countersign/client/types";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { TextField } from "../parts/field.tsx";
import { en as words } from "../words/recipients/en.ts";

interface ContactFieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: "email";
  readonly value: string;
  readonly error: string | null;
  readonly onText: (value: string) => void;
  readonly onContact: (contact: Contact) => void;
}

const TYPING_MS = 200;

/** A text field that suggests customers and earlier recipients while the user types. The suggestions can be ignored. */
export function ContactField({ label, name, type, value, error, onText, onContact }: ContactFieldProps) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const found = useContacts(typed);
  const [at, setAt] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const isOpen = found.length > 0;
  const close = () => {
    setTyped("");
    setAt(-1);
  };
  const choose = (contact: Contact) => {
    onContact(contact);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.altKey) return;
    const chosen = found[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setAt((now) => (event.key === "ArrowDown" ? (now + 1) % found.length : (now <= 0 ? found.length : now) - 1));
    } else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="prepare-contact"
      ref={box}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) close();
      }}
    >
      <TextField
        label={label}
        name={name}
        {...(type !== undefined && { type })}
        autoComplete="off"
        maxLength={type === "email" ? 254 : 200}
        value={value}
        onText={(text) => {
          onText(text);
          setTyped(text);
          setAt(-1);
        }}
        error={error}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        onKeyDown={onKeyDown}
      />
      <p class="hidden-visually" role="status">
        {words.contactsFound(found.length)}
      </p>
      <div class="prepare-contacts" id={listId} role="listbox" aria-label={words.contacts} hidden={!isOpen}>
        {found.map((contact, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys of a listbox act in its text field, which keeps the focus
          <div
            key={contact.email}
            id={`${listId}-${index}`}
            class="prepare-found-one"
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(contact)}
          >
            <span>{contact.name ?? contact.email}</span>
            <span class="quiet">{contact.email}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** What the service suggests for the text. Nothing while there is none, and nothing if the search fails: the user types on. */
function useContacts(text: string): readonly Contact[] {
  const [found, setFound] = useState<readonly Contact[]>([]);
  const q = text.trim();
  useEffect(() => {
    let isOld = false;
    if (q === "") setFound([]);
    const lookUp = async () => {
      const contacts = await call("find_contacts", { query: { q } }).catch(() => []);
      if (!isOld) setFound(contacts);
    };
    const timer = q === "" ? undefined : setTimeout(() => void lookUp(), TYPING_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [q]);
  return q === "" ? [] : found;
}
