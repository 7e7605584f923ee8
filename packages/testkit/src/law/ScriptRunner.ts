/**
 * Runs a script in a process, against a storage adapter, a clock, and a fake payment provider. The runner records the
 * rows that the script created.
 */
import type { Refusal } from "@trailbook/core"
import * as Org from "@trailbook/core/org/Org"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { FakePayments } from "../fake/FakePayments.ts"
import * as SettableClock from "../fake/SettableClock.ts"
import { origin } from "../generator/moment.ts"
import type { OperationInput, ResourceKind, Script, Step } from "../generator/script.ts"
import * as Process from "./ServerProcess.ts"
import * as Store from "./Store.ts"

/** The result of a call: JSON or a refusal. */
export type CallResult =
  | { readonly answer: unknown }
  | { readonly refusal: Pick<Refusal, "kind" | "code" | "message"> }

export interface ScriptRunner {
  readonly orgId: string
  /** Runs a step and returns the result of each of its calls. */
  readonly play: (step: Step) => Effect.Effect<ReadonlyArray<CallResult>>
}

interface CreatedRows {
  readonly offering: Array<string>
  readonly class: Array<string>
  readonly session: Array<string>
  readonly booking: Array<string>
  readonly customer: Array<string>
  /** The offering for each booking. */
  readonly offeringByBooking: Map<string, string>
  lastRequest: OperationInput | undefined
}

const missingId = "ffffffff-ffff-7fff-8fff-ffffffffffff"

export const open = (options: {
  readonly orgId: string
  readonly script: Pick<Script, "timezone" | "plan">
  readonly seed: number
  readonly batches: Parameters<typeof Process.start>[0]["batches"]
}): Effect.Effect<ScriptRunner, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const { batches, orgId, script: { plan, timezone }, seed } = options
    const clock = yield* SettableClock.make(origin)
    yield* Store.orgs.put(
      Org.make({ id: orgId, name: "Stage", slug: `stage-${orgId}`, timezone, plan, createdAt: origin })
    )
    const payments = yield* Layer.build(Layer.fresh(FakePayments.layer))
    const process = yield* Effect.withClock(Effect.provide(Process.start({ seed, batches }), payments), clock)
    const answers: Array<CallResult> = []
    const createdRows: CreatedRows = {
      offering: [],
      class: [],
      session: [],
      booking: [],
      customer: [],
      offeringByBooking: new Map(),
      lastRequest: undefined
    }

    /** Records the result of a call and returns it. */
    const recordAnswer = <A>(work: Effect.Effect<A, Refusal>): Effect.Effect<A, Refusal> =>
      Effect.tapBoth(work, {
        onFailure: ({ code, kind, message }) => Effect.sync(() => answers.push({ refusal: { code, kind, message } })),
        onSuccess: (answer) => Effect.sync(() => answers.push({ answer }))
      })
    const call = (name: string, input: OperationInput) => recordAnswer(process.call(orgId, name, input))

    const pickId = (thing: ResourceKind, at: number): string =>
      createdRows[thing][at % createdRows[thing].length] ?? missingId
    const callAndRecord = (name: string, input: OperationInput) =>
      Effect.tap(call(name, input), (answer) => Effect.sync(() => recordRows(createdRows, name, answer)))
    const findSlot = (offeringId: string, at: number) =>
      Effect.map(Effect.option(call("availability.get", { id: offeringId })), (answer) => {
        const { data: slots } = (answer._tag === "Some" ? answer.value : { data: [] }) as Slots
        const slot = slots[at % slots.length]
        return slot === undefined || slot.session_id === undefined
          ? { starts_at: slot?.starts_at ?? Instant.format(origin) }
          : { session_id: slot.session_id }
      })

    const runStep = (step: Step): Effect.Effect<unknown, Refusal> => {
      switch (step._tag) {
        case "Pass":
          return clock.advance(step.minutes * 60_000)
        case "Call": {
          const pickedIds = Object.entries(step.pick).map(([field, [thing, at]]) => [field, pickId(thing, at)])
          return callAndRecord(step.name, {
            ...withStartTime(step.input, clock.unsafeCurrentTimeMillis()),
            ...Object.fromEntries(pickedIds)
          })
        }
        case "Book":
          return Effect.gen(function*() {
            const offering_id = pickId("offering", step.offering)
            const { customer_id, ...input } = step.input
            const request = {
              ...input,
              ...(customer_id === undefined
                ? {}
                : { customer_id: pickId("customer", (customer_id as { nth: number }).nth) }),
              ...(yield* findSlot(offering_id, step.slot)),
              offering_id,
              idempotency_key: `00000000-0000-4000-8000-${String(createdRows.booking.length).padStart(12, "0")}`
            }
            createdRows.lastRequest = request
            return yield* callAndRecord("bookings.create", request)
          })
        case "Move":
          return Effect.gen(function*() {
            const id = pickId("booking", step.booking)
            const slot = yield* findSlot(createdRows.offeringByBooking.get(id) ?? missingId, step.slot)
            return yield* callAndRecord("bookings.move", { id, ...slot })
          })
        case "Repeat":
          return callAndRecord("bookings.create", {
            offering_id: missingId,
            ...createdRows.lastRequest,
            ...(step.changed ? { quantity: 7 } : {})
          })
        case "Pay":
          return recordAnswer(process.bookings.pay({ orgId, id: pickId("booking", step.booking) }, step.intent))
        case "Connect":
          return Effect.provide(Effect.flatMap(FakePayments, ({ connect }) => connect(orgId, step.connected)), payments)
        case "Sweep":
          return recordAnswer(process.bookings.sweep(10))
      }
    }

    return {
      orgId,
      play: (step) =>
        Effect.map(Effect.either(Effect.withClock(Effect.suspend(() => runStep(step)), clock)), () => answers.splice(0))
    }
  })

interface Slots {
  readonly data: ReadonlyArray<{ readonly starts_at: string; readonly session_id?: string }>
}

/** Converts a script's relative times to timestamps. */
const withStartTime = (input: OperationInput, now: number): OperationInput => {
  const { starts_at } = input
  if (typeof starts_at !== "object" || starts_at === null || !("hoursFromNow" in starts_at)) return input
  const hours = Number(starts_at.hoursFromNow)
  return { ...input, starts_at: Instant.format(Instant.make(now + hours * 3_600_000)) }
}

const recordRows = (createdRows: CreatedRows, name: string, answer: unknown): void => {
  const { customer_id, data, id, kind, offering_id } = answer as { [field: string]: unknown }
  const add = (thing: ResourceKind, id: unknown): void => {
    if (typeof id === "string" && !createdRows[thing].includes(id)) createdRows[thing].push(id)
  }
  if (name === "offerings.create") add("offering", id)
  if (name === "offerings.create" && kind === "class") add("class", id)
  if (name === "sessions.create") {
    for (const session of data as ReadonlyArray<{ id: string }>) add("session", session.id)
  }
  if (name === "customers.upsert") add("customer", id)
  if (name === "bookings.create") {
    add("booking", id)
    add("customer", customer_id)
    createdRows.offeringByBooking.set(String(id), String(offering_id))
  }
}
