import { Link } from "../link.tsx";
import { Screen } from "../parts/screen.tsx";
import { me } from "../session.ts";
import { StartCards } from "./start-cards.tsx";

export function Welcome() {
  return (
    <Screen title={`Welcome, ${me().user.name}`} lead={`${me().org.name} is ready. Here are three ways to get started, in any order.`}>
      <StartCards />
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  );
}
