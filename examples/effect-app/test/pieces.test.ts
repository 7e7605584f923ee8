/** An engine assembled from individual layers behaves like the complete engine. */
import { offeringsCreate, offeringsList } from "@trailbook/core/offering"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BookingEngine, call } from "trailbook/effect"
import { assert, it, onTestFinished } from "vitest"
import { outfitter } from "../engine.ts"
import { engine } from "../pieces.ts"

it("the complete engine can read data from an engine built from individual layers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-pieces-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "trips.sqlite")
  const settings = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["BOOKINGS_FILE", file]])))

  const offering = await Effect.runPromise(
    call(offeringsCreate, { name: "Kayak", kind: "rental" }).pipe(
      Effect.provide(outfitter.pipe(Layer.provideMerge(engine), Layer.provide(settings)))
    )
  )
  const { data } = await Effect.runPromise(
    call(offeringsList, {}).pipe(
      Effect.provide(outfitter.pipe(Layer.provideMerge(BookingEngine.layer({ database: `sqlite:${file}` }))))
    )
  )
  assert.deepEqual(data, [offering])
})
