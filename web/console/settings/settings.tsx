import { Screen } from "../parts/screen.tsx";

export function Settings() {
  return <Screen title="Settings">{null}</Screen>;
}
