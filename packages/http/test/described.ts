import { FileLinks } from "@trailbook/core/conversation/FileLinks"
import { Attachments } from "@trailbook/core/file/Attachments"
import { operations } from "@trailbook/core/layer"
import * as Memory from "@trailbook/memory"
import { FakeFiles } from "@trailbook/testkit/fake/FakeFiles"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { attachments } from "../src/attachments.ts"
import { type Document, document } from "../src/openapi/document.ts"

/** As they are described, whatever keeps the files. */
export const routes = Effect.runSync(
  attachments.pipe(
    Effect.provide(Layer.provideMerge(FileLinks.layer, Attachments.layer)),
    Effect.provide(Layer.mergeAll(Memory.layer, FakeFiles.layer, TestIds.layer(1)))
  )
)

/** The machine-readable description of a server that is reached at `publicUrl`. */
export const describedAt = (publicUrl: string): Document => document(operations, { base: "/v1", publicUrl, routes })

/** The same of a server that was not told where it is reached. */
export const described = document(operations, { base: "/v1", routes })
