import { FileLinks } from "@trailbook/core/conversation"
import { Attachments } from "@trailbook/core/file"
import { operations } from "@trailbook/core/layer"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildDocument, type OpenApiDocument } from "../src/openapi/buildDocument.ts"
import { attachmentRoutes } from "../src/request/attachmentRoutes.ts"

/** The routes in the API description. They do not depend on the file storage. */
export const routes = Effect.runSync(
  attachmentRoutes.pipe(
    Effect.provide(Layer.provideMerge(FileLinks.layer, Attachments.layer)),
    Effect.provide(Layer.mergeAll(Memory.layer, FakeFiles.layer, TestIds.layer(1)))
  )
)

/** Returns the API description for a server with the given public URL. */
export const apiDescriptionAt = (publicUrl: string): OpenApiDocument =>
  buildDocument(operations, { base: "/v1", publicUrl, routes })

/** The API description for a server without a configured public URL. */
export const apiDescription = buildDocument(operations, { base: "/v1", routes })
