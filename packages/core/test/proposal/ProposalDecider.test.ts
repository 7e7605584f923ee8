import type { Action } from "@trailbook/core/automation/Action"
import { run } from "@trailbook/core/Decider"
import type { Proposal } from "@trailbook/core/proposal/Proposal"
import { type ProposalCommand, proposalDecider } from "@trailbook/core/proposal/ProposalDecider"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const now = Instant.make(1_000_000)
const later = Instant.make(2_000_000)

const open: Action = {
  kind: "create_session",
  op: "sessions.create",
  input: { offering_id: "o1" },
  facts: { why: "full", reason: "" },
  reversible: true
}
const message: Action = {
  kind: "message",
  op: "messages.send",
  input: { booking_id: "b1", subject: "Old", body: "old" },
  facts: { why: "weather", reason: "", subject: "Old", body: "old" }
}

const pendingProposal: Proposal = {
  id: "p1",
  orgId: "org",
  automation: "fill",
  subject: "day",
  day: LocalDate.make(0),
  title: "",
  sessionId: null,
  bookingId: null,
  data: {},
  actions: [open, message],
  expiresAt: later,
  status: "pending",
  dial: "ask",
  held: null,
  runAt: null,
  createdAt: now,
  decidedAt: null,
  decidedBy: null,
  doneAt: null,
  error: null
}
const runningProposal: Proposal = { ...pendingProposal, runAt: now, decidedAt: now, decidedBy: "agent" }
const takenAction = { ...open, result: { ok: true }, undo: { op: "sessions.cancel", input: { id: "s1" } } }
const doneProposal: Proposal = { ...pendingProposal, actions: [takenAction], status: "done", doneAt: now }

const decide = (proposal: Proposal, command: ProposalCommand) =>
  Either.match(run(proposalDecider)(proposal, command), {
    onLeft: ({ code }) => code,
    onRight: ({ state }) => state
  })

const approve = (holding = pendingProposal.actions, draft?: { readonly body: string; readonly subject?: string }) =>
  ({ _tag: "Approve", now, by: "api", holding, draft }) as const

it("runs only the approved actions that still apply", () => {
  expect(decide(pendingProposal, approve())).toMatchObject({
    status: "pending",
    runAt: now,
    decidedAt: now,
    decidedBy: "api"
  })
  expect(decide(pendingProposal, approve([message]))).toMatchObject({ actions: [message], runAt: now })
  expect(decide(pendingProposal, approve([]))).toMatchObject({ status: "expired", runAt: null, decidedBy: null })
  expect(decide({ ...pendingProposal, expiresAt: now }, approve())).toMatchObject({ status: "expired" })
  expect(decide({ ...pendingProposal, actions: [] }, approve([]))).toMatchObject({
    status: "done",
    decidedBy: "api",
    doneAt: now
  })
})

it("replaces the first message's text with the staff member's edit", () => {
  const second = { ...message, input: { ...message.input, booking_id: "b2" } }
  expect(decide(pendingProposal, approve([open, message, second], { body: "new" }))).toMatchObject({
    actions: [
      open,
      { input: { booking_id: "b1", subject: "Old", body: "new" }, facts: { subject: "Old", body: "new" } },
      second
    ]
  })
  expect(decide(pendingProposal, approve([message], { body: "new", subject: "New" }))).toMatchObject({
    actions: [{ input: { subject: "New", body: "new" } }]
  })
})

const ownMessage = { ...message, facts: { ...message.facts, reworded: true as const } }
const withoutWords = { input: { booking_id: "b1" }, facts: { why: "weather", reason: "", reworded: true } }

it("deletes a staff member's edit once it is sent or discarded", () => {
  const approval = decide(
    pendingProposal,
    approve([open, message, { ...message, op: "other" }], { body: "Own words" })
  ) as Proposal
  expect(JSON.stringify(approval)).toContain("Own words")
  const take = { _tag: "Take", now, result: { ok: true } } as const
  const openedProposal = decide(approval, take) as Proposal
  expect(JSON.stringify(openedProposal)).toContain("Own words")
  const sentProposal = decide(openedProposal, take)
  expect(sentProposal).toMatchObject({ status: "pending", actions: [open, withoutWords, { op: "other" }] })
  expect(JSON.stringify(sentProposal)).not.toContain("Own words")
  // The generated text is kept.
  expect(JSON.stringify(decide(sentProposal as Proposal, take))).toContain("old")

  const refusal = { ...take, result: { ok: false, error: "Nothing is left." } }
  const begin = { _tag: "Begin", now, holding: [], isOverCeiling: false, loudFrom: now } as const
  for (const command of [refusal, begin]) expect(JSON.stringify(decide(approval, command))).not.toContain("Own words")
})

