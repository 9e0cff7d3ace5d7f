import { marks, opened } from "../ceremony.ts";
import { adopt, adopting } from "../press.ts";
import { AdoptDialog } from "./adopt-dialog.tsx";

/** The dialog for a signature or initials, while one is being made. */
export function Adopting() {
  const asked = adopting.value;
  if (asked === null) return null;
  const close = () => {
    adopting.value = null;
  };
  return (
    <AdoptDialog what={asked.type} name={opened.value?.you.name ?? ""} current={marks[asked.type].value} onAdopt={adopt} onClose={close} />
  );
}
