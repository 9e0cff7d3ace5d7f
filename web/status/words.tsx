import type { FunctionComponent } from "preact";
import type { CheckedFile, Status } from "./status.ts";
import { Utc } from "./utc.tsx";

/** What the page says. Only what the installation has recorded; nothing about what follows from it. */

export interface StateWords {
  readonly tone: "plain" | "gone" | "bad";
  readonly title: string;
  readonly Meaning: FunctionComponent<Status>;
}

const Since = ({ state_since }: Status) =>
  state_since === null ? null : (
    <>
      {" on "}
      <Utc at={state_since} />
    </>
  );

export const states: Readonly<Record<Status["state"], StateWords>> = {
  active: {
    tone: "plain",
    title: "In the vault",
    Meaning: ({ stored_at }) => (
      <>
        The authoritative copy is kept in this vault. It was stored on <Utc at={stored_at} />.
      </>
    ),
  },
  escrowed: {
    tone: "plain",
    title: "In the vault, release begun",
    Meaning: ({ stored_at }) => (
      <>
        The authoritative copy is kept in this vault, where it was stored on <Utc at={stored_at} />. Its release from this vault has begun
        and is not complete.
      </>
    ),
  },
  exported: {
    tone: "gone",
    title: "Left this vault",
    Meaning: (status) => (
      <>
        The authoritative copy left this vault
        <Since {...status} />. What this vault still holds is a copy.
      </>
    ),
  },
  transferred: {
    tone: "gone",
    title: "Released to another vault",
    Meaning: (status) => (
      <>
        The authoritative copy was released to another vault
        <Since {...status} />. What this vault still holds is a copy.
      </>
    ),
  },
  papering: {
    tone: "plain",
    title: "In the vault, being replaced by paper",
    Meaning: ({ stored_at }) => (
      <>
        The authoritative copy is kept in this vault, where it was stored on <Utc at={stored_at} />. Its replacement by paper has begun and
        is not complete.
      </>
    ),
  },
  papered: {
    tone: "gone",
    title: "Replaced by paper",
    Meaning: (status) => (
      <>
        The authoritative copy was replaced by paper
        <Since {...status} />. What this vault still holds is a copy.
      </>
    ),
  },
  tampered: {
    tone: "bad",
    title: "Found damaged",
    Meaning: (status) => (
      <>
        The stored bytes or their records were found altered or missing
        <Since {...status} />. Nothing is handed out until that is mended.
      </>
    ),
  },
  destroying: {
    tone: "gone",
    title: "Being destroyed",
    Meaning: (status) => (
      <>
        The record ended
        <Since {...status} />, and the files of the authoritative copy are being removed.
      </>
    ),
  },
  destroyed: {
    tone: "gone",
    title: "Destroyed",
    Meaning: (status) => (
      <>
        The authoritative copy was destroyed
        <Since {...status} />. Its record is kept.
      </>
    ),
  },
};

export interface FileWords {
  readonly tone: "good" | "plain" | "caution";
  readonly title: string;
  readonly meaning: string;
}

export function fileWords({ known_as, revision }: CheckedFile, { state, certificate }: Status): FileWords {
  switch (known_as) {
    case "authoritative":
      return {
        tone: "good",
        title: state === "active" || state === "escrowed" ? "This file is the stored original." : "This file has the hash of the original.",
        meaning: "Its SHA-256 is the one that is recorded for the authoritative copy.",
      };
    case "certificate":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning:
          `It is certificate revision ${revision} of this record, unchanged.` +
          (revision === certificate.revision ? " There is no later one." : ` The latest is revision ${certificate.revision}.`),
      };
    case "copy":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning: "It is a copy that this installation handed out, unchanged.",
      };
    case "signed":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning: "It is the signed document as this installation handed it out before it was stored in the vault, unchanged.",
      };
    case null:
      return {
        tone: "caution",
        title: "This file is not the stored original.",
        meaning:
          "This vault knows no such file of this record: it is neither a copy that was handed out nor a certificate. One changed byte is enough for that.",
      };
  }
}
