import { Screen } from "../parts/screen.tsx";

export function TryIt() {
  return <Screen title="TryIt">{null}</Screen>;
}
