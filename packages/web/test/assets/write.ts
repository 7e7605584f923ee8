/** Run this script with `npm run generate -w @trailbook/web`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assetsText } from "./assetsText.ts"

writeFileSync(join(import.meta.dirname, "../../src/assets/generated.ts"), await assetsText())
