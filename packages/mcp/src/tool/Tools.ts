/**
 * The operations as tools.
 */
import { Actor } from "@trailbook/core/actor/Actor"
import { may } from "@trailbook/core/actor/may"
import { availabilityGet } from "@trailbook/core/operation/availabilityOperations"
import { isAboutGuests, showsGuests } from "@trailbook/core/operation/guestAccess"
import { type Operation, toolName, toolsets } from "@trailbook/core/operation/Operation"
import { orgExport, orgGet } from "@trailbook/core/operation/orgOperations"
import type { Registry } from "@trailbook/core/operation/Registry"
import { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { Caller } from "../Caller.ts"
import * as Calls from "../Calls.ts"
import { includes, type Selection } from "../Selection.ts"
import { type Annotations, annotationsOf } from "./annotations.ts"
import { answeredRefusal } from "./answeredRefusal.ts"
import { bounded } from "./bounded.ts"
import { compact, type Data } from "./compact.ts"
import { ownWords, withDefaults } from "./defaults.ts"
import { freeSlots } from "./freeSlots.ts"
import { impact } from "./impact.ts"
import { clock, hasTimes, localTimes } from "./localTimes.ts"
import { ownBookings } from "./ownBookings.ts"
import { refused } from "./refused.ts"
import { inputSchema, type ObjectSchema, outputSchema } from "./schemas.ts"
import { toldSchema } from "./toldSchema.ts"
import { succeeded, type ToolResult, weighed } from "./ToolResult.ts"
import { whyEmpty } from "./whyEmpty.ts"

/**
 * A tool as it is listed.
 *
 * @category models
 */
export type ToolEntry = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: Annotations
}

/**
 * @category models
 */
export interface Tools {
  /** What the caller may call and chose to see, always in the same order. */
  readonly list: (caller: Caller) => Array<ToolEntry>
  /** The operation behind a tool's name, seen or not. */
  readonly find: (name: string) => Operation.Any | undefined
  /** Calls it. A tool that the caller does not see is refused. */
  readonly call: (caller: Caller, operation: Operation.Any, input: Input) => Effect.Effect<ToolResult>
}

type Input = Readonly<Record<string, unknown>>

/**
 * @category constructors
 */
export const make = (registry: Registry["Type"]): Tools => {
  const run = bounded(registry)
  const operations = toolsets.flatMap((toolset) => registry.operations.filter(({ tool }) => tool.toolset === toolset))
  const byName = new Map(operations.map((operation) => [toolName(operation), operation]))
  const entryOf = { lean: lean(operations), full: full(operations) }
  const call = Calls.make(registry)
  const impactOf = impact(call)
  const timesOf = inLocalTime(call)

  return {
    list: ({ actor, selection }) =>
      operations
        .filter((operation) => may(actor, operation.scope) && includes(selection, operation))
        .filter(({ name }) => showsGuests(actor) || !isAboutGuests(name))
        .map(entryOf[selection.schemas]),
    find: (name) => byName.get(name),
    call: ({ actor, selection }, operation, input) =>
      Effect.gen(function*() {
        if (!includes(selection, operation)) return refused(hidden(operation, selection))
        const startedAt = yield* moment
        const given = withDefaults(operation, input)
        // Afterwards it would be gone.
        const hit = yield* impactOf(actor, operation, given)
        // What the registry answers with is the wire's JSON object.
        const output = (yield* run(operation, given)) as Data
        if (operation.name === orgExport.name) return weighed(output)
        const { answer, notes: ofSlots } = freeSlots(operation, output) ?? ownBookings(operation, output)
        const data = yield* timesOf(actor, compact(answer) as Data)
        const notes = [
          ...notAgain(operation, output, startedAt),
          ...ofSlots,
          ...whyEmpty(operation, given, answer),
          ...hit?.done ?? []
        ]
        return succeeded({
          ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
          ...(hit?.affected === undefined ? {} : { affected: hit.affected }),
          ...data
        })
      }).pipe(
        Effect.provideService(Actor, actor),
        answeredRefusal(operation.name),
        Effect.catchAll((refusal) => Effect.succeed(refused(refusal)))
      )
  }
}

