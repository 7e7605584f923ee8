import { SentFiles } from "@trailbook/core/conversation/SentFiles"
import { Attachments } from "@trailbook/core/file/Attachments"
import { operations } from "@trailbook/core/operation/layer"
import * as Memory from "@trailbook/memory"
import { Shelf } from "@trailbook/testkit/fake/Shelf"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { attachments } from "../src/attachments.ts"
import { type Document, document } from "../src/openapi/document.ts"

/** As they are described, whatever keeps the files. */
export const routes = Effect.runSync(
  attachments.pipe(
    Effect.provide(Layer.provideMerge(SentFiles.layer, Attachments.layer)),
    Effect.provide(Layer.mergeAll(Memory.layer, Shelf.layer, TestIds.layer(1)))
  )
)

/** The machine-readable description of a server that is reached at `publicUrl`. */
export const describedAt = (publicUrl: string): Document => document(operations, { base: "/v1", publicUrl, routes })

/** The same of a server that was not told where it is reached. */
export const described = document(operations, { base: "/v1", routes })
