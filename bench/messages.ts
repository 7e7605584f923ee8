/**
 * Measures messages on both storages: writing to one guest and to many, booking emails that can be answered, inbound
 * emails, and a large inbox.
 */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { freshPostgres } from "./FreshPostgres.ts"
import { arriving } from "./messages/arriving.ts"
import { openDesk, world } from "./messages/desk.ts"
import { inbox } from "./messages/inbox.ts"
import { leaving } from "./messages/leaving.ts"
import { writing } from "./messages/writing.ts"
import type { Line } from "./report.ts"

const measured = (storage: string, url: string, settle: () => Promise<void>): Promise<ReadonlyArray<Line>> => {
  const settled = Effect.promise(settle)
  const program = Effect.gen(function*() {
    const desk = yield* openDesk
    yield* settled
    const written = yield* writing(storage, desk)
    const left = yield* leaving(storage, desk)
    const arrived = yield* arriving(storage, desk, written.perSecond)
    return [...written.lines, ...left, ...arrived, ...yield* inbox(storage, desk, settled)]
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
