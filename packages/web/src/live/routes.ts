import { ChangeNotifier } from "@trailbook/core/event/ChangeNotifier"
import * as Effect from "effect/Effect"
import { get } from "../defineRoute.ts"
import type { StaffAuth } from "../signIn/StaffAuth.ts"
import * as Streams from "./SseHub.ts"

/** What the pages of whoever is signed in listen to. */
export const liveRoutes = (who: StaffAuth) =>
  Effect.gen(function*() {
    const { open } = Streams.make(yield* ChangeNotifier)

    return [
      get({ caller: { scope: "read", find: who.find } }, "/dashboard/stream", "dashboard.stream", (asked) => {
        const { actor: { orgId }, goingDown, request } = asked
        if (request.method === "HEAD") return Effect.succeed({ status: 200, body: null, headers: Streams.headers })
        return Effect.flatMap(
          who.signedIn(request),
          // Whom the program around the service knows has no login of ours.
          ({ login: { id, staffId } }) =>
            open({ orgId, loginId: id || staffId, isSignedIn: who.isStill(request), goingDown })
        )
      })
    ]
  })
