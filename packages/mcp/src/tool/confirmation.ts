/**
 * Asking the person at the client before something is ended for good. It is a
 * courtesy: a client may answer by itself, so nothing rests on it but comfort.
 *
 * @since 0.1.0
 */
import { Actor } from "@trailbook/core/actor/Actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Registry } from "@trailbook/core/operation/Registry"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { Caller } from "../Caller.ts"
import { localTime } from "./localTimes.ts"
import { failed, type ToolResult } from "./ToolResult.ts"

/**
 * @since 0.1.0
 * @category constructors
 */
export const question = (registry: Registry["Type"]) =>
(
  { actor }: Caller,
  operation: Operation.Any,
  input: Readonly<Record<string, unknown>>
): Effect.Effect<string | undefined> => {
  const { description, hints, name, summary, tool: { title } } = operation
  if (hints.destructive !== true) return Effect.succeed(undefined)
  const words = summary === description ? summary : `${summary} ${description}`
  const get = `${name.split(".", 1).join()}.get`
  if (!registry.operations.some(({ name }) => name === get)) return Effect.succeed(`${title}? ${words}`)
  return Effect.gen(function*() {
    const view = yield* registry.run(get, { id: input.id })
    const start = yield* localStart(registry, view)
    return `${title}: ${[...known(view), ...start].join(", ")}? ${words}`
  }).pipe(
    Effect.provideService(Actor, actor),
    // What is not there, or not to be seen, is refused by the call itself.
    Effect.catchAllCause(() => Effect.succeed(undefined))
  )
}

/**
 * What the assistant hears when the person said no.
 *
 * @since 0.1.0
 * @category constants
 */
export const declined: ToolResult = failed(
  "declined: The person was asked and did not agree. Nothing was changed.\n" +
    "Next: do not call this again unless they ask for it."
)

/** What people know a resource by. */
const known = (view: unknown): ReadonlyArray<string> =>
  [
    text(view, "reference") ?? text(view, "name") ?? text(view, "email"),
    text(inner(view, "customer"), "name"),
    text(inner(view, "offering"), "name")
  ].filter((part) => part !== undefined)

const localStart = (registry: Registry["Type"], view: unknown) =>
  Effect.gen(function*() {
    const start = Instant.parse(text(view, "starts_at") ?? "")
    if (start === undefined) return []
    const zone = Zone.get(text(yield* registry.run("org.get", {}), "timezone") ?? "UTC")
    return [`${localTime(zone, start)} in ${zone.name}`]
  })

const inner = (view: unknown, name: string): unknown =>
  typeof view === "object" && view !== null ? Reflect.get(view, name) : undefined

const text = (view: unknown, name: string): string | undefined => {
  const value = inner(view, name)
  return typeof value === "string" && value !== "" ? value : undefined
}
