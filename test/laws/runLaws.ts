/**
 * Tests the ops agent's runs: automations that create proposals, staff decisions, and runs whose process crashes at
 * each unit of work in turn. Every action must take effect exactly once, no matter which process resumes the run.
 */
import * as Instant from "@trailbook/core/time/Instant"
import { law } from "@trailbook/testkit/law/Law"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import * as Agent from "./agentFixture.ts"

export const runLaws = [
  law(
    "agent/ask",
    "runs a pending proposal only after approval, and accepts only one decision",
    Agent.withAgentFixture(function*(outfit) {
      const { act, ask, list, look, orgId } = outfit
      yield* Agent.soldOut(outfit, 24, 96)
      yield* ask("automations.update", { automation: "fill", dial: "ask" })
      assert.strictEqual(yield* look(), 2)
      yield* act()
      const pendingProposals = yield* list({ status: "pending" })
      assert.strictEqual(pendingProposals.length, 2)
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 2, "a run started without a request")
      const [first, second] = pendingProposals
      if (first === undefined || second === undefined) return
      assert.deepInclude(yield* ask("proposals.approve", { id: first.id }), {
        status: "done",
        decided_by: "api",
        reversible: true,
        error: null
      })
      assert.deepInclude(yield* ask("proposals.dismiss", { id: second.id }), { status: "dismissed" })
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 3)
      for (const { id } of pendingProposals) {
        assert.strictEqual(yield* Agent.refusalCode(ask("proposals.approve", { id })), "proposal_decided")
        assert.strictEqual(yield* Agent.refusalCode(ask("proposals.dismiss", { id })), "proposal_decided")
      }
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 3)
      assert.strictEqual(yield* Agent.refusalCode(ask("proposals.approve", { id: orgId })), "not_found")
    })
  ),

  law(
    "agent/undo",
    "undoes a session opening only while the session has no bookings",
    Agent.withAgentFixture(function*(outfit) {
      const { act, ask, list, look, orgId } = outfit
      const { offering_id } = yield* Agent.soldOut(outfit, 24, 96)
      yield* ask("automations.update", { automation: "fill", dial: "do_quiet" })
      yield* look()
      yield* act()
      const doneProposals = yield* list({ status: "done" })
      assert.strictEqual(doneProposals.length, 2)
      assert.deepStrictEqual(
        new Set<unknown>(doneProposals.map(({ decided_by }) => decided_by)),
        new Set<unknown>(["agent"])
      )
      const [keptProposal, undoable] = doneProposals
      if (keptProposal === undefined || undoable === undefined) return
      const sessionId = String(keptProposal.actions[0]?.undo?.input.id)
      yield* Agent.book(outfit, offering_id, sessionId, "bob@b.co")
      assert.strictEqual(yield* Agent.refusalCode(ask("proposals.undo", { id: keptProposal.id })), "not_reversible")
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 4)
      assert.deepInclude(yield* ask("proposals.undo", { id: undoable.id }), { status: "undone" })
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 3)
      assert.strictEqual(yield* Agent.refusalCode(ask("proposals.undo", { id: undoable.id })), "not_reversible")
      assert.strictEqual((yield* list({ status: "done" }))[0]?.id, keptProposal.id)
    })
  ),

  law(
    "agent/once",
    "sends each reminder and opens each session once, despite crashes",
    function*() {
      const crashPoints = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((units) =>
        [[units, "before"], [units, "at the end"]] as const
      )
      for (const [units, dies] of crashPoints) {
        yield* Agent.makeAgentFixture(function*(outfit) {
          const { act, another, ask, clock, list, look, orgId } = outfit
          const { offering_id, sessionIds } = yield* Agent.raftingOutfitter(outfit, 48)
          const [session = ""] = sessionIds
          yield* Agent.book(outfit, offering_id, session, "ann@a.co")
          yield* Agent.book(outfit, offering_id, session, "bob@b.co")
          yield* clock.advance(Agent.dayMs)
          for (const automation of ["fill", "reminders"]) {
            yield* ask("automations.update", { automation, dial: "do_tell" })
          }
          const crashingProcess = yield* another(units, dies)
          yield* Agent.withCrashes(outfit, crashingProcess)
          for (let round = 0; round < 3; round++) {
            yield* clock.advance(6 * 60_000)
            yield* look()
            yield* act()
          }
          const messages = yield* Agent.listMessages(orgId)
          assert.strictEqual(messages.length, 2, `after ${units} units, ${dies}`)
          assert.deepStrictEqual(new Set<string>(messages.map(({ sentBy }) => sentBy)), new Set(["agent"]))
          assert.isTrue(messages.every(({ body }) => body.startsWith("Hi Ann,")))
          const starts = yield* Agent.listStarts(orgId)
          assert.strictEqual(new Set(starts).size, starts.length)
          assert.strictEqual(starts.length, 2)
          assert.deepStrictEqual(new Set<string>((yield* list()).map(({ status }) => status)), new Set(["done"]))
        })
      }
    }
  ),

  law(
    "agent/one",
    "creates one proposal per subject, and executes at most the daily cap, during concurrent runs",
    Agent.withAgentFixture(function*(outfit) {
      const { act, another, ask, list, orgId } = outfit
      yield* Agent.soldOut(outfit, 24, 72, 120, 168, 216, 264)
      yield* ask("org.update", { ops_daily_cap: 2 })
      const processes = yield* Effect.all([another(), another(), another()])
      const turns = Effect.forEach(processes, ({ turns }) =>
        Effect.gen(function*() {
          yield* ask("automations.update", { automation: "fill", dial: "do_tell" })
          for (const claim of yield* turns.claim(10)) yield* turns.take(claim)
        }), { concurrency: "unbounded" })
      yield* turns
      yield* turns
      yield* act()
      const all = yield* list()
      assert.strictEqual(all.length, 6)
      assert.strictEqual(all.filter(({ status }) => status === "done").length, 2)
      assert.strictEqual(all.filter(({ data }) => data.held === "cap").length, 4)
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 8)
      // Proposals from a later run also exceed the cap.
      const other = yield* Agent.raftingOutfitter(outfit, 312)
      yield* Agent.book(outfit, other.offering_id, other.sessionIds[0] ?? "", "ann@a.co", 2)
      yield* ask("automations.update", { automation: "fill", dial: "do_tell" })
      yield* outfit.look()
      yield* act()
      assert.strictEqual((yield* list({ status: "done" })).length, 2)
      assert.strictEqual((yield* list()).length, 7)
    })
  ),

  law(
    "agent/cancelled",
    "cancels bookings because of bad weather, and notifies each guest once",
    Agent.withAgentFixture(function*(outfit) {
      const { act, ask, list, look, orgId, weather } = outfit
      const { offering_id, sessionIds: [session = ""] } = yield* Agent.raftingOutfitter(outfit, 30)
      yield* Agent.book(outfit, offering_id, session, "ann@a.co")
      yield* Agent.book(outfit, offering_id, session, "bob@b.co")
      const tour = Agent.resultId(
        yield* ask("offerings.create", { name: "Tour", kind: "appointment", lat: 38, lon: -106 })
      )
      const bookingId = Agent.resultId(
        yield* ask("bookings.create", {
          offering_id: tour,
          starts_at: Instant.format(Instant.addMinutes(Agent.noon, 24 * 60)),
          customer: { email: "cid@c.co", name: "Cid" }
        })
      )
      yield* weather.change({ gustKph: 90 })
      yield* Agent.fearGusts(outfit, "do_tell")
      assert.strictEqual(yield* look(), 2)
      yield* act()
      const all = yield* list()
      const sessionProposal = all.find(({ session_id }) => session_id === session)
      const bookingProposal = all.find(({ booking_id }) => booking_id === bookingId)
      assert.deepInclude(bookingProposal, { status: "done", error: null })
      assert.deepStrictEqual(bookingProposal?.actions.map(({ kind }) => kind), ["cancel_booking", "message"])
      assert.strictEqual((yield* ask("bookings.get", { id: bookingId })).status, "cancelled")
      assert.deepInclude(sessionProposal, { status: "done", error: null, reversible: false })
      assert.deepStrictEqual(sessionProposal?.actions.map(({ kind, result }) => [kind, result?.ok]), [
        ["message", true],
        ["cancel_session", true]
      ])
      assert.deepStrictEqual(yield* Agent.listStarts(orgId), [])
      const messages = yield* Agent.listMessages(orgId)
      assert.strictEqual(messages.length, 3)
      assert.isTrue(messages.every(({ body, sentBy }) => sentBy === "agent" && body.includes("strong gusts of wind")))
    })
  ),

  law(
    "agent/holds",
    "expires a proposal whose action no longer applies",
    Agent.withAgentFixture(function*(outfit) {
      const { act, ask, clock, list, look, orgId, process, weather } = outfit
      yield* Agent.raftingOutfitter(outfit, 30)
      yield* Agent.fearGusts(outfit, "ask")
      yield* weather.change("slow")
      assert.strictEqual(yield* look(), 0, "a trip was canceled without a reason")
      yield* weather.change({ gustKph: 90 })
      yield* clock.advance(60 * 60_000)
      assert.strictEqual(yield* look(), 1)
      const [proposed] = yield* list()
      assert.deepStrictEqual(proposed?.actions.map(({ kind }) => kind), ["cancel_session"])
      yield* weather.change({})
      yield* clock.advance(60 * 60_000)
      const id = proposed?.id ?? ""
      assert.strictEqual(yield* Agent.refusalCode(ask("proposals.approve", { id })), "proposal_expired")
      assert.strictEqual(yield* Agent.refusalCode(ask("proposals.dismiss", { id })), "proposal_expired")
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 1)

      // At night, a cancellation waits until morning. By then, the wind has dropped.
      yield* Agent.raftingOutfitter(outfit, 40)
      yield* ask("automations.update", { automation: "weather", dial: "do_tell" })
      yield* weather.change({ gustKph: 90 })
      yield* clock.advance(9 * 60 * 60_000)
      assert.strictEqual(yield* look(), 1)
      yield* act()
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 2, "a trip was canceled during quiet hours")
      yield* weather.change({})
      yield* clock.advance(10 * 60 * 60_000)
      yield* act()
      assert.strictEqual((yield* Agent.listStarts(orgId)).length, 2)
      assert.deepStrictEqual((yield* list()).map(({ status }) => status), ["expired", "expired"])

      yield* Agent.raftingOutfitter(outfit, 60)
      yield* ask("automations.update", { automation: "weather", dial: "ask" })
      yield* weather.change({ gustKph: 90 })
      yield* look()
      assert.isAbove((yield* list({ status: "pending" })).length, 0)
      yield* clock.advance(3 * Agent.dayMs)
      yield* process.proposals.expire(100)
      assert.deepStrictEqual(yield* list({ status: "pending" }), [])
    })
  )
]
