import { Actor, host } from "@trailbook/core/actor/Actor"
import { Handover } from "@trailbook/core/operation/Handover"
import { Registry } from "@trailbook/core/operation/Registry"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ExportPart } from "./ExportPart.ts"
import type { CallEntry, CallScope } from "./Lifecycle.ts"
import type { ActorOptions } from "./Outfitter.ts"

/** Streams an export. Each part waits until the previous one is consumed. */
export async function* exportStream(
  entrance: CallEntry,
  orgId: (door: CallScope) => Promise<string>,
  { scopes, source }: ActorOptions
): AsyncGenerator<ExportPart, undefined, undefined> {
  const parts = new Handover<ExportPart>(1)
  const told = entrance.during(async (door) => {
    const acting = host({ orgId: await orgId(door), door: source, scopes })
    // The registry returns the type that the declaration of the operation states.
    const tell = (part: unknown) => parts.give(part as ExportPart)
    const telling = Effect.flatMap(Registry, (registry) => registry.tell("org.export", {}, tell))
    return door.run(Effect.provideService(telling, Actor, acting), acting.orgId)
  })
  const ended = told.then(() => parts.end(Exit.void), (error: unknown) => parts.end(Exit.fail(error)))
  try {
    for (let part = await taken(parts); part !== undefined; part = await taken(parts)) yield part
  } finally {
    parts.stop()
    await ended
  }
}

const taken = (parts: Handover<ExportPart>): Promise<ExportPart | undefined> =>
  parts.take().catch((cause: unknown) => {
    throw Cause.isCause(cause) ? Cause.squash(cause) : cause
  })
