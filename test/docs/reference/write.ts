/** Writes the reference pages: `npm run docs`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { open } from "../../../packages/web/test/guest/TestSite.ts"
import { accessPage } from "../../access/page.ts"
import { transcripts } from "../../assistant/transcripts.ts"
import { seasonPage, shownSeed } from "../../season/page.ts"
import { play } from "../../season/play.ts"
import { root } from "../Page.ts"
import { pages } from "./pages.ts"

for (const [path, make] of Object.entries(pages)) writeFileSync(join(root, path), make())

writeFileSync(join(root, "docs/reference/season.md"), seasonPage(await play(shownSeed)))

writeFileSync(join(root, "docs/how-to/assistant-transcripts.md"), await transcripts())

const { close, routes } = await open()
writeFileSync(join(root, "docs/reference/access.md"), accessPage(routes))
await close()
