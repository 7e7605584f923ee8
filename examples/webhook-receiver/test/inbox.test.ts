import { assert, it } from "vitest"
import { booking, event, openBoard } from "./opened.ts"

it("the inbox stores each event once and applies it once, in ID order", () => {
  const { arrivals, inbox } = openBoard()
  assert.isTrue(inbox.add(event(2, "booking.moved", booking("Ada", { starts_at: "2027-06-02T15:00:00.000Z" }))))
  assert.isTrue(inbox.add(event(1, "booking.confirmed", booking("Ada"))))
  assert.isFalse(inbox.add(event(1, "booking.confirmed", booking("Ada"))))
  inbox.work(arrivals.handle)
  assert.isFalse(inbox.add(event(1, "booking.confirmed", booking("Ada"))))
  inbox.work(arrivals.handle)
  assert.deepStrictEqual(arrivals.list(), [{ name: "Ada", starts_at: "2027-06-02T15:00:00.000Z" }])
  assert.strictEqual(inbox.last(), 2)
})

it("the inbox rolls back a handler that throws, and retries its event", () => {
  const { arrivals, inbox } = openBoard()
  inbox.add(event(1, "booking.confirmed", booking("Ada")))
  inbox.add(event(2, "booking.confirmed", booking("Ben")))
  assert.throws(() =>
    inbox.work((event) => {
      arrivals.handle(event)
      if (event.id === 2) throw new Error("The printer is out of paper.")
    })
  )
  assert.deepStrictEqual(arrivals.list().map(({ name }) => name), ["Ada"])
  inbox.work(arrivals.handle)
  assert.deepStrictEqual(arrivals.list().map(({ name }) => name), ["Ada", "Ben"])
})

it("the arrivals list removes canceled guests, and the names of erased guests", () => {
  const { arrivals, database, inbox } = openBoard()
  inbox.add(event(1, "booking.confirmed", booking("Ada")))
  inbox.add(event(2, "booking.confirmed", booking("Ben")))
  inbox.add(event(3, "booking.cancelled", booking("Ben")))
  inbox.add(event(4, "booking.applauded", booking("Cleo")))
  inbox.add(event(5, "customer.deleted", { id: "Ada", name: "" }))
  inbox.work(arrivals.handle)
  assert.deepStrictEqual(arrivals.list().map(({ name }) => name), [""])
  assert.notInclude(JSON.stringify(database.prepare("select * from inbox").all()), "Ada")
})
