/**
 * The operations by name, behind one door: every transport comes through `run`
 * with JSON and leaves with JSON. Input is read here once, and unknown fields
 * are refused.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Actor } from "../actor/Actor.ts"
import { hasScope } from "../actor/hasScope.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import { toInvalidRequest, unknownFieldMessage } from "../wire/decodeError.ts"
import { makeDecodeInput } from "./decodeInput.ts"
import { isAboutGuests, needsGuestAccess, showsGuests, viewFor } from "./guestAccess.ts"
import type { Operation } from "./Operation.ts"
import type { PageOperation } from "./PageOperation.ts"
import { collected, type Part, type Tell } from "./Part.ts"

export class Registry extends Context.Tag("@trailbook/core/Registry")<
  Registry,
  {
    /** Those of the API. Those of pages are run by their names and listed nowhere. */
    readonly operations: ReadonlyArray<Operation.Any>
    /** Runs an operation as the actor of the context. */
    readonly run: (name: string, input: unknown) => Effect.Effect<unknown, Refusal, Actor>
    /**
     * Runs an operation whose answer is told in parts, as they come: it goes on
     * when `tell` is done with one. Nothing is told before it is refused, but what is
     * told is no whole answer until the end.
     */
    readonly tell: (name: string, input: unknown, tell: Tell) => Effect.Effect<void, Refusal, Actor>
  }
>() {}

/** A handler for every operation: a missing or misspelt one does not compile. */
export type Handlers<Ops extends ReadonlyArray<Operation.Declared>> = {
  readonly [Op in Ops[number] as Op["name"]]: Operation.Handler<Op>
}

type AnyHandler = (input: unknown, actor: Actor["Type"], tell: Tell) => Effect.Effect<unknown, Refusal>

type Door = (input: unknown, tell: Tell) => Effect.Effect<unknown, Refusal, Actor>

/** The operations of the API, and behind the same door those of pages, if there are any. */
export const layer = <
  const Ops extends ReadonlyArray<Operation.Any>,
  E,
  R,
  const Pages extends ReadonlyArray<PageOperation.Any> = readonly []
>(
  operations: Ops,
  handlers: Effect.Effect<Handlers<readonly [...Ops, ...Pages]>, E, R>,
  pageOperations?: Pages
): Layer.Layer<Registry, E, R> =>
  Layer.effect(
    Registry,
    Effect.map(handlers, (handlers) => {
      const byName = new Map<string, Door>()
      const inParts = new Set<string>()
      for (const operation of [...operations, ...pageOperations ?? []]) {
        // Each handler takes its own operation's input, which `read` below has just made.
        const handler = handlers[operation.name as keyof typeof handlers] as unknown as AnyHandler
        const read = makeDecodeInput(inputOf(operation))
        if (operation.inParts) inParts.add(operation.name)
        byName.set(operation.name, (given, tell) =>
          // One step of the fiber; to ask for the tag takes three.
          Effect.withFiberRuntime(({ currentContext }) => {
            const actor = Context.unsafeGet(currentContext, Actor)
            if (!hasScope(actor, operation.scope)) return refuse("forbidden", operation.name, operation.scope)
            if (isAboutGuests(operation.name) && !showsGuests(actor)) return needsGuestAccess(operation.name)
            const request = read(given)
            if (request._tag === "Left") return toInvalidRequest(new ParseResult.ParseError({ issue: request.left }))
            const view = viewFor(actor)
            if (view === undefined) return handler(request.right, actor, tell)
            if (operation.inParts) return handler(request.right, actor, (part) => tell(partOf(part, operation, view)))
            return Effect.map(handler(request.right, actor, tell), (output) => view(operation.output, output))
          }))
      }
      const tell = (name: string, input: unknown, tell: Tell) =>
        byName.get(name)?.(input, tell) ?? notFound("operation", name)
      return Registry.of({
        operations,
        run: (name, input) =>
          inParts.has(name) ? collected((told) => tell(name, input, told)) : tell(name, input, toNobody),
        tell: (name, input, told) => Effect.asVoid(tell(name, input, told))
      })
    })
  )

/** A part as the caller sees it. Its schema is that of its field. */
const partOf = (
  part: Part,
  { output }: Pick<Operation.Declared, "output">,
  view: NonNullable<ReturnType<typeof viewFor>>
): Part => {
  const given = "rows" in part ? part.rows : part.value
  const { [part.name]: value } = view(output, { [part.name]: given }) as Record<string, unknown>
  return "rows" in part ? { name: part.name, rows: value as ReadonlyArray<unknown> } : { name: part.name, value }
}

/** What answers whole tells nothing. */
const toNobody: Tell = () => Effect.dieMessage("This operation has no answer in parts.")

/** A struct without fields would take anything at all. */
const inputOf = ({ input }: Operation.Declared): Schema.Schema.AnyNoContext =>
  Object.keys(input.fields).length > 0 ? input : Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
    Schema.filter((given) =>
      Object.keys(given).slice(0, 1).map((name) => ({ path: [name], message: unknownFieldMessage([]) }))
    )
  )
