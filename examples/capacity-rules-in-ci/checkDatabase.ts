import * as Sqlite from "@trailbook/sqlite"
import { checkStorage } from "@trailbook/testkit/checkStorage"
import { existsSync } from "node:fs"

const [, , filename = "trailbook.sqlite"] = process.argv
// A file that is not there would be made, and nothing is wrong with an empty one.
if (!existsSync(filename)) throw new Error(`There is no ${filename}.`)

const violations = await checkStorage(Sqlite.layer({ filename }))

for (const violation of violations) console.error(violation)
process.exitCode = violations.length === 0 ? 0 : 1
