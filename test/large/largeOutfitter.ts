/** Stores an outfitter and measures every operation in a separate process. */
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import { databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bulk } from "./bulk.ts"
import type { Costs, MeasureOptions } from "./measure.ts"
import { outfitter, settle, type Size } from "./outfitter.ts"

const orgId = "01900000-0000-7000-8000-00000000abcd"

const storageOf = (url: string) => {
  const reading = databaseUrl.read(url)
  if (!("value" in reading)) throw new Error(`${url}: ${reading.must}`)
  return Layer.unwrapEffect(Effect.map(loadAdapter(reading.value), ({ storage }) => storage))
}

/** Measures every operation for an outfitter of this size. The database must be empty. */
export const largeOutfitter = async (url: string, size: Size, turns: number): Promise<Costs> => {
  const now = Date.now()
  const storage = storageOf(url)
  // Storing the org creates the tables, so that `bulk` can drop their indexes.
  await Effect.runPromise(Effect.provide(
    Effect.flatMap(OrgStore, ({ put }) =>
      put(Org.make({
        id: orgId,
        name: "Large River Co.",
        slug: "large",
        timezone: "America/Denver",
        createdAt: Instant.make(now)
      }))),
    storage
  ))
  await bulk(url, () => Effect.runPromise(Effect.provide(settle(outfitter(orgId, Instant.make(now), size)), storage)))
  return runMeasurement({ url, orgId, now, size, turns })
}

const runMeasurement = async (question: MeasureOptions): Promise<Costs> => {
  const child = fork(join(import.meta.dirname, "measure.ts"), [], { execArgv: ["--import", "tsx"] })
  child.send(question)
  const either = new AbortController()
  try {
    return await Promise.race([
      once(child, "message", either).then(([costs]) => costs as Costs),
      once(child, "exit", either).then(([code]) =>
        Promise.reject(new Error(`The measuring process exited with ${code}.`))
      )
    ])
  } finally {
    either.abort()
  }
}
