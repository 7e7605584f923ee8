import * as FilesFolder from "@trailbook/files/FilesFolder"
import { FakeFiles } from "@trailbook/testkit/fakes"
import { filesSuite } from "@trailbook/testkit/filesSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import { runs } from "../../../test/runs.ts"
import { bucket } from "./bucket.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const inFolder = Layer.unwrapScoped(
  Effect.map(temporaryFolder, (folder) => FilesFolder.layer({ directory: join(folder, "not", "there", "yet") }))
)

filesSuite("a folder", inFolder, { runs: runs(100, 20) })
filesSuite("a bucket", bucket, { runs: runs(50, 10) })
filesSuite("the fake of the kit", FakeFiles.layer)