type EntryOf = (operation: Operation.Any) => ToolEntry

/** Schemas are made once. */
const lean = (operations: ReadonlyArray<Operation.Any>): EntryOf => {
  const entries = new Map(operations.map((operation) => {
    const { title, description } = operation.tool
    const name = toolName(operation)
    return [
      operation.name,
      {
        name,
        title,
        description,
        inputSchema: inputSchema(operation.input, ownWords(operation)),
        annotations: annotationsOf(operation)
      }
    ]
  }))
  return ({ name }) => entries.get(name) as ToolEntry
}

const full = (operations: ReadonlyArray<Operation.Any>): EntryOf => {
  const entryOf = lean(operations)
  const outputs = new Map<string, ObjectSchema>()
  return (operation) => {
    // Few clients ask for them.
    const known = outputs.get(operation.name) ?? toldSchemaOf(operation)
    outputs.set(operation.name, known)
    return { ...entryOf(operation), outputSchema: known }
  }
}

/** A copy of all there is says it as the operation does. */
const toldSchemaOf = ({ name, output }: Operation.Any): ObjectSchema =>
  name === orgExport.name ? outputSchema(output) : toldSchema(
    outputSchema(output),
    name === availabilityGet.name
      ? { next_from: { type: "string", format: "date", description: "pass as from for more" } }
      : {}
  )

/**
 * The local times. Who may not read the outfitter's zone is told the instants, and so is everybody while it cannot be
 * read: the operation is done, and whatever else went wrong its answer must be told.
 */
const inLocalTime = (call: Calls.Call) => (actor: Actor["Type"], data: Data): Effect.Effect<Data> =>
  !hasTimes(data) ? Effect.succeed(data) : Effect.gen(function*() {
    const name = typeof data.timezone === "string" ? data.timezone : (yield* call(actor, orgGet, {})).timezone
    const zone = Zone.get(name)
    return { ...clock(zone, yield* moment), ...localTimes(data, zone) as Data }
  }).pipe(Effect.catchAllCause(() => Effect.succeed(data)))

const hidden = (operation: Operation.Any, { readOnly, toolsets }: Selection) =>
  new Refusal({
    code: "forbidden",
    message: `${toolName(operation)} is not among the tools of this connection, which was set up with toolsets=${
      [...toolsets].join(",")
    }${readOnly ? " and readonly=1" : ""}.`
  })

/**
 * Says when an order was recognised as one that was there before. Somebody may
 * want the same once more, and must not take the first for the second.
 */
const notAgain = ({ hints }: Operation.Any, output: Input, startedAt: Instant.Instant): ReadonlyArray<string> => {
  // Of several that one request made, all are as old as the first.
  const [first = output] = Array.isArray(output.data) ? output.data : []
  const createdAt = instantIn(first, "created_at")
  if (hints.idempotencyKey === undefined || createdAt === undefined || createdAt >= startedAt) return []
  const now = `as it stands now${ended(output, startedAt)}`
  return [
    `Nothing new was made: this is what an earlier call with the same request made, ${now}. ` +
    `If another one like it is really wanted, call again with a new ${hints.idempotencyKey}.`
  ]
}

const ended = (output: Input, now: Instant.Instant): string => {
  if (output.status === "cancelled") return ", cancelled"
  const expiresAt = instantIn(output, "expires_at")
  return expiresAt !== undefined && expiresAt <= now ? ", a hold that has run out and keeps no place any more" : ""
}

const instantIn = (output: Input, name: string): Instant.Instant | undefined => {
  const value = output[name]
  return typeof value === "string" ? Instant.parse(value) : undefined
}
