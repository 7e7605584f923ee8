import { Changes } from "@trailbook/core/event/Changes"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Caller, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import type { Who } from "../signIn/Who.ts"
import * as Streams from "./Streams.ts"

type Signed = Exclude<Caller, "anybody">

/**
 * What the pages of whoever is signed in listen to.
 *
 * @category constructors
 */
export const liveRoutes = (who: Who) =>
  Effect.gen(function*() {
    const { open } = Streams.make(yield* Changes)

    const stream: Route<Signed, undefined> = {
      method: "GET",
      path: "/dashboard/stream",
      name: "dashboard.stream",
      caller: { scope: "read", find: who.find },
      body: none,
      answer: ({ actor: { orgId }, goingDown, request }) => {
        if (request.method === "HEAD") return Effect.succeed({ status: 200, body: null, headers: Streams.headers })
        return Effect.flatMap(
          who.signedIn(request),
          // Whom the program around the service knows has no login of ours.
          ({ login: { id, staffId } }) =>
            open({ orgId, loginId: id || staffId, isSignedIn: who.isStill(request), goingDown })
        )
      }
    }
    return [stream] as ReadonlyArray<AnyRoute>
  })
