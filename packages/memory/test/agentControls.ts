/** Storage adapters that each break one law about the ops agent's stores in a plausible way. */
import { AutomationStore } from "@trailbook/core/automation"
import { BookingStore } from "@trailbook/core/booking"
import { BroadcastStore } from "@trailbook/core/conversation"
import { OrgStore } from "@trailbook/core/org"
import { RequestKeys } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { get } from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { breakPort } from "./brokenStorage.ts"
import { dropTieDown, minus, plus } from "./offByOne.ts"
import * as ReadCommitted from "./readCommitted.ts"

const forgetful = Layer.provideMerge(
  Layer.succeed(
    RequestKeys,
    RequestKeys.of({ find: () => Effect.succeed(Option.none()), bind: () => Effect.void })
  ),
  breakPort(ProposalStore, ({ lock }) => {
    const shownIds = new Set<string>()
    return {
      lock: (keys) =>
        Effect.map(lock(keys), (rows) =>
          rows.map((row) => {
            if (shownIds.has(row.id) || row.actions.every(({ result }) => result === undefined)) return row
            shownIds.add(row.id)
            return { ...row, actions: row.actions.map((action) => Struct.omit(action, "result")) }
          }))
    }
  })
)

const fourDays = 4 * 24 * 60

/** Moves bookings and their proposals four days into the future, so that no proposal is ever too late. */
const lateStorage = Layer.provideMerge(
  Layer.effect(
    BookingStore,
    Effect.map(BookingStore, (port) => ({
      ...port,
      find: (keys) =>
        Effect.map(port.find(keys), (records) =>
          records.map((record) => ({
            ...record,
            booking: {
              ...record.booking,
              startsAt: Instant.addMinutes(record.booking.startsAt, fourDays),
              endsAt: Instant.addMinutes(record.booking.endsAt, fourDays)
            }
          })))
    }))
  ),
  breakPort(ProposalStore, ({ add }) => ({
    add: (row) =>
      add({
        ...row,
        actions: row.actions.map((action) => {
          const startsAt = Instant.parse(action.facts.starts_at ?? "")
          return startsAt === undefined ? action : {
            ...action,
            facts: { ...action.facts, starts_at: Instant.format(Instant.addMinutes(startsAt, fourDays)) }
          }
        })
      })
  }))
)

