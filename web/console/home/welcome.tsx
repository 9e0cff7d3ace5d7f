import { Link } from "../link.tsx";
import { Screen } from "../parts/screen.tsx";
import { me } from "../session.ts";
import { StartCards } from "./start-cards.tsx";

export function Welcome() {
  return (
    <Screen
      title={`Welcome, ${me().user.name}`}
      lead={`${me().org.name} is ready. Three things to begin with, in any order; each can wait.`}
    >
      <StartCards />
      <p>
        <Link to="/">Go to the home screen</Link>
      </p>
    </Screen>
  );
}
