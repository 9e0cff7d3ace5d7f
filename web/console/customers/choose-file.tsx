import { FileDrop } from "../parts/file-drop.tsx";
import { en as words } from "../words/customer-upload/en.ts";

/** A CSV file, dropped here or chosen in the browser's file picker. */
export const ChooseFile = ({ onFile }: { readonly onFile: (file: File) => void }) => (
  <FileDrop label={words.choose} accept=".csv,text/csv" onFiles={([file]) => file !== undefined && onFile(file)} isNext />
);
