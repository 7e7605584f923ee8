import * as Sqlite from "@trailbook/sqlite"
import { checkStorage } from "@trailbook/testkit/checkStorage"

const [, , filename = "trailbook.sqlite"] = process.argv

const violations = await checkStorage(Sqlite.layer({ filename }))

for (const violation of violations) console.error(violation)
process.exitCode = violations.length === 0 ? 0 : 1
