/** Tests handlers registered with `on`, on SQLite and Postgres: failures, crashes, and several processes. */
import BetterSqlite3 from "better-sqlite3"
import { join } from "node:path"
import { Client, Pool } from "pg"
import { type EventType, fromPg, type Outfitter, postgres, type Trailbook, type TrailbookOptions } from "trailbook"
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest"
import { sample } from "../../../../test/runs.ts"
import { folder } from "../../../cli/test/program.ts"
import { ada, createHostDatabase, makeClock, openTrailbook, salida, schema, trip } from "./outfit.ts"

interface Place {
  readonly address: string
  /** Runs a statement directly on the database, as an operator would. */
  readonly ask: (statement: string) => Promise<void>
}

const places = {
  SQLite: (): Place => {
    const file = join(folder(), "river.sqlite")
    return {
      address: `sqlite:${file}`,
      ask: async (statement) => {
        const client = new BetterSqlite3(file)
        client.exec(statement)
        client.close()
      }
    }
  },
  Postgres: async (): Promise<Place> => {
    const { url } = await createHostDatabase()
    return {
      address: `${url}?schema=${schema}`,
      ask: async (statement) => {
        const client = new Client({ connectionString: url })
        await client.connect()
        await client.query(`set search_path = ${schema}; set ${schema}.orgs = '*'; ${statement}`)
        await client.end()
      }
    }
  }
}

const leasesEnd = "update subscriptions set lease_until = 0 where lease_until is not null"

const patient = { timeout: 60_000, interval: 50 }

/** Opens host applications that share a database and a clock. `pass` advances the clock, by 2 seconds by default. */
const outfitters = (place: Place) => {
  const clock = makeClock()
  const logs: Array<string> = []
  return {
    logs,
    pass: (ms = 2000) => {
      clock.at += ms
    },
    open: (options: Partial<TrailbookOptions> = {}) =>
      openTrailbook({
        database: place.address,
        clock,
        mailer: "none",
        log: (line: string) => logs.push(line),
        ...options
      })
  }
}

const rename = (trailbook: Outfitter, name: string) => trailbook.org.update({ name })

let names = 0

/** Creates `count` events by renaming the org. Each name is new, because an unchanged name would create no event. */
const happen = async (trailbook: Outfitter, count: number) => {
  for (let at = 1; at <= count; at++) await rename(trailbook, `River ${++names}`)
}

const createGate = () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
  return { until, release: () => release() }
}

