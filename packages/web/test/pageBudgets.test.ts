import { gzipSync } from "node:zlib"
import { assert, beforeAll, describe, it } from "vitest"
import { assistant, scripts } from "../src/assets/generated.ts"
import { open as openPlace, trip } from "./guest/TestSite.ts"
import { type Season, season } from "./season.ts"
import { open, type World } from "./World.ts"

const weight = (text: string): number => gzipSync(text).length

const kilobyte = 1000

describe("compressed size budgets", () => {
  let world: World
  let all: Season
  beforeAll(async () => {
    world = await open({ publicUrl: "https://book.example.com" })
    all = await season(world)
    for (let n = 0; n < 9; n++) {
      await world.call("offerings.create", {
        name: `Trip ${n} of the Upper River`,
        kind: "appointment",
        description: "Half a day on the water with lunch on the bank. Everything you need is there. ".repeat(3),
        price_cents: 1000 + n
      })
    }
    await world.call("offerings.create", {
      name: "Lockers",
      kind: "appointment",
      capacity: 9,
      duration_minutes: 5,
      slot_interval_minutes: 5
    })
  })

  it("limit a booking page with its styles to 14 kB", async () => {
    const slot = `slot=${all.sessions[4]}&date=2027-05-05`
    const paths = [
      "",
      `/${all.raft}`,
      `/${all.guide}`,
      `/${all.kayak}?periods=3`,
      `/${all.raft}/details?${slot}`,
      "/question"
    ]
    for (const path of paths) {
      const { html, status } = await world.ask(`/book/salida-river-co${path}`)
      assert.strictEqual(status, 200)
      assert.isAtMost(weight(html), 14 * kilobyte, path)
    }
  })

  it("limit a guest page with messages to 14 kB", async () => {
    const site = await openPlace()
    await site.call("org.update", { guest_changes_hours: 24, away_notice: "We are on the river until Monday." })
    const { id } = await site.call("offerings.create", trip)
    const booking = await site.book(id, { notes: "One of us is left-handed." }, 12)
    for (let n = 0; n < 10; n++) {
      await site.call("messages.send", {
        booking_id: booking.id,
        body: `Message ${n}. ${trip.description} `.repeat(3)
      })
    }
    for (const path of ["", "/move", "/cancel"]) {
      const { html, status } = await site.ask(`/b/${booking.handle}${path}`)
      assert.strictEqual(status, 200)
      assert.isAtMost(weight(html), 14 * kilobyte, path)
    }
    await site.close()
  })

  it("limit each script to 5 kB, or to its own budget", () => {
    assert.isAtMost(weight(assistant.text), 11 * kilobyte)
    const most: Readonly<Record<string, number>> = { dashboard: 12, widget: 1.5 }
    for (const [name, { file, text }] of Object.entries(scripts)) {
      assert.isAtMost(weight(text), (most[name] ?? 5) * kilobyte, file)
    }
  })
})
