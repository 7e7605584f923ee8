/**
 * Tests the unattended ops agent. Runs start late, resume days later or in chunks, and revert actions while guests
 * book.
 */
import { ChunkSize } from "@trailbook/core/job/defineJob"
import * as Instant from "@trailbook/core/time/Instant"
import { law } from "@trailbook/testkit/law/Law"
import type { ServerProcess } from "@trailbook/testkit/law/ServerProcess"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import * as Agent from "./agentFixture.ts"

const hourMs = 60 * 60_000

/** The time until 10 p.m. in Denver. */
const untilNight = 9 * hourMs

/** The number of guests in a session, which is too many for one or two chunks. */
const guestEmails = ["ann@a.co", "bob@b.co", "cy@c.co", "dee@d.co", "eve@e.co"]
const isPart = (count: number): boolean => count > 0 && count < guestEmails.length
const draft = { body: "We canceled the trip because of strong wind. You will get a full refund." }

/** The maximum number of units of work to try, which is more than the job takes. */
const maxUnits = 40

export const unattendedAgentLaws = [
  law(
    "agent/night",
    "delays nightly actions until quiet hours end, or requires approval if a trip starts earlier",
    Agent.withAgentFixture(function*(outfit) {
      const { act, clock, list, look, orgId, weather } = outfit
      // One session starts the next afternoon, and the other starts an hour before quiet hours end.
      const { offering_id, sessionIds: [late = "", early = ""] } = yield* Agent.raftingOutfitter(outfit, 24, 17)
      yield* Agent.book(outfit, offering_id, late, "ann@a.co")
      yield* Agent.book(outfit, offering_id, early, "bob@b.co")
      yield* weather.change({ gustKph: 90 })
      yield* Agent.fearGusts(outfit, "do_tell")
      assert.strictEqual(yield* look(), 2)
      // The worker is late.
      yield* clock.advance(untilNight)
      yield* act()
      assert.deepStrictEqual(yield* Agent.listMessages(orgId), [], "guests were notified during quiet hours")
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 2)
      const findProposal = (session: string) =>
        Effect.map(list(), (all) => all.find(({ session_id }) => session_id === session))
      assert.deepInclude(yield* findProposal(early), { status: "pending", decided_at: null, decided_by: null })
      yield* clock.advance(8 * hourMs)
      yield* act()
      assert.deepStrictEqual(yield* Agent.listMessages(orgId), [], "guests were notified before quiet hours ended")
      yield* clock.advance(hourMs)
      yield* act()
      assert.deepInclude(yield* findProposal(late), { status: "done", decided_by: "agent" })
      const messages = yield* Agent.listMessages(orgId)
      assert.deepStrictEqual(messages.map(({ createdAt }) => createdAt), [Instant.make(Agent.noon + 18 * hourMs)])
      assert.deepStrictEqual(yield* Agent.listStarts(orgId), [Instant.make(Agent.noon + 17 * hourMs)])
    })
  ),

  law(
    "agent/slept",
    "sends no messages about past trips when a run resumes after three days",
    function*() {
      let halfWay = 0
      for (let units = 0; units < 12; units++) {
        yield* Agent.makeAgentFixture(function*(outfit) {
          const { act, another, ask, clock, list, look, orgId, process } = outfit
          const { offering_id, sessionIds: [session = ""] } = yield* Agent.raftingOutfitter(outfit, 48)
          for (const email of ["ann@a.co", "bob@b.co"]) yield* Agent.book(outfit, offering_id, session, email)
          yield* clock.advance(Agent.dayMs)
          yield* ask("automations.update", { automation: "reminders", dial: "do_tell" })
          yield* look()
          const crashingProcess = yield* another(units)
          for (const claim of yield* process.proposals.claim(100)) {
            yield* Effect.exit(crashingProcess.proposals.run(claim))
            yield* process.proposals.release([claim])
          }
          const messageCount = (yield* Agent.listMessages(orgId)).length
          if (messageCount === 1) halfWay++
          yield* clock.advance(3 * Agent.dayMs)
          yield* look()
          yield* act()
          yield* process.proposals.expire(100)
          assert.strictEqual(
            (yield* Agent.listMessages(orgId)).length,
            messageCount,
            "a guest was reminded of a past trip"
          )
          const [{ actions, status } = { actions: [], status: "none" }] = yield* list({ automation: "reminders" })
          assert.strictEqual(status, messageCount === 0 ? "expired" : "done")
          if (messageCount > 0) assert.strictEqual(actions.length, messageCount)
        })
      }
      assert.isAbove(halfWay, 0, "no process died during the run")
    }
  ),

  law(
    "agent/parts",
    "cancels a large trip in chunks, and notifies each guest once despite crashes",
    function*() {
      const outcomes = { halfWritten: 0, halfCancelled: 0, whole: 0 }
      for (let units = 0; units < maxUnits && outcomes.whole === 0; units++) {
        yield* Effect.provideService(
          Agent.makeAgentFixture(function*(outfit) {
            const { act, another, ask, clock, list, look, orgId, process, weather } = outfit
            const { offering_id, sessionIds: [session = ""] } = yield* Agent.raftingOutfitter(outfit, 24)
            yield* ask("offerings.update", { id: offering_id, capacity: guestEmails.length })
            for (const email of guestEmails) yield* Agent.book(outfit, offering_id, session, email)
            yield* weather.change({ gustKph: 90 })
            yield* Agent.fearGusts(outfit, "ask")
            assert.strictEqual(yield* look(), 1)
            const [{ id } = { id: "" }] = yield* list({ status: "pending" })
            const recipients = Effect.map(Agent.listMessages(orgId), (all) => all.map(({ customerId }) => customerId))
            const eventTypes = Effect.map(
              Store.eventLog.latest(orgId, 1000),
              (events) => events.map(({ type }) => type)
            )
            const cancelCount = Effect.map(
              eventTypes,
              (types) => types.filter((type) => type === "booking.cancelled").length
            )
            const approve = ({ call }: ServerProcess) => Effect.exit(call(orgId, "proposals.approve", { id, draft }))

            const { _tag } = yield* approve(yield* another(units))
            if (isPart((yield* recipients).length)) outcomes.halfWritten++
            if (isPart(yield* cancelCount)) outcomes.halfCancelled++
            if (_tag === "Success") outcomes.whole++
            else yield* approve(process)
            // Unfinished work can be claimed again a few minutes later.
            for (let time = 0; time < 2; time++) {
              yield* clock.advance(3 * 60_000)
              yield* act()
              for (const row of yield* process.leftovers.claim(10)) {
                yield* process.leftovers.resume(row, Effect.succeed(false))
              }
            }

            assert.deepInclude((yield* list()).find((proposal) => proposal.id === id), { status: "done" })
            const guests = yield* recipients
            assert.deepStrictEqual(
              [guests.length, new Set(guests).size],
              [guestEmails.length, guestEmails.length],
              "written to once"
            )
            assert.strictEqual(yield* cancelCount, guestEmails.length, "told once of each")
            const types = yield* eventTypes
            assert.strictEqual(types.filter((type) => type === "session.cancelled").length, 1)
            const first = types.indexOf("session.cancelled")
            assert.isBelow(
              types.lastIndexOf("message.sent"),
              first,
              "a guest received a message after the cancellation"
            )
            assert.isBelow(first, types.indexOf("booking.cancelled"))
          }),
          ChunkSize,
          2
        )
      }
      assert.isAbove(outcomes.whole, 0, "the work does not finish")
      assert.isAbove(outcomes.halfWritten, 0, "all messages were sent in one transaction")
      assert.isAbove(outcomes.halfCancelled, 0, "all bookings were canceled in one transaction")
    }
  ),

  law(
    "agent/undo-race",
    "either undoes a session opening or accepts a booking for it, but never both",
    Agent.withAgentFixture(function*(outfit) {
      const { act, another, ask, list, look, orgId } = outfit
      const { offering_id } = yield* Agent.soldOut(outfit, 24, 72, 120)
      yield* ask("automations.update", { automation: "fill", dial: "do_quiet" })
      yield* look()
      yield* act()
      const doneProposals = yield* list({ status: "done" })
      assert.strictEqual(doneProposals.length, 3)
      const processes = yield* Effect.all([another(), another(), another()])
      for (const { actions, id } of doneProposals) {
        const session_id = String(actions[0]?.undo?.input.id)
        const [undoCode, ...bookingCodes] = yield* Effect.all([
          Agent.refusalCode(ask("proposals.undo", { id })),
          ...processes.map(({ call }, at) =>
            Agent.refusalCode(call(orgId, "bookings.create", {
              offering_id,
              session_id,
              quantity: 1,
              customer: { email: `guest${at}@a.co`, name: "Guest" }
            }))
          )
        ], { concurrency: "unbounded" })
        const seats = bookingCodes.filter((code) => code === "done").length
        const session = (yield* ask("sessions.list", {})).data as ReadonlyArray<Readonly<Record<string, unknown>>>
        const now = session.find(({ id }) => id === session_id)
        assert.deepInclude(
          now,
          undoCode === "done" ? { status: "cancelled", booked: 0 } : { status: "scheduled", booked: seats }
        )
        if (undoCode === "done") assert.strictEqual(seats, 0, "a guest booked a session whose opening was undone")
        else assert.deepStrictEqual([undoCode, seats > 0], ["not_reversible", true])
      }
    })
  )
]