it("skips a message to an erased guest, but runs the other actions", () => {
  const forget = { _tag: "Forget", now, bookingIds: new Set(["b1"]) } as const
  expect(decide({ ...runningProposal, actions: [open, ownMessage] }, forget)).toMatchObject({
    status: "pending",
    actions: [open]
  })
  expect(decide({ ...runningProposal, actions: [takenAction, ownMessage] }, forget)).toMatchObject({
    status: "done",
    actions: [takenAction]
  })
  expect(decide({ ...runningProposal, actions: [ownMessage] }, forget)).toMatchObject({
    status: "expired",
    actions: [withoutWords]
  })
  // The generated text contains no personal data, so it can be sent to other guests.
  for (const action of [message, { ...ownMessage, input: { ...ownMessage.input, booking_id: "b2" } }]) {
    expect(decide({ ...runningProposal, actions: [action] }, forget)).toMatchObject({
      status: "pending",
      actions: [action]
    })
  }
})

it("accepts only one decision on a proposal", () => {
  const dismiss = { _tag: "Dismiss", now, by: "dashboard" } as const
  expect(decide(pendingProposal, dismiss)).toMatchObject({ status: "dismissed", decidedBy: "dashboard", runAt: null })
  for (const status of ["done", "failed", "dismissed", "undone"] as const) {
    expect(decide({ ...pendingProposal, status }, approve())).toBe("proposal_decided")
    expect(decide({ ...pendingProposal, status }, dismiss)).toBe("proposal_decided")
  }
  expect(decide({ ...pendingProposal, status: "expired" }, approve())).toBe("proposal_expired")
  expect(decide({ ...pendingProposal, status: "expired" }, dismiss)).toBe("proposal_expired")
  expect(decide(runningProposal, approve())).toBe("proposal_decided")
  expect(decide(runningProposal, dismiss)).toBe("proposal_decided")
})

it("lets a staff member dismiss a scheduled run until it starts", () => {
  const dismiss = { _tag: "Dismiss", now, by: "api" } as const
  const tonight = { ...runningProposal, runAt: later }
  expect(decide(tonight, dismiss)).toMatchObject({ status: "dismissed", runAt: null, decidedBy: "api" })
  expect(decide({ ...tonight, actions: [takenAction, message] }, dismiss)).toBe("proposal_decided")
})

it("revalidates a proposal before its first action", () => {
  const begin = { _tag: "Begin", now, holding: [message], isOverCeiling: false, loudFrom: now } as const
  expect(decide(runningProposal, begin)).toMatchObject({ status: "pending", actions: [message], runAt: now })
  expect(decide(runningProposal, { ...begin, holding: [] })).toMatchObject({ status: "expired", runAt: null })
  expect(decide({ ...runningProposal, expiresAt: now }, begin)).toMatchObject({ status: "expired" })
  expect(decide(runningProposal, { ...begin, isOverCeiling: true })).toMatchObject({
    status: "pending",
    held: "money",
    runAt: null,
    decidedAt: null,
    decidedBy: null
  })
  // A staff member can approve any refund.
  expect(decide({ ...runningProposal, decidedBy: "api" }, { ...begin, isOverCeiling: true })).toMatchObject({
    runAt: now
  })
  expect(decide({ ...runningProposal, actions: [] }, { ...begin, holding: [] })).toMatchObject({
    status: "done",
    runAt: null
  })
  const startedRun = { ...runningProposal, actions: [takenAction, message] }
  expect(decide(startedRun, { ...begin, holding: [] })).toEqual(startedRun)
})

it("delays a run until quiet hours end", () => {
  const soon = Instant.make(1_500_000)
  const begin = { _tag: "Begin", now, holding: [message], isOverCeiling: false, loudFrom: soon } as const
  expect(decide(runningProposal, begin)).toEqual({ ...runningProposal, runAt: soon })
  expect(decide(runningProposal, { ...begin, loudFrom: later })).toMatchObject({
    status: "pending",
    held: null,
    runAt: null,
    decidedAt: null,
    decidedBy: null
  })
  expect(decide({ ...runningProposal, decidedBy: "api" }, begin)).toMatchObject({ runAt: now, actions: [message] })
})