describe.each(sample(["SQLite", "Postgres"] as const, 2))("an event handler on %s", (kind) => {
  it("receives each event in order, after 2 seconds", async () => {
    const { open, pass } = outfitters(await places[kind]())
    const trailbook = await open()
    const place = await trip(trailbook)
    const bookingLabels: Array<string> = []
    const all: Array<number> = []
    trailbook.on("booking.confirmed", ({ data }) => bookingLabels.push(`${data.customer.name} ${data.quantity}`), {
      from: "start"
    })
    trailbook.on("*", async ({ id }) => void all.push(id), { from: "start" })
    await trailbook.bookings.create({ ...place, quantity: 2, ...ada })
    await trailbook.bookings.create({ ...place, quantity: 3, customer: { email: "grace@example.com", name: "Grace" } })
    pass(1999)
    expect((await trailbook.worker.runOnce()).subscriptions).toEqual({})
    expect([bookingLabels, all]).toEqual([[], []])
    pass(1)
    const { data: events } = await trailbook.events.list()
    expect((await trailbook.worker.runOnce()).subscriptions).toEqual({ delivered: 2 + events.length, failed: 0 })
    expect(bookingLabels).toEqual(["Ada 2", "Grace 3"])
    expect(all).toEqual(events.map(({ id }) => id))
    expect((await trailbook.worker.runOnce()).subscriptions).toEqual({})
  })

  it("receives events after its registration, and resumes at its cursor", async () => {
    const place = await places[kind]()
    const { open, pass } = outfitters(place)
    const received: Array<string> = []
    const hear = ({ data }: { readonly data: { readonly name: string } }) => void received.push(data.name)
    const before = await open()
    await rename(before, "too early")
    const off = before.on("org.updated", hear, { name: "sign" })
    await rename(before, "handed over, and no worker yet")
    pass()
    await before.worker.runOnce()
    await rename(before, "first")
    pass()
    await before.worker.runOnce()
    off()
    await rename(before, "without a listener")
    pass()
    await before.worker.runOnce()
    await before.close()
    const after = await open()
    after.on("org.updated", hear, { name: "sign", from: "start" })
    await rename(after, "last")
    pass()
    await after.worker.runOnce()
    expect(received).toEqual(["first", "without a listener", "last"])
  })

  it("receives an event again if the process dies", async () => {
    const place = await places[kind]()
    const { open, pass } = outfitters(place)
    const [dying, next] = [await open(), await open()]
    const { release, until } = createGate()
    const [lost, received]: [Array<number>, Array<number>] = [[], []]
    dying.on("*", async ({ id }) => {
      lost.push(id)
      if (id === 2) await until
    }, { from: "start" })
    await happen(dying, 4)
    pass()
    await dying.worker.start()
    await vi.waitFor(() => expect(lost).toEqual([1, 2]), patient)

    next.on("*", ({ id }) => void received.push(id), { from: "start" })
    await next.worker.runOnce()
    expect(received).toEqual([])
    await place.ask(leasesEnd)
    await next.worker.runOnce()
    expect(received).toEqual([2, 3, 4])

    // The first process's late result is ignored.
    await happen(next, 1)
    pass()
    release()
    await dying.worker.stop()
    await next.worker.runOnce()
    expect([...lost, ...received]).toEqual([1, 2, 2, 3, 4, 5])
  })

  it("is retried without blocking other handlers", async () => {
    const { open, pass, logs } = outfitters(await places[kind]())
    const trailbook = await open()
    const place = await trip(trailbook)
    const [ill, well]: [Array<number>, Array<number>] = [[], []]
    let failures = 2
    trailbook.on("*", ({ id }) => {
      ill.push(id)
      if (id === 2 && failures-- > 0) throw Object.assign(new RangeError("Ada of ada@example.com"), { code: "EFULL" })
    }, { name: "ill", from: "start" })
    trailbook.on("*", async ({ id }) => void well.push(id), { name: "well", from: "start" })
    await trailbook.bookings.create({ ...place, ...ada })
    pass()
    expect((await trailbook.worker.runOnce()).subscriptions).toEqual({ delivered: 1 + 4, failed: 1 })
    expect(well).toEqual([1, 2, 3, 4])
    await vi.waitFor(async () => {
      await trailbook.worker.runOnce()
      expect(ill).toEqual([1, 2, 2, 2, 3, 4])
    }, patient)
    expect(logs.map((line) => JSON.parse(line))).toEqual(
      Array(2).fill(expect.objectContaining({
        level: "warn",
        subscriber: "ill",
        event: 2,
        detail: "The host application's handler failed: RangeError EFULL."
      }))
    )
    expect(logs.join()).not.toContain("ada")
  })

  it("receives no event from a refused operation", async () => {
    const { open, pass } = outfitters(await places[kind]())
    const trailbook = await open()
    const place = await trip(trailbook, 1)
    const received: Array<string> = []
    trailbook.on("*", ({ type }) => void received.push(type), { from: "start" })
    await trailbook.bookings.create({ ...place, ...ada })
    const late = await trailbook.try.bookings.create({ ...place, customer: { email: "late@example.com" } })
    expect(late.ok).toBe(false)
    pass()
    await trailbook.worker.runOnce()
    expect(received).toEqual(["offering.created", "session.created", "customer.updated", "booking.confirmed"])
  })
})

it("an event handler cannot change the event that other handlers receive", async () => {
  const clock = makeClock()
  const trailbook = await openTrailbook({ clock, mailer: "none" })
  const received: Array<string> = []
  for (const name of ["a", "b"]) {
    trailbook.on("org.updated", ({ data }) => {
      received.push(data.name)
      Object.assign(data, { name: "changed" })
    }, { name, from: "start" })
  }
  await rename(trailbook, "River")
  clock.at += 2000
  await trailbook.worker.runOnce()
  expect(received).toEqual(["River", "River"])
  expect((await trailbook.events.list()).data).toMatchObject([{ data: { name: "River" } }])
})

