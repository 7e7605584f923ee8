/**
 * Runs operations by name. Every transport passes JSON to `run` and receives JSON. The registry decodes the input once
 * and refuses unknown fields.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Actor, isPermitted, OperationRunner } from "../actor/Actor.ts"
import { currentReplicaRead } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import { formatUnknownFieldMessage, toInvalidRequest } from "../wire/decodeError.ts"
import { checkExactlyOneField, makeDecodeInput } from "./decodeInput.ts"
import { canSeeGuests, findOutputRedactor, makeGuestAccessRefusal, requiresGuestAccess } from "./guestAccess.ts"
import type { Operation } from "./Operation.ts"
import type { PageOperation } from "./PageOperation.ts"
import { collectChunks, type Emit, type ResponseChunk } from "./ResponseChunk.ts"

export class Registry extends Context.Tag("@trailbook/core/Registry")<
  Registry,
  OperationRunner["Type"] & {
    /** The API operations. Page operations can be called by name but are not listed. */
    readonly operations: ReadonlyArray<Operation.Any>
    /**
     * Runs an operation and emits its response in chunks. The next chunk is computed after `emit` completes. A refusal
     * always precedes the first chunk. A failure can occur after a chunk, so the response is complete only if this
     * effect succeeds.
     */
    readonly stream: (name: string, input: unknown, emit: Emit) => Effect.Effect<void, Refusal, Actor>
  }
>() {}

/** One handler per operation. The code does not compile if a handler is missing or misspelled. */
export type OperationHandlers<Ops extends ReadonlyArray<Operation.Declared>> = {
  readonly [Op in Ops[number] as Op["name"]]: Operation.Handler<Op>
}

type AnyHandler = (input: unknown, actor: Actor["Type"], emit: Emit) => Effect.Effect<unknown, Refusal>

type BoundHandler = (input: unknown, emit: Emit) => Effect.Effect<unknown, Refusal, Actor>

/** Builds the registry from the API operations and the optional page operations. */
export const layer = <
  const Ops extends ReadonlyArray<Operation.Any>,
  E,
  R,
  const Pages extends ReadonlyArray<PageOperation.Any> = readonly []
>(
  operations: Ops,
  handlers: Effect.Effect<OperationHandlers<readonly [...Ops, ...Pages]>, E, R>,
  webPageOperations?: Pages
): Layer.Layer<Registry, E, Exclude<R, OperationRunner>> =>
  Layer.effect(
    Registry,
    Effect.gen(function*() {
      const handlersByName = new Map<string, BoundHandler>()
      const chunkedNames = new Set<string>()
      const stream = (name: string, input: unknown, emit: Emit) =>
        handlersByName.get(name)?.(input, emit) ?? notFound("operation", name)
      const run: OperationRunner["Type"]["run"] = (name, input) =>
        chunkedNames.has(name) ? collectChunks((emit) => stream(name, input, emit)) : stream(name, input, rejectChunks)
      const handlersByOperation = yield* Effect.provideService(handlers, OperationRunner, { run })
      for (const operation of [...operations, ...webPageOperations ?? []]) {
        // The cast is safe, because `decodeInput` decodes each handler's input with the same operation's schema.
        const handler = handlersByOperation[operation.name as keyof typeof handlersByOperation] as unknown as AnyHandler
        const decodeInput = makeDecodeInput(toInputSchema(operation))
        if (operation.chunked) chunkedNames.add(operation.name)
        const canUseReplica = canReadReplica(operation)
        handlersByName.set(operation.name, (input, emit) =>
          // Read the context directly, in one fiber step. Yielding the tag would take three.
          Effect.withFiberRuntime(({ currentContext }) => {
            const actor = Context.unsafeGet(currentContext, Actor)
            if (!isPermitted(actor, operation)) return refuse("forbidden", operation.name, operation.scope)
            if (requiresGuestAccess(operation.name) && !canSeeGuests(actor)) {
              return makeGuestAccessRefusal(operation.name)
            }
            const request = decodeInput(input)
            if (request._tag === "Left") return toInvalidRequest(new ParseResult.ParseError({ issue: request.left }))
            for (const names of operation.exactlyOne) {
              const refusal = checkExactlyOneField(request.right, names)
              if (refusal !== undefined) return refusal
            }
            const view = findOutputRedactor(actor)
            const result = view === undefined
              ? handler(request.right, actor, emit)
              : operation.chunked
              ? handler(request.right, actor, (chunk) => emit(viewChunk(chunk, operation, view)))
              : Effect.map(handler(request.right, actor, emit), (output) => view(operation.output, output))
            return canUseReplica ? Effect.locally(result, currentReplicaRead, { position: undefined }) : result
          }))
      }
      return Registry.of({
        operations,
        run,
        stream: (name, input, emit) => Effect.asVoid(stream(name, input, emit))
      })
    })
  )

/**
 * Returns whether a replica can serve an operation. Light operations are excluded, because reading a single item costs
 * the primary as much as the position lookup that a replica needs.
 */
const canReadReplica = (operation: Operation.Any | PageOperation.Any): boolean =>
  "method" in operation
    ? operation.method === "GET" && operation.scope === "read" && !operation.light
    : listingPages.has(operation.name)

const listingPages: ReadonlySet<string> = new Set([
  "visit.page",
  "visit.availability",
  "guest.availability",
  "dashboard.departures",
  "dashboard.made"
])

/** Applies the caller's view to a chunk. A chunk has the schema of its output field. */
const viewChunk = (
  chunk: ResponseChunk,
  { output }: Pick<Operation.Declared, "output">,
  view: NonNullable<ReturnType<typeof findOutputRedactor>>
): ResponseChunk => {
  const content = "rows" in chunk ? chunk.rows : chunk.value
  const { [chunk.name]: value } = view(output, { [chunk.name]: content }) as Record<string, unknown>
  return "rows" in chunk ? { name: chunk.name, rows: value as ReadonlyArray<unknown> } : { name: chunk.name, value }
}

/** Operations that return a complete response must not emit chunks. */
const rejectChunks: Emit = () => Effect.dieMessage("This operation does not stream its response.")

/** A struct without fields would accept any value. */
const toInputSchema = ({ input }: Operation.Declared): Schema.Schema.AnyNoContext =>
  Object.keys(input.fields).length > 0 ? input : Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
    Schema.filter((value) =>
      Object.keys(value).slice(0, 1).map((name) => ({ path: [name], message: formatUnknownFieldMessage([]) }))
    )
  )
