import { useSignalEffect } from "@preact/signals";
import { firstPageSeen, marks, opened } from "../ceremony.ts";
import { adoptPart } from "../parts.ts";
import { adopt, adopting } from "../press.ts";

/** The dialog is fetched while the signer reads: the first page does not wait for it, and it does not keep anybody waiting. */
export function Adopting() {
  useSignalEffect(() => {
    if (firstPageSeen.value) adoptPart.fetchAhead();
  });
  const asked = adopting.value;
  if (asked === null) return null;
  const close = () => {
    adopting.value = null;
  };
  const { View } = adoptPart;
  return <View what={asked.type} name={opened.value?.you.name ?? ""} current={marks[asked.type].value} onAdopt={adopt} onClose={close} />;
}
