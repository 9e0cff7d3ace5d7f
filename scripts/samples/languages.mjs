// The languages of docs/samples, and how a sample in each is run: unchanged, from where it is in the repository.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @typedef {object} Language
 * @property {string} name
 * @property {string} file
 * @property {boolean} isRequired the others run only where their program exists
 * @property {[program: string, ...args: string[]]} version prints something and exits with 0 if the program exists
 * @property {(file: string) => [program: string, ...args: string[]]} start
 * @property {(file: string, port: number) => [program: string, ...args: string[]]} [serve] a sample that is a server, if that differs
 * @property {Record<string, string>} [env]
 */

/** @type {readonly Language[]} */
export const languages = [
  { name: "curl", file: "run.sh", isRequired: true, version: ["curl", "--version"], start: (file) => ["bash", file] },
  {
    name: "TypeScript",
    file: "run.mjs",
    isRequired: true,
    version: [process.execPath, "--version"],
    start: (file) => [process.execPath, file],
  },
  {
    name: "Python",
    file: "run.py",
    isRequired: true,
    version: ["python3", "--version"],
    start: (file) => ["python3", file],
    env: { PYTHONPATH: `${root}clients/python`, PYTHONDONTWRITEBYTECODE: "1" },
  },
  {
    name: "Go",
    file: "main.go",
    isRequired: false,
    version: ["go", "version"],
    start: (file) => ["go", "run", file],
    // Programs of the standard library alone need neither modules nor a network.
    env: { GO111MODULE: "off", GOFLAGS: "", GOPROXY: "off" },
  },
  {
    name: "PHP",
    file: "run.php",
    isRequired: false,
    version: ["php", "--version"],
    start: (file) => ["php", file],
    serve: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file],
  },
  { name: "Java", file: "Main.java", isRequired: false, version: ["java", "--version"], start: (file) => ["java", file] },
];

/** @param {Language} language */
export const exists = ({ version: [program, ...args] }) => spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** @param {string} flow @param {Language} language */
export const fileOf = (flow, { file }) => `${root}docs/samples/${flow}/${file}`;

/** What a sample needs of this process's environment, and nothing else. @param {Language} language */
export function environmentOf({ env = {} }) {
  const { PATH = "", HOME = "" } = process.env;
  // For verifiers and CGI programs that run `node`, whatever the PATH has.
  return { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, ...env };
}
