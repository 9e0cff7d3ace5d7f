import { Link } from "../link.tsx";
import { Screen } from "../parts/screen.tsx";
import { me } from "../session.ts";
import { en as words } from "../words/first-run/en.ts";
import { StartCards } from "./start-cards.tsx";

export function Welcome() {
  return (
    <Screen title={words.welcome(me().user.name)} lead={words.lead(me().org.name)}>
      <StartCards />
      <p>
        <Link to="/">{words.goHome}</Link>
      </p>
    </Screen>
  );
}
