/** The few things that need a file system: loaded when they are used, so that the rest runs where there is none. */

interface FileSystem {
  stat(path: string): Promise<{ readonly size: number }>;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string, flags: string): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

interface FileHandle {
  writeFile(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

// By a name that bundlers do not follow: they would otherwise look for it in a build for workers.
const load = async (name: string): Promise<unknown> => import(/* @vite-ignore */ name);
const fileSystem = async () => (await load("node:fs/promises")) as FileSystem;

/** `check` sees the size before a byte is read. */
export async function readNodeFile(path: string, check: (size: number) => void): Promise<{ bytes: Uint8Array<ArrayBuffer>; name: string }> {
  const { stat, readFile } = await fileSystem();
  check((await stat(path)).size);
  return { bytes: await readFile(path), name: path.split(/[/\\]/).at(-1) ?? path };
}

/** Under another name until it is whole: a download that breaks leaves no file that looks complete. */
export async function writeNodeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { open, rename, rm } = await fileSystem();
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  try {
    const file = await open(unfinished, "wx");
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
