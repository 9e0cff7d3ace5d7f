import { Screen } from "../parts/screen.tsx";

export function Keys() {
  return <Screen title="Keys">{null}</Screen>;
}
