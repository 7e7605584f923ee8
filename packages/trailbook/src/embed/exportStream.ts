import { Actor, host } from "@trailbook/core/actor"
import { BoundedQueue, Registry } from "@trailbook/core/operation"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ExportPart } from "./ExportPart.ts"
import type { CallEntry, CallScope } from "./Lifecycle.ts"
import type { ActorOptions } from "./Outfitter.ts"

/** Streams an export. Produces a part only after the caller has consumed the previous one. */
export async function* exportStream(
  entrance: CallEntry,
  orgId: (call: CallScope) => Promise<string>,
  { scopes, source }: ActorOptions
): AsyncGenerator<ExportPart, undefined, undefined> {
  const parts = new BoundedQueue<ExportPart>(1)
  const run = entrance.during(async (call) => {
    const actor = host({ orgId: await orgId(call), source, scopes })
    // The cast is safe because the registry returns the type that the operation declares.
    const emit = (part: unknown) => parts.offer(part as ExportPart)
    const stream = Effect.flatMap(Registry, (registry) => registry.stream("org.export", {}, emit))
    return call.run(Effect.provideService(stream, Actor, actor), actor.orgId)
  })
  const completion = run.then(() => parts.end(Exit.void), (error: unknown) => parts.end(Exit.fail(error)))
  try {
    for (let part = await takePart(parts); part !== undefined; part = await takePart(parts)) yield part
  } finally {
    parts.shutdown()
    await completion
  }
}

const takePart = (parts: BoundedQueue<ExportPart>): Promise<ExportPart | undefined> =>
  parts.take().catch((cause: unknown) => {
    throw Cause.isCause(cause) ? Cause.squash(cause) : cause
  })
