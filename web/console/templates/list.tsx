import { Screen } from "../parts/screen.tsx";

export function Templates() {
  return <Screen title="Templates">{null}</Screen>;
}