it("an event handler in two programs receives each event once, in order", async () => {
  const place = await places.Postgres()
  const { open, pass, logs } = outfitters(place)
  const programs = [await open(), await open()]
  const received = { a: new Array<number>(), b: new Array<number>() }
  const at = { a: 0, b: 0 }
  let most = 0
  for (const program of programs) {
    for (const name of ["a", "b"] as const) {
      program.on("*", async ({ id }) => {
        most = Math.max(most, ++at[name])
        // Let the other process run in between.
        await new Promise((resolve) => setImmediate(resolve))
        received[name].push(id)
        at[name]--
      }, { name, from: "start" })
    }
    await program.worker.start()
  }
  for (let turn = 0; turn < 6; turn++) {
    await Promise.all(programs.map((program) => happen(program, 10)))
    pass()
  }
  const expected = Array.from({ length: 120 }, (_, at) => at + 1)
  await vi.waitFor(() => expect(received, logs.join("\n")).toEqual({ a: expected, b: expected }), patient)
  expect(most).toBe(1)
})

it("an event handler receives events from a host transaction only after its commit", async () => {
  const { url } = await createHostDatabase()
  const pool = new Pool({ connectionString: url, max: 3 })
  onTestFinished(() => pool.end())
  const clock = makeClock()
  const trailbook = await openTrailbook({ database: postgres({ pool, schema }), clock, mailer: "none" })
  const place = await trip(trailbook)
  const received: Array<string> = []
  trailbook.on("booking.confirmed", ({ data }) => void received.push(data.customer.name), { from: "start" })
  for (const [name, end] of [["Ada", "rollback"], ["Grace", "commit"]] as const) {
    const client = await pool.connect()
    await client.query("begin")
    await trailbook.within(fromPg(client)).bookings.create({
      ...place,
      customer: { email: `${name.toLowerCase()}@example.com`, name }
    })
    clock.at += 2000
    await trailbook.worker.runOnce()
    await client.query(end)
    client.release()
  }
  await trailbook.worker.runOnce()
  expect(received).toEqual(["Grace"])
})

describe("the function that `on` returns", () => {
  it("stops further calls and frees the handler's name", async () => {
    const { open, pass } = outfitters(places.SQLite())
    const trailbook = await open()
    const received: Array<string> = []
    const off = trailbook.on("*", ({ id }) => {
      received.push(`first ${id}`)
      if (id === 2) off()
    }, { from: "start" })
    await happen(trailbook, 4)
    pass()
    await trailbook.worker.runOnce()
    expect(received).toEqual(["first 1", "first 2"])
    off()
    trailbook.on("*", ({ id }) => void received.push(`second ${id}`))
    await trailbook.worker.runOnce()
    expect(received).toEqual(["first 1", "first 2", "second 3", "second 4"])
  })
})

describe("a running worker", () => {
  it("completes the handler call in progress before Trailbook closes", async () => {
    const { open, pass } = outfitters(places.SQLite())
    const trailbook = await open()
    const received: Array<string> = []
    await trailbook.worker.start()
    trailbook.on("*", async ({ id }) => {
      received.push(`begun ${id}`)
      // This loop runs much longer than it takes to close a database.
      for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve))
      received.push(`ended ${id}`)
    }, { from: "start" })
    await happen(trailbook, 2)
    pass()
    await vi.waitFor(() => expect(received).toEqual(["begun 1"]), { ...patient, interval: 1 })
    await trailbook.close()
    // The second event is left for the next process.
    expect(received).toEqual(["begun 1", "ended 1"])
  })
})

describe("`runOnce` while Trailbook closes", () => {
  it("completes the handler calls in progress", async () => {
    const { open, pass } = outfitters(places.SQLite())
    const trailbook = await open()
    const { release, until } = createGate()
    const received: Array<number> = []
    trailbook.on("*", async ({ id }) => {
      received.push(id)
      await until
    }, { from: "start" })
    await happen(trailbook, 3)
    pass()
    const once = trailbook.worker.runOnce()
    await vi.waitFor(() => expect(received).toEqual([1]), patient)
    const shutdown = trailbook.close()
    release()
    await shutdown
    expect((await once).subscriptions).toEqual({ delivered: 1, failed: 0 })
    expect(received).toEqual([1])
  })

  it("aborts a handler call that hangs for ten seconds", async () => {
    const { open, pass } = outfitters(places.SQLite())
    const [hanging, next] = [await open(), await open()]
    const received: Array<string> = []
    hanging.on("*", async ({ id }) => {
      received.push(`hanging ${id}`)
      await new Promise(() => {})
    }, { from: "start" })
    await happen(hanging, 1)
    pass()
    const once = hanging.worker.runOnce().catch((error: unknown) => error)
    await vi.waitFor(() => expect(received).toEqual(["hanging 1"]), patient)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const shutdown = hanging.close()
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await shutdown
    expect(await once).toMatchObject({ message: "Trailbook is closed." })
    next.on("*", ({ id }) => void received.push(`next ${id}`))
    await next.worker.runOnce()
    expect(received).toEqual(["hanging 1", "next 1"])
  })
})

