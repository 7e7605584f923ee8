/** `npm run generate`. */
import { writeFileSync } from "node:fs"
import { files } from "./files.ts"

for (const [path, text] of files) writeFileSync(path, text)
