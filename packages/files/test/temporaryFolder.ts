import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A temporary folder that is deleted when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trailbook-files-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)
