import { Events, eventView } from "@trailbook/core/event"
import { EventLog } from "@trailbook/core/port"
import { storage } from "@trailbook/runtime/adapter"
import { runToExit } from "@trailbook/server/runUntilSignal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { requireFile } from "../../database/requireFile.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"webhooks tail"> = async ({ after: startAfter, database, eventType: type, org }) => {
  const tail = Effect.gen(function*() {
    const { id: orgId } = yield* orgIdFromDetails(org)
    const events = yield* Events
    let after = startAfter ?? (yield* (yield* EventLog).latest(orgId, 1))[0]?.id ?? 0
    for (;;) {
      const page = yield* events.list({ orgId, after, type, limit })
      for (const event of page.events) Print.json(eventView(event))
      after = page.nextAfter
      if (page.events.length < limit) yield* Effect.sleep("500 millis")
    }
  })
  await runToExit(() =>
    Effect.raceFirst(tail, unread).pipe(
      Effect.provide(Layer.provideMerge(Events.layer, storage(requireFile(database))))
    )
  )
}

const limit = 500

/** Completes when the reader closes stdout, as in `trailbook webhooks tail | head -1`. */
const unread = Effect.async<void>((resume) => {
  process.stdout.once("close", () => resume(Effect.void))
})
