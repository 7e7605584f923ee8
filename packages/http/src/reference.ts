import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import * as Reply from "./Reply.ts"
export const routes = (operations: ReadonlyArray<Operation.Any>, base: string, publicUrl: string | undefined) => {
  const doc = () => Effect.succeed(Reply.json(200, { base, publicUrl, n: operations.length }))
  return [[`${base}/openapi.json`, doc], ["/reference", doc]] as const
}
