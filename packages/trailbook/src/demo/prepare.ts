/**
 * @since 0.1.0
 */
import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { storage } from "../runtime/adapter.ts"
import * as NodeIds from "../runtime/NodeIds.ts"
import { runProgram } from "../runtime/runProgram.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { type DemoFile, readDemoFile, writeDemoFile } from "./DemoFile.ts"
import { seed } from "./seed.ts"

/**
 * The demo as it lies in its folder.
 *
 * @since 0.1.0
 * @category models
 */
export interface Demo extends DemoFile {
  readonly database: DatabaseUrl
  /** It was there before. */
  readonly kept: boolean
}

interface Given {
  readonly seed: number
  /** Where the story's mails go, and the address they come from. */
  readonly outbox: string
  readonly mailFrom: string
  readonly publicUrl: string
}

/**
 * Finds the demo in a folder, or makes it there. What a broken off attempt left
 * is made anew.
 *
 * @since 0.1.0
 * @category effects
 */
export const prepare = async (folder: string, given: Given): Promise<Demo> => {
  const file = join(folder, "demo.sqlite")
  const database: DatabaseUrl = { _tag: "Sqlite", file }
  const path = join(folder, "demo.json")
  const known = readDemoFile(path)
  if (known !== undefined && existsSync(file)) return { ...known, database, kept: true }

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true })
  const made = await runProgram(make(database, given))
  writeDemoFile(path, made)
  return { ...made, database, kept: false }
}

const make = (database: DatabaseUrl, { mailFrom, outbox, publicUrl, seed: number }: Given) =>
  Effect.gen(function*() {
    const now = yield* moment
    const { offeringId, org } = yield* seed({ seed: number, now, publicUrl })
    const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "Demo", mode: "test" })
    return {
      api_key: token,
      org_id: org.id,
      offering_id: offeringId,
      seed: number,
      made_at: Instant.format(now)
    } satisfies DemoFile
  }).pipe(
    Effect.provide(
      Layer.merge(ApiKeys.layer, OutboxFolder.layer({ directory: outbox, from: mailFrom })).pipe(
        Layer.provideMerge(storage(database)),
        Layer.provide(NodeIds.layer)
      )
    )
  )