it("pauses a run during quiet hours and resumes it afterward", () => {
  const soon = Instant.make(1_500_000)
  const startedRun = { ...runningProposal, actions: [takenAction, message, message] }
  const goOn = { _tag: "GoOn", now, holds: true, loudFrom: now } as const
  expect(decide(startedRun, goOn)).toEqual(startedRun)
  expect(decide(startedRun, { ...goOn, loudFrom: soon })).toEqual({ ...startedRun, runAt: soon })
  for (const command of [{ ...goOn, holds: false }, { ...goOn, loudFrom: later }]) {
    expect(decide(startedRun, command)).toEqual({ ...startedRun, actions: [takenAction, message] })
    expect(decide({ ...startedRun, actions: [takenAction, message] }, command)).toMatchObject({
      actions: [takenAction],
      status: "done",
      doneAt: now,
      runAt: null,
      error: null
    })
  }
  expect(decide({ ...startedRun, decidedBy: "api" }, { ...goOn, loudFrom: later })).toMatchObject({
    actions: startedRun.actions
  })
  for (const other of [runningProposal, pendingProposal, doneProposal]) {
    expect(decide(other, { ...goOn, holds: false })).toEqual(other)
  }
})

it("runs actions in order until one is rejected", () => {
  const success = { _tag: "Take", now, result: { ok: true, data: { id: "s1" } }, undo: takenAction.undo } as const
  const failure = { _tag: "Take", now, result: { ok: false, error: "Nothing is left." } } as const
  const first = decide(runningProposal, success) as Proposal
  expect(first).toMatchObject({
    status: "pending",
    actions: [{ result: success.result, undo: takenAction.undo }, message]
  })
  expect(decide(first, { _tag: "Take", now, result: { ok: true } })).toMatchObject({
    status: "done",
    doneAt: now,
    runAt: null,
    error: null
  })
  expect(decide(first, failure)).toMatchObject({
    status: "failed",
    error: "Nothing is left.",
    actions: [{ result: success.result }, { result: failure.result }]
  })
  const failedProposal = decide(runningProposal, failure) as Proposal
  expect(decide(failedProposal, success)).toEqual(failedProposal)
})

it("undoes a finished proposal once if all of its actions can be undone", () => {
  const undo = { _tag: "Undo", now } as const
  const undoneProposal = decide(doneProposal, undo) as Proposal
  expect(undoneProposal).toMatchObject({ status: "undone" })
  expect(decide(undoneProposal, undo)).toBe("not_reversible")
  for (
    const other of [
      pendingProposal,
      runningProposal,
      { ...doneProposal, status: "failed" as const },
      { ...doneProposal, actions: [] },
      { ...doneProposal, actions: [takenAction, { ...message, result: { ok: true } }] },
      { ...doneProposal, actions: [{ ...takenAction, result: { ok: false } }] }
    ]
  ) {
    expect(decide(other, undo)).toBe("not_reversible")
  }
})

it("expires an undecided proposal at its deadline", () => {
  const expire = { _tag: "Expire", now: later } as const
  expect(decide(pendingProposal, expire)).toMatchObject({ status: "expired" })
  expect(decide(pendingProposal, { ...expire, now: Instant.make(later - 1) })).toEqual(pendingProposal)
  expect(decide(runningProposal, expire)).toEqual(runningProposal)
  expect(decide(doneProposal, expire)).toEqual(doneProposal)
})

it("finishes a proposal once, and never repeats an action", () => {
  const command: FastCheck.Arbitrary<ProposalCommand> = FastCheck.constantFrom<ProposalCommand>(
    approve(),
    approve([]),
    { _tag: "Dismiss", now, by: "api" },
    { _tag: "Expire", now },
    { _tag: "Expire", now: later },
    { _tag: "Begin", now, holding: pendingProposal.actions, isOverCeiling: false, loudFrom: now },
    { _tag: "Begin", now, holding: pendingProposal.actions, isOverCeiling: true, loudFrom: now },
    { _tag: "Take", now, result: { ok: true } },
    { _tag: "Take", now, result: { ok: false, error: "no" } },
    { _tag: "Undo", now }
  )
  FastCheck.assert(
    FastCheck.property(
      FastCheck.constantFrom(pendingProposal, runningProposal),
      FastCheck.array(command, { maxLength: 12 }),
      (start, commands) => {
        let state = start
        for (const one of commands) {
          const next = decide(state, one)
          if (typeof next === "string") continue
          expect(next.runAt === null || next.status === "pending").toBe(true)
          expect(next.decidedAt === null).toBe(next.decidedBy === null)
          const results = (proposal: Proposal) => proposal.actions.flatMap(({ result }) => result ?? [])
          expect(results(next).slice(0, results(state).length)).toEqual(results(state))
          if (state.status !== "pending") expect(results(next)).toEqual(results(state))
          if (state.status !== "pending" && state.status !== "done") expect(next).toEqual(state)
          state = next
        }
      }
    ),
    { numRuns: 500 }
  )
})