export const agentControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "automations/rows",
    "locks only the automations that are on",
    breakPort(AutomationStore, ({ lock }) => ({
      lock: (orgId) => Effect.map(lock(orgId), (rows) => rows.filter(({ dial }) => dial !== "off"))
    }))
  ],
  [
    "automations/put",
    "merges new settings into the previous ones",
    breakPort(AutomationStore, ({ list, put }) => ({
      put: (row) =>
        Effect.flatMap(
          list(row.orgId),
          (all) =>
            put({
              ...row,
              settings: { ...all.find(({ automation }) => automation === row.automation)?.settings, ...row.settings }
            })
        )
    }))
  ],
  [
    "automations/turns",
    "does not claim a turn that is due at the current instant",
    breakPort(AutomationStore, ({ claim }) => ({ claim: (input) => claim({ ...input, now: minus(input.now) }) }))
  ],
  [
    "automations/turns",
    "advances a turn for an invalid claim",
    breakPort(AutomationStore, ({ list, scheduleNextRun, put }) => ({
      scheduleNextRun: (claim, nextAt) =>
        Effect.flatMap(
          scheduleNextRun(claim, nextAt),
          (good) =>
            good ?
              Effect.succeed(true) :
              Effect.flatMap(
                list(claim.orgId),
                (all) => Effect.as(Effect.forEach(all, (row) => put({ ...row, nextAt })), true)
              )
        )
    }))
  ],
  [
    "proposals/one",
    "reports every added proposal as new",
    breakPort(ProposalStore, ({ add }) => ({ add: (row) => Effect.as(add(row), true) }))
  ],
  [
    "proposals/put",
    "keeps the previous title of a replaced proposal",
    breakPort(ProposalStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find([row]), ([before]) => put({ ...row, title: before?.title ?? row.title }))
    }))
  ],
  [
    "proposals/rows",
    "continues a page by time only, ignoring the ID",
    breakPort(ProposalStore, ({ list }) => ({ list: (query) => list({ ...query, after: dropTieDown(query.after) }) }))
  ],
  [
    "proposals/own",
    "counts a decision made exactly at the given time",
    breakPort(ProposalStore, ({ countOwn }) => ({ countOwn: (orgId, after) => countOwn(orgId, minus(after)) }))
  ],
  [
    "proposals/due",
    "claims a proposal that is due one millisecond later",
    breakPort(ProposalStore, ({ claim }) => ({ claim: (input) => claim({ ...input, now: plus(input.now) }) }))
  ],
  [
    "proposals/due",
    "treats every claim as valid forever",
    breakPort(ProposalStore, () => ({ isClaimed: () => Effect.succeed(true) }))
  ],
  [
    "proposals/overdue",
    "omits a proposal at the exact instant of its deadline",
    breakPort(ProposalStore, ({ overdue }) => ({ overdue: (now, limit) => overdue(minus(now), limit) }))
  ],
  ["proposals/cap", "takes locks that block no other transaction", ReadCommitted.layer("none")],
  [
    "agent/ask",
    "does not store dismissals",
    breakPort(ProposalStore, ({ put }) => ({ put: (row) => row.status === "dismissed" ? Effect.void : put(row) }))
  ],
  [
    "agent/undo",
    "reports that no seats are booked",
    breakPort(SessionStore, ({ countBookedSeats }) => ({
      countBookedSeats: (queries) =>
        Effect.map(countBookedSeats(queries), (all) => all.map((seats) => ({ ...seats, booked: 0 })))
    }))
  ],
  ["agent/once", "hides the results of actions once and loses idempotency keys", forgetful],
  [
    "agent/one",
    "counts no decisions of the agent",
    breakPort(ProposalStore, () => ({ countOwn: () => Effect.succeed(0) }))
  ],
  [
    "agent/cancelled",
    "stores a canceled session as scheduled",
    breakPort(SessionStore, ({ put }) => ({
      put: (rows) => put(rows.map((row) => ({ ...row, status: "scheduled" as const })))
    }))
  ],
  [
    "agent/one",
    "identifies proposals by ID only",
    breakPort(ProposalStore, ({ add }) => ({ add: (row) => add({ ...row, subject: `${row.subject} ${row.id}` }) }))
  ],
  [
    "agent/night",
    "loses the quiet hours after 8 p.m.",
    breakPort(OrgStore, ({ find }) => ({
      find: (id) =>
        Effect.zipWith(
          find(id),
          currentTime,
          (org, now) =>
            Option.map(
              org,
              (org) => get(org.timezone).wallAt(now).millisOfDay > 20 * 3_600_000 ? { ...org, quietFrom: null } : org
            )
        )
    }))
  ],
  ["agent/slept", "moves all trips four days into the future", lateStorage],
  [
    "agent/parts",
    "does not store the progress of a broadcast",
    breakPort(BroadcastStore, ({ put }) => ({ put: (row) => put({ ...row, after: "" }) }))
  ],
  ...["proposals/put", "agent/parts"].map((law) =>
    [
      law,
      "does not store the data of actions in progress",
      breakPort(ProposalStore, ({ put }) => ({
        put: (row) =>
          put({
            ...row,
            actions: row.actions.map((action) =>
              action.result === undefined ? action : { ...action, result: Struct.omit(action.result, "data") }
            )
          })
      }))
    ] as const
  ),
  ["agent/undo-race", "takes locks that block no other transaction", ReadCommitted.layer("none")],
  [
    "agent/holds",
    "reports no overdue proposals",
    breakPort(ProposalStore, () => ({ overdue: () => Effect.succeed([]) }))
  ]
]
