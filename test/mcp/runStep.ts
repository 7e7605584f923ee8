/**
 * Runs the steps of a story by making their calls. The steps refer to resources by creation order, and this module
 * replaces these references with IDs.
 */
import { operations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import type { SettableClock } from "@trailbook/testkit/fake/SettableClock"
import type { OperationInput, ResourceKind, Step as ScriptStep } from "@trailbook/testkit/generator/script"
import * as Effect from "effect/Effect"
import { openedSession } from "../proposalOf.ts"
import type { Answer, Call, Twin } from "./Twin.ts"

const missingId = "ffffffff-ffff-7fff-8fff-ffffffffffff"

/** The IDs of created resources, by kind. Scripts refer to some kinds, and additional steps create the others. */
type CreatedIds = Record<
  ResourceKind | "conversation" | "proposal" | "reply" | "webhook" | "closure" | "discount" | "payment",
  Array<string>
>

/** A step from a script, or an additional step that calls operations. */
export type Step =
  | Exclude<ScriptStep, { readonly _tag: "Call" }>
  /** A path in `pick` such as `target.session_id` sets a nested field. */
  | {
    readonly _tag: "Call"
    readonly name: string
    readonly input: OperationInput
    readonly pick: { readonly [field: string]: readonly [keyof CreatedIds, number] }
  }
  /** Adds an ops agent proposal, either pending or completed by opening the nth session. */
  | { readonly _tag: "Propose"; readonly opened?: number }

/** Runs one step and returns all of its responses. */
export type RunStep = (step: Step) => Promise<ReadonlyArray<Answer>>

/** The response fields that stories use. */
interface Data {
  readonly id?: string
  readonly conversation_id?: string | null
  readonly kind?: string
  readonly offering_id?: string
  readonly customer_id?: string
  readonly offering?: { readonly id: string }
  readonly customer?: { readonly id: string }
  readonly data?: ReadonlyArray<{ readonly id?: string; readonly starts_at: string; readonly session_id?: string }>
}

export const makeRunStep = (call: Call, propose: Twin["propose"], clock: SettableClock): RunStep => {
  const createdIds: CreatedIds = {
    offering: [],
    class: [],
    session: [],
    booking: [],
    customer: [],
    conversation: [],
    proposal: [],
    reply: [],
    payment: [],
    webhook: [],
    closure: [],
    discount: []
  }
  const offeringOf = new Map<string, string>()
  let orders = 0
  let lastOrder: OperationInput | undefined
  let stepAnswers: Array<Answer> = []

  const ask = async (name: string, input: OperationInput): Promise<Data> => {
    const answer = await call(operationOf(name), input)
    stepAnswers.push(answer)
    const data = ("answer" in answer ? answer.answer : {}) as Data
    recordResource(name, data)
    return data
  }
  const recordResource = (name: string, resource: Data) => {
    const { conversation_id, customer, customer_id, data = [], id, kind, offering, offering_id } = resource
    const add = (thing: keyof CreatedIds, id: string | null | undefined) =>
      id === undefined || id === null || createdIds[thing].includes(id) ? undefined : createdIds[thing].push(id)
    if (name === "offerings.create") add("offering", id)
    if (name === "offerings.create" && kind === "class") add("class", id)
    if (name === "sessions.create") { for (const session of data) add("session", session.id) }
    if (name === "customers.upsert") add("customer", id)
    if (name === "messages.send") add("conversation", conversation_id)
    if (name === "saved_replies.create") add("reply", id)
    if (name === "payments.record") add("payment", id)
    if (name === "webhooks.create") add("webhook", id)
    if (name === "closures.create") add("closure", id)
    if (name === "discounts.create") add("discount", id)
    if (name === "bookings.create") {
      add("booking", id)
      // An MCP result omits `customer_id` if it contains the customer.
      add("customer", customer_id ?? customer?.id)
      offeringOf.set(String(id), String(offering_id ?? offering?.id))
    }
  }
  /**
   * Returns the item at this position, which wraps around at the end of the list. A negative position counts from the
   * end.
   */
  const pick = (thing: keyof CreatedIds, at: number): string =>
    createdIds[thing].at(at % createdIds[thing].length) ?? missingId
  const findSlot = async (id: string, at: number) => {
    const { data = [] } = await ask("availability.get", { id })
    const slot = data[at % data.length]
    return slot?.session_id === undefined
      ? { starts_at: slot?.starts_at ?? Instant.format(Instant.make(clock.unsafeCurrentTimeMillis())) }
      : { session_id: slot.session_id }
  }

  const act = async (step: Step): Promise<unknown> => {
    switch (step._tag) {
      case "Pass":
        return Effect.runPromise(clock.advance(step.minutes * 60_000))
      case "Call": {
        const pickedFields = Object.entries(step.pick).map(([path, [thing, at]]) => {
          const [field, subfield] = path.split(".")
          return [field, subfield === undefined ? pick(thing, at) : { [subfield]: pick(thing, at) }]
        })
        return ask(step.name, { ...withStartTime(step.input, clock), ...Object.fromEntries(pickedFields) })
      }
      case "Book": {
        const offering_id = pick("offering", step.offering)
        const { customer_id, ...input } = step.input
        lastOrder = {
          ...input,
          ...(customer_id === undefined ? {} : { customer_id: pick("customer", (customer_id as { nth: number }).nth) }),
          ...await findSlot(offering_id, step.slot),
          offering_id,
          // Without a key, an identical order creates a new booking over REST, but not over MCP.
          idempotency_key: `00000000-0000-4000-8000-${String(orders++).padStart(12, "0")}`
        }
        return ask("bookings.create", lastOrder)
      }
      case "Move": {
        const id = pick("booking", step.booking)
        return ask("bookings.move", { id, ...await findSlot(offeringOf.get(id) ?? missingId, step.slot) })
      }
      case "Propose":
        return createdIds.proposal.push(
          await propose(step.opened === undefined ? {} : openedSession(pick("session", step.opened)))
        )
      case "Repeat":
        return lastOrder && ask("bookings.create", { ...lastOrder, ...(step.changed ? { quantity: 7 } : {}) })
      // There is no operation for these steps.
      case "Pay":
      case "Connect":
      case "Sweep":
        return undefined
    }
  }
  return async (step) => {
    await act(step)
    const answers = stepAnswers
    stepAnswers = []
    return answers
  }
}

export const operationOf = (name: string): Operation.Any => {
  const operation = operations.find((operation) => operation.name === name)
  if (operation === undefined) throw new Error(`There is no operation ${name}.`)
  return operation
}

/** Converts a start time relative to the clock to a timestamp. */
const withStartTime = (input: OperationInput, clock: SettableClock): OperationInput => {
  const { starts_at } = input
  if (typeof starts_at !== "object" || starts_at === null || !("hoursFromNow" in starts_at)) return input
  const millis = clock.unsafeCurrentTimeMillis() + Number(starts_at.hoursFromNow) * 3_600_000
  return { ...input, starts_at: Instant.format(Instant.make(millis)) }
}
