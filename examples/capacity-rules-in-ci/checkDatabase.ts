import * as Sqlite from "@trailbook/sqlite"
import { checkStorage } from "@trailbook/testkit/checkStorage"
import { existsSync } from "node:fs"

const [, , filename = "trailbook.sqlite"] = process.argv
// Opening a missing file would create an empty database, which passes every check.
if (!existsSync(filename)) throw new Error(`There is no ${filename}.`)

const violations = await checkStorage(Sqlite.layer({ filename }))

for (const violation of violations) console.error(violation)
process.exitCode = violations.length === 0 ? 0 : 1
