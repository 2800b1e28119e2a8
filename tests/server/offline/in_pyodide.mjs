// Runs a Python program in the Python of the site's worker: node in_pyodide.mjs FOLDER PROGRAM. Its last value, a text,
// is printed.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: folder });
const { buffer } = new Uint8Array(readFileSync(`${folder}/lastspike.zip`));
pyodide.unpackArchive(buffer, "zip", { extractDir: "/lib/python3.14/site-packages" });
process.stdout.write(String(pyodide.runPython(readFileSync(program, "utf8"))));
