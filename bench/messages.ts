/**
 * Measures messages on both storages: messages to one guest and to many guests, booking emails that guests can reply
 * to, inbound emails, and a large inbox.
 */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { freshPostgres } from "./FreshPostgres.ts"
import { measureArriving } from "./messages/arriving.ts"
import { inbox } from "./messages/inbox.ts"
import { measureLeaving } from "./messages/leaving.ts"
import { openOutfitter, world } from "./messages/outfitter.ts"
import { measureWriting } from "./messages/writing.ts"
import type { Line } from "./report.ts"

const measured = (storage: string, url: string, settle: () => Promise<void>): Promise<ReadonlyArray<Line>> => {
  const settleEffect = Effect.promise(settle)
  const program = Effect.gen(function*() {
    const outfitter = yield* openOutfitter
    yield* settleEffect
    const writingResult = yield* measureWriting(storage, outfitter)
    const leavingLines = yield* measureLeaving(storage, outfitter)
    const arrivingLines = yield* measureArriving(storage, outfitter, writingResult.perSecond)
    return [
      ...writingResult.lines,
      ...leavingLines,
      ...arrivingLines,
      ...yield* inbox(storage, outfitter, settleEffect)
    ]
  })
  return Effect.runPromise(Effect.provide(program, world(url)))
}

export const messages = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const sqlite = await measured("SQLite", `sqlite:${join(folder, "messages.sqlite")}`, async () => {})
  const postgres = await freshPostgres()
  try {
    return [...sqlite, ...await measured("Postgres", postgres.url, postgres.settle)]
  } finally {
    await postgres.stop()
  }
}
