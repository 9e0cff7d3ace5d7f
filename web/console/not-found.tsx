import { startOf } from "./can-open.ts";
import { Link } from "./link.tsx";
import { Screen } from "./parts/screen.tsx";
import { en as words } from "./words/not-found/en.ts";

/** The address has no screen, or the role of the user does not have it. */
export function NotFound() {
  return (
    <Screen title={words.title} lead={words.lead}>
      <p>
        <Link to={startOf()}>{startOf() === "/" ? words.toHome : words.toVault}</Link>
      </p>
    </Screen>
  );
}
