import { Screen } from "../parts/screen.tsx";

export function Welcome() {
  return <Screen title="Welcome">{null}</Screen>;
}
