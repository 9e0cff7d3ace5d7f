import { words } from "../i18n/i18n.ts";
import { opened } from "./ceremony.ts";
import { leaveAsOther } from "./leave-as-other.ts";

/** For whom the page was opened, and the way out for another person. */
export function Who({ class: look }: { class: string }) {
  const you = opened.value?.you;
  if (you === undefined) return null;
  return (
    <div class={`who small ${look}`}>
      <p class="strong">{whoIs(you)}</p>
      <p class="quiet">
        {you.mode === "sign" && <bdi>{you.email}</bdi>}{" "}
        {WIDGET !== "preview" && (
          <button type="button" class="link" onClick={leaveAsOther}>
            {words.value.notYou}
          </button>
        )}
      </p>
    </div>
  );
}

export const whoIs = ({
  mode,
  name,
  email,
}: {
  readonly mode: "sign" | "view";
  readonly name: string | null;
  readonly email: string;
}): string => (mode === "sign" ? words.value.signingAs(name ?? email) : words.value.viewingAs(email));
