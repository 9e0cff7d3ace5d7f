import { Screen } from "../parts/screen.tsx";

export function Home() {
  return <Screen title="Home">{null}</Screen>;
}