describe("several outfitters in one program", () => {
  it("have separate handlers and cursors", async () => {
    const { open, pass } = outfitters(places.SQLite())
    const trailbook: Trailbook = await open({ org: undefined })
    const received: Array<string> = []
    for (const name of ["North", "South"]) {
      const { slug } = await trailbook.orgs.create({ name, timezone: "Europe/Oslo" })
      const outfitter = await trailbook.forOrg(slug)
      outfitter.on("org.updated", ({ data }) => void received.push(data.name), { from: "start" })
      await rename(outfitter, `${name} Kayak`)
    }
    pass()
    await trailbook.worker.runOnce()
    expect(received.sort()).toEqual(["North Kayak", "South Kayak"])
    expect(() => (trailbook as Outfitter & Trailbook).on("*", () => {})).toThrow(/^org: /)
  })
})

describe("the function `on`", () => {
  it("rejects a second handler with the same name", async () => {
    const { open } = outfitters(places.SQLite())
    const trailbook = await open()
    trailbook.on("booking.confirmed", () => {})
    expect(() => trailbook.on("booking.confirmed", () => {})).toThrow(TypeError)
    expect(() => trailbook.as({ source: "widget" }).on("*", () => {}, { name: "booking.confirmed" }))
      .toThrow(/^name: another handler is already named booking\.confirmed/)
    const off = trailbook.on("*", () => {})
    expect(() => trailbook.on("*", () => {}, { name: "all" })).toThrow(/^name: /)
    off()
    trailbook.on("*", () => {}, { name: "all" })

    const same = await trailbook.forOrg((await trailbook.org.get()).slug)
    const offSame = same.on("*", () => {}, { name: "all" })
    await expect(trailbook.worker.start()).rejects.toThrow(/^name: another handler is already named all/)
    await expect(trailbook.worker.start()).rejects.toThrow(/^name: another handler is already named all/)
    offSame()
    await trailbook.worker.start()
    expect(() => same.on("*", () => {}, { name: "all" })).toThrow(/^name: /)
  })

  it.each([
    ["type", ["booking.paid", () => {}]],
    ["handler", ["*", undefined]],
    ["name", ["*", () => {}, { name: "CRM" }]],
    ["name", ["*", () => {}, { name: "" }]],
    ["name", ["*", () => {}, { name: "a".repeat(65) }]],
    ["from", ["*", () => {}, { from: "yesterday" }]]
  ])("rejects an invalid %s: %j", async (field, args) => {
    const trailbook = await openTrailbook()
    const call = () => Reflect.apply(trailbook.on, undefined, args)
    expect(call).toThrow(new RegExp(`^${field}: `))
  })

  it("rejects a caller without read access", async () => {
    const trailbook = await openTrailbook()
    expect(() => trailbook.as({ scopes: ["write"] }).on("*", () => {})).toThrow(
      expect.objectContaining({ code: "forbidden", status: 403 })
    )
    trailbook.as({ scopes: ["read"] }).on("*", () => {})
  })

  it("makes the worker fail if the outfitter does not exist", async () => {
    const trailbook = await openTrailbook({ org: "nobody", mailer: "none" })
    trailbook.on("*", () => {})
    await expect(trailbook.worker.start()).rejects.toMatchObject({ code: "not_found" })
  })
})

it("the function `on` infers the type of a handler's data from the event type", async () => {
  const { eventTypes } = await import("@trailbook/core/event/Events")
  expectTypeOf<EventType>().toEqualTypeOf<(typeof eventTypes)[number]>()
  const trailbook = await openTrailbook({ org: salida })
  trailbook.on("offering.hours_updated", ({ data, type }) => {
    expectTypeOf(type).toEqualTypeOf<"offering.hours_updated">()
    expectTypeOf(data.hours[0]?.weekday).toEqualTypeOf<number | undefined>()
  })
  trailbook.on("*", (event) => {
    if (event.type === "customer.deleted") expectTypeOf(event.data.email).toEqualTypeOf<string>()
  })
})
