/**
 * Clients follow the feed while many writers append events, some in transactions that stall for seconds. A client that
 * continues from `next_after` must receive every event once, and no event too early, even if the servers' clocks
 * differ.
 */
import { layer, migrate } from "@trailbook/postgres"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkFeed, findUnlogged, type LoggedEvent, nothingWrong } from "./feed/checkFeed.ts"
import { type FeedRun, feedRun, type Outcome } from "./feed/feedRun.ts"
import * as PlainSequence from "./feed/plainSequence.ts"
import type { Page } from "./feed/read.ts"
import { createDatabase, type Database } from "./postgres/database.ts"
import { isLong } from "./runs.ts"

const seed = process.env["RELIABILITY_SEED"] ?? "every run"

const assertNoFaults = (outcome: Outcome): void => {
  assert.deepStrictEqual(outcome.verdict, nothingWrong)
  assert.isAbove(outcome.events, 50)
  assert.isAbove(outcome.pages, 50)
  assert.isAbove(outcome.failed, 0)
}

describe.runIf(isLong)("on Postgres", () => {
  let databases: ReadonlyArray<Database>
  const schema = {
    name: "trailbook",
    fill: async (url: string) => void await Effect.runPromise(migrate({ url }))
  }
  beforeAll(async () => {
    databases = await Promise.all([createDatabase(schema), createDatabase(schema), createDatabase(schema)])
  })
  afterAll(() => Promise.all(databases.map((database) => database.drop())))
  const on = (at: number) => layer({ url: databases[at]?.url ?? "", units: 16 })

  it("the feed delivers every event during slow commits, unlike a plain sequence", async () => {
    const plan: Omit<FeedRun, "storage"> = { seconds: 5, seed, stalls: true }
    const [feedOutcome, plain] = await Promise.all([
      feedRun({ ...plan, storage: on(0) }),
      feedRun({ ...plan, storage: PlainSequence.layer.pipe(Layer.provideMerge(on(1))) })
    ])
    assertNoFaults(feedOutcome)
    assert.isAtLeast(feedOutcome.stalledMillis.length, 2)
    assert.isAtLeast(plain.stalledMillis.length, 2)
    assert.notDeepEqual(plain.verdict.lost, [])
  })

  it("the feed delivers every event even if server clocks jump", async () => {
    const outcome = await feedRun({ storage: on(2), seconds: 3, seed, clocksJump: true })
    assertNoFaults(outcome)
    assert.isAtLeast(outcome.jumps, 2)
  })
})

it.runIf(isLong)("the feed delivers every event on SQLite even if clocks jump", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trailbook-feed-"))
  try {
    const storage = SqliteStorage.layer({ filename: join(folder, "feed.sqlite") })
    const outcome = await feedRun({ storage, seconds: 3, seed, clocksJump: true })
    assertNoFaults(outcome)
    assert.isAtLeast(outcome.jumps, 2)
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe("the feed checker", () => {
  const at = 1_000_000
  const log = [1, 2, 3, 4].map((id): LoggedEvent => ({
    id,
    type: id % 2 === 0 ? "org.updated" : "booking.held",
    createdAt: at + id,
    about: `subject ${id}`
  }))
  const all: Page = {
    after: 0,
    type: undefined,
    limit: 10,
    ids: [1, 2, 3, 4],
    nextAfter: 4,
    requestedAt: at + 2004,
    respondedAt: at + 2004
  }
  const complaints = (...pages: ReadonlyArray<Partial<Page>>) =>
    checkFeed(log, pages.map((page) => ({ ...all, ...page })))

  it("accepts a correct feed", () => {
    assert.deepStrictEqual(complaints({}), nothingWrong)
    assert.deepStrictEqual(
      complaints({ ids: [1], limit: 1, nextAfter: 1 }, { after: 1, type: "org.updated", ids: [2, 4] }),
      nothingWrong
    )
  })

  it("reports events that the cursor skipped", () => {
    assert.lengthOf(complaints({ ids: [1, 2, 4] }).lost, 1)
    assert.lengthOf(complaints({ type: "org.updated", ids: [4] }).lost, 1)
    assert.lengthOf(complaints({ ids: [1, 2] }).lost, 2)
    assert.lengthOf(findUnlogged(log, ["subject 1", "subject 5"]), 1)
  })

  it("reports repeated events and events in the wrong order", () => {
    assert.lengthOf(complaints({ ids: [1, 2, 2, 3, 4] }).twice, 1)
    assert.lengthOf(complaints({ ids: [2, 1, 3, 4] }).twice, 1)
    assert.lengthOf(complaints({}, { after: 4, ids: [4] }).twice, 1)
  })

  it("reports an event served before it is two seconds old", () => {
    assert.lengthOf(complaints({ requestedAt: at + 2003, respondedAt: at + 2003 }).early, 1)
    assert.lengthOf(complaints({ requestedAt: at + 2001, respondedAt: at + 2001 }).early, 3)
    assert.lengthOf(complaints({ requestedAt: at + 2001, respondedAt: at + 2004 }).early, 0)
    // An event from a server whose clock was two seconds ahead.
    assert.lengthOf(complaints({ requestedAt: at - 1999, respondedAt: at - 1999 }).early, 0)
  })

  it("reports a page that does not match the request", () => {
    assert.lengthOf(complaints({ limit: 3 }).wrong, 1)
    assert.lengthOf(complaints({ type: "org.updated" }).wrong, 2)
    assert.lengthOf(complaints({ ids: [1, 2, 3, 4, 5], nextAfter: 5 }).wrong, 1)
    assert.lengthOf(complaints({ after: 1, ids: [2, 3, 4] }).wrong, 1)
  })
})
