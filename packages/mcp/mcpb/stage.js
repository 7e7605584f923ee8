/**
 * Puts the files of the bundle for desktop clients into a folder: the manifest
 * and the two modules that it starts, which import nothing but Node.
 *
 *   node mcpb/stage.js <folder>
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("Say where to: node mcpb/stage.js <folder>")

const own = join(import.meta.dirname, "..")
const server = join(folder, "server")
mkdirSync(server, { recursive: true })
copyFileSync(join(import.meta.dirname, "manifest.json"), join(folder, "manifest.json"))
for (const name of ["bundle.js", "stdioProxy.js"]) copyFileSync(join(own, "dist", name), join(server, name))
// Outside of a package, Node treats .js as CommonJS.
writeFileSync(join(server, "package.json"), "{ \"type\": \"module\" }\n")
